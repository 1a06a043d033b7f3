/**
 * Reports changes below a folder from the system's file events. It may report too many paths, and miss a few.
 *
 * Linux reports events of single folders only, so each folder below gets its own watch here. @parcel/watcher, which is
 * used on the other platforms, watches a new folder but not those inside it, and reports events in a renamed folder
 * under its old name.
 */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { BackendType } from '@parcel/watcher';
import { compileGlobs, type PathMatcher } from '../../walk/index.ts';

export interface Listener {
  /**
   * Called with the changed paths. If the folder itself is among them, it was deleted or events were lost, and the
   * caller has to subscribe again.
   */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Called when events may no longer arrive. */
  readonly onError: (error: unknown) => void;
}

export interface Subscription {
  /** Reports the collected events at once. */
  flush(): void;
  close(): Promise<void>;
}

/** Chosen explicitly: by default the library first starts a shell to look for Watchman, and leaves it as a zombie. */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = { darwin: 'fs-events', win32: 'windows' };
/** Events within this time are reported together. */
const COLLECT_MS = 20;
/**
 * With this many events in one report, others may be lost: the system's queue holds 16,384 events by default and drops
 * further ones. Node does not report that.
 */
const MAX_EVENTS_IN_REPORT = 8_000;

/**
 * Resolves when every further change will be reported. `ignored` has globs, relative to the folder, of files whose
 * changes never matter.
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

/** Throws if this machine cannot report file events. */
export async function checkEvents(): Promise<void> {
  if (process.platform === 'linux') watch(tmpdir()).close();
  else await loadLibrary();
}

/**
 * Calls back when the file changes, appears or disappears. It watches the file's folder, because a replaced file is
 * another inode, and reports nothing if the folder does not exist.
 */
export function subscribeToFile(file: string, onChange: () => void): Subscription {
  try {
    const watcher = watch(dirname(file), (_type, name) => {
      if (name === basename(file)) onChange();
    });
    watcher.on('error', () => undefined);
    return { flush: () => undefined, close: async () => watcher.close() };
  } catch (error) {
    if (!isInaccessible(error)) throw error;
    return { flush: () => undefined, close: async () => undefined };
  }
}

async function loadLibrary(): Promise<typeof import('@parcel/watcher')> {
  const loaded = await import('@parcel/watcher');
  return 'default' in loaded && loaded.default ? (loaded.default as typeof loaded) : loaded;
}

/** Watches a folder and each folder below it. The system delivers the events of all watches through one queue. */
class FolderTree implements Subscription {
  readonly #root: string;
  readonly #isNoise: PathMatcher;
  readonly #listener: Listener;
  readonly #watches = new Map<string, FSWatcher>();
  /** The watched folders, by their parent. */
  readonly #inside = new Map<string, Set<string>>();
  /** The paths since the last report; true for one that appeared or disappeared. */
  #changed = new Map<string, boolean>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(root: string, isNoise: PathMatcher, listener: Listener) {
    this.#root = root;
    this.#isNoise = isNoise;
    this.#listener = listener;
  }

  /** Watches a folder and those below it. It lists the folder after watching it, so that no change is missed. */
  async add(folder: string): Promise<void> {
    if (this.#closed || this.#watches.has(folder)) return;
    try {
      const watcher = watch(folder, (type, name) => this.#collect(folder, type === 'rename', name));
      watcher.on('error', (error) => this.#listener.onError(error));
      this.#watches.set(folder, watcher);
      const beside = this.#inside.get(dirname(folder));
      if (beside) beside.add(folder);
      else this.#inside.set(dirname(folder), new Set([folder]));
    } catch (error) {
      if (folder !== this.#root && isInaccessible(error)) return;
      throw error;
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
    await Promise.all(folders.filter((path) => !this.#isNoise(this.#below(path))).map((path) => this.add(path)));
  }

  flush(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#report();
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

  #collect(folder: string, isRename: boolean, name: string | null): void {
    const path = name === null ? folder : join(folder, name);
    if (this.#closed || this.#isNoise(this.#below(path))) return;
    this.#changed.set(path, isRename || this.#changed.get(path) === true);
    if (++this.#count === MAX_EVENTS_IN_REPORT) this.#changed.set(this.#root, false);
    this.#timer ??= setTimeout(() => this.#report(), COLLECT_MS);
  }

  #report(): void {
    const changed = this.#changed;
    this.#changed = new Map();
    this.#count = 0;
    this.#timer = null;
    const paths: string[] = [];
    const folders: string[] = [];
    for (const [path, isRename] of changed) {
      const isWatched = this.#watches.has(path);
      const kind = isWatched && !isRename ? 'folder' : kindOf(path);
      // An event of a watched folder itself has the folder's name, as if a file in it had that name. The watch of the
      // parent reports the same change.
      if (kind !== null || basename(dirname(path)) !== basename(path)) paths.push(path);
      else if (isRename && dirname(path) === this.#root) paths.push(this.#root);
      if (path === this.#root || (isWatched && !isRename)) continue;
      // Another folder may have taken the name of a watched one.
      if (isWatched) this.#drop(path);
      if (kind === 'folder') folders.push(path);
    }
    this.#listener.onPaths(paths);
    if (folders.length === 0) return;
    // Report again afterwards: files that were written before a new folder was watched caused no event.
    Promise.all(folders.map((path) => this.add(path))).then(
      () => this.#closed || this.#listener.onPaths([]),
      (error) => this.#closed || this.#listener.onError(error),
    );
  }

  /** Stops watching a folder and those below it. */
  #drop(folder: string): void {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    for (const inside of this.#inside.get(folder) ?? []) this.#drop(inside);
    this.#inside.delete(folder);
    this.#inside.get(dirname(folder))?.delete(folder);
  }
}

/**
 * Whether a folder was deleted meanwhile or may not be read. Such a folder is not indexed either, and a change of its
 * permissions is an event of its parent.
 */
function isInaccessible(error: unknown): boolean {
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
