/**
 * What changes below a folder, as the system tells it; it may tell too much, and a name or two too few.
 *
 * On Linux the system tells only of folders that were asked for, one by one. That is done here: the library that serves
 * the other platforms asks for a folder that appears, not for those inside it, and takes what happens in a renamed
 * folder for something under its old name.
 */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { BackendType } from '@parcel/watcher';
import { compileGlobs, type PathMatcher } from '../../walk/index.ts';

export interface Listener {
  /**
   * The folder itself among the paths: it has gone, or something may have been missed, so it is to be subscribed to
   * anew.
   */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Nothing more may come. */
  readonly onError: (error: unknown) => void;
}

export interface Subscription {
  /** Reports at once the events that are still being gathered. */
  flush(): void;
  close(): Promise<void>;
}

/**
 * Named, since the library would look for a service of another maker first, and leave the shell it asked as a zombie.
 */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = { darwin: 'fs-events', win32: 'windows' };
/** Events that arrive together are reported together. */
const GATHER_MS = 20;
/**
 * The system's queue (16,384 events by default) drops what it cannot hold without saying so: after this many events at
 * once, more may have been lost.
 */
const MANY_AT_ONCE = 8_000;

/**
 * Resolves once every further change is reported. `ignored` has patterns, relative to the folder, of files that change
 * all the time and never matter.
 */
export async function subscribe(folder: string, ignored: readonly string[], listener: Listener): Promise<Subscription> {
  if (process.platform === 'linux') {
    const tree = new FolderTree(folder, compileGlobs(ignored), listener);
    try {
      await tree.add(folder);
    } catch (error) {
      await tree.close();
      throw error;
    }
    return tree;
  }
  const watcher = await loadLibrary();
  const backend = BACKENDS[process.platform];
  const subscription = await watcher.subscribe(
    folder,
    (error, events) => {
      if (error) listener.onError(error);
      else listener.onPaths(events.filter(({ type, path }) => path !== folder || type === 'delete').map((e) => e.path));
    },
    { ignore: [...ignored], ...(backend ? { backend } : {}) },
  );
  return { flush: () => undefined, close: () => subscription.unsubscribe() };
}

/** Can this machine report file events at all? Throws what stands against it. */
export async function checkEvents(): Promise<void> {
  if (process.platform === 'linux') watch(tmpdir()).close();
  else await loadLibrary();
}

/**
 * Reports that the file changes, appears or disappears. Watches its folder, since a file that is replaced is another
 * inode; reports nothing if the folder does not exist.
 */
export function subscribeToFile(file: string, onChange: () => void): Subscription {
  try {
    const watcher = watch(dirname(file), (_type, name) => {
      if (name === basename(file)) onChange();
    });
    watcher.on('error', () => undefined);
    return { flush: () => undefined, close: async () => watcher.close() };
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    return { flush: () => undefined, close: async () => undefined };
  }
}

async function loadLibrary(): Promise<typeof import('@parcel/watcher')> {
  const loaded = await import('@parcel/watcher');
  return 'default' in loaded && loaded.default ? (loaded.default as typeof loaded) : loaded;
}

/** A folder and those below it, each with a watch of its own; the system reads them all from one queue. */
class FolderTree implements Subscription {
  readonly #root: string;
  readonly #isNoise: PathMatcher;
  readonly #listener: Listener;
  readonly #watches = new Map<string, FSWatcher>();
  /** Folders that are watched, by the one they lie in. */
  readonly #inside = new Map<string, Set<string>>();
  /** Paths since the last report; true if one appeared or disappeared. */
  #changed = new Map<string, boolean>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(root: string, isNoise: PathMatcher, listener: Listener) {
    this.#root = root;
    this.#isNoise = isNoise;
    this.#listener = listener;
  }

  /** Watch first, then list: changes in between are reported. */
  async add(folder: string): Promise<void> {
    if (this.#closed || this.#watches.has(folder)) return;
    try {
      const watcher = watch(folder, (type, name) => this.#note(folder, type === 'rename', name));
      watcher.on('error', (error) => this.#listener.onError(error));
      this.#watches.set(folder, watcher);
      const beside = this.#inside.get(dirname(folder));
      if (beside) beside.add(folder);
      else this.#inside.set(dirname(folder), new Set([folder]));
    } catch (error) {
      if (folder !== this.#root && isOutOfReach(error)) return;
      throw error;
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
    await Promise.all(folders.filter((path) => !this.#isNoise(this.#below(path))).map((path) => this.add(path)));
  }

  flush(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#tell();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  #below(path: string): string {
    return path.slice(this.#root.length + 1);
  }

  #note(folder: string, cameOrWent: boolean, name: string | null): void {
    const path = name === null ? folder : join(folder, name);
    if (this.#closed || this.#isNoise(this.#below(path))) return;
    this.#changed.set(path, cameOrWent || this.#changed.get(path) === true);
    if (++this.#count === MANY_AT_ONCE) this.#changed.set(this.#root, false);
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS);
  }

  #tell(): void {
    const changed = this.#changed;
    this.#changed = new Map();
    this.#count = 0;
    this.#timer = null;
    const paths: string[] = [];
    const folders: string[] = [];
    for (const [path, cameOrWent] of changed) {
      const known = this.#watches.has(path);
      const kind = known && !cameOrWent ? 'folder' : kindOf(path);
      // A folder tells of itself by its own name, as if something in it were called so; the one above tells of it too.
      if (kind !== null || basename(dirname(path)) !== basename(path)) paths.push(path);
      else if (cameOrWent && dirname(path) === this.#root) paths.push(this.#root);
      if (path === this.#root || (known && !cameOrWent)) continue;
      // A folder of the same name may be another one.
      if (known) this.#drop(path);
      if (kind === 'folder') folders.push(path);
    }
    this.#listener.onPaths(paths);
    if (folders.length === 0) return;
    // Reported again: files written before the folder was watched made no event.
    Promise.all(folders.map((path) => this.add(path))).then(
      () => this.#closed || this.#listener.onPaths([]),
      (error) => this.#closed || this.#listener.onError(error),
    );
  }

  /** With all below it. */
  #drop(folder: string): void {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    for (const inside of this.#inside.get(folder) ?? []) this.#drop(inside);
    this.#inside.delete(folder);
    this.#inside.get(dirname(folder))?.delete(folder);
  }
}

/**
 * Gone meanwhile, or closed to us: what cannot be read is not indexed either, and a change of its rights is an event of
 * the folder above.
 */
function isOutOfReach(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function kindOf(path: string): 'folder' | 'file' | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat ? (stat.isDirectory() ? 'folder' : 'file') : null;
  } catch {
    return null;
  }
}
