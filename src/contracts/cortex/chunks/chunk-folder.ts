/**
 * Watches a chunk folder: loads it once, and again after its files have changed and then been unchanged for half a
 * second (an indexer writes several). A query uses either the old set or the new one; if the new one cannot be read,
 * the old one stays.
 */
import { type FSWatcher, watch } from 'node:fs';
import { EngineError } from '../../../model/records/engine-errors.ts';
import type { Log } from '../../contract.ts';
import type { CortexPlaces, QueryModel } from '../cortex-settings.ts';
import { type ChunkFile, folderSignature, type ReadFolder, readChunkFolder } from './chunk-files.ts';
import { ChunkSet } from './chunk-set.ts';

const QUIET_MS = 500;
/** The folder is also polled, because network and container file systems lose file events. */
const POLL_MS = 2_000;

export interface ChunkFolderOptions {
  readonly folder: string;
  /** Where the folder is configured, for messages. */
  readonly source: string;
  readonly places: Pick<CortexPlaces, 'dimensions' | 'embedQuery' | 'builtIn' | 'within'>;
  readonly log: Log;
}

/** The chunks, and the model that embeds questions for them. */
export interface LoadedChunks {
  readonly set: ChunkSet;
  readonly model: QueryModel;
}

export class ChunkFolder {
  readonly #options: ChunkFolderOptions;
  #current: LoadedChunks;
  /** Files that were read without errors the last time. */
  #names: ReadonlySet<string>;
  #signature: string;
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #reloading: Promise<void> = Promise.resolve();
  #stopped = false;

  private constructor(
    options: ChunkFolderOptions,
    loaded: LoadedChunks,
    names: ReadonlySet<string>,
    signature: string,
  ) {
    this.#options = options;
    this.#current = loaded;
    this.#names = names;
    this.#signature = signature;
  }

  /**
   * Throws invalid_config for a missing folder and for vectors of other dimensions; reports malformed files and skips
   * them.
   */
  static async open(options: ChunkFolderOptions): Promise<ChunkFolder> {
    const { folder, source, log, places } = options;
    let signature: string;
    let read: ReadFolder;
    try {
      signature = await folderSignature(folder, places.within);
      read = await readChunkFolder(folder, places.within);
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw new EngineError(
        'invalid_config',
        {
          path: source,
          reason: missing
            ? `the chunk folder ${folder} does not exist.`
            : `the chunk folder ${folder} cannot be read (${(error as Error).message}).`,
        },
        error,
      );
    }
    logBroken(read, options);
    const loaded = load(read, options);
    if (loaded.set.size === 0) log('warn', 'no chunks found', { folder });
    const opened = new ChunkFolder(options, loaded, namesOf(read.files), signature);
    opened.#follow();
    return opened;
  }

  get current(): LoadedChunks {
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watcher?.close();
    clearInterval(this.#poll);
    clearTimeout(this.#quiet);
    await this.#reloading;
  }

  #follow(): void {
    this.#watch();
    this.#poll = setInterval(() => {
      folderSignature(this.#options.folder, this.#options.places.within).then(
        (signature) => {
          if (signature !== this.#signature && this.#quiet === undefined) this.#scheduleReload();
        },
        () => {}, // The folder is missing for now; the old chunks stay.
      );
    }, POLL_MS);
    this.#poll.unref();
  }

  /** Starts a new watcher before each poll: a folder that replaced the old one has none yet. */
  #watch(): void {
    const { folder, log } = this.#options;
    this.#watcher?.close();
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#scheduleReload());
      watcher.on('error', () => watcher.close());
      this.#watcher = watcher;
    } catch (error) {
      log('debug', 'chunk folder is polled only', { folder, reason: (error as Error).message });
    }
  }

  #scheduleReload(): void {
    if (this.#stopped) return;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      this.#reloading = this.#reloading.then(() => this.#reload());
    }, QUIET_MS);
    this.#quiet.unref();
  }

  async #reload(): Promise<void> {
    const { folder, log, places } = this.#options;
    if (this.#stopped) return;
    this.#watch();
    try {
      const signature = await folderSignature(folder, places.within);
      if (signature === this.#signature || this.#stopped) return;
      // Stored even after a failure, so that a broken folder is not read again until it changes.
      this.#signature = signature;
      const read = await readChunkFolder(folder, places.within);
      const lost = lostFile(this.#names, read);
      if (lost) throw new Error(lost);
      logBroken(read, this.#options);
      this.#current = load(read, this.#options);
      this.#names = namesOf(read.files);
      log('notice', 'chunks reloaded', { folder, chunks: this.#current.set.size });
    } catch (error) {
      log('error', 'chunks not reloaded, the old state is kept', { folder, reason: (error as Error).message });
    }
  }
}

/** A file that was readable before and is not now: the old chunks stay, because the new set would be incomplete. */
function lostFile(before: ReadonlySet<string>, { files, broken }: ReadFolder): string | null {
  for (const { name, reason } of broken) if (before.has(name)) return `${name} is malformed: ${reason}`;
  const now = namesOf(files);
  for (const name of before) if (!now.has(name)) return `${name} is missing`;
  return null;
}

function logBroken({ broken }: ReadFolder, { folder, log }: ChunkFolderOptions): void {
  for (const { name, reason } of broken) log('warn', 'chunk file skipped', { folder, file: name, reason });
}

function namesOf(files: readonly ChunkFile[]): ReadonlySet<string> {
  return new Set(files.map(({ name }) => name));
}

function load(read: ReadFolder, { folder, source, places, log }: ChunkFolderOptions): LoadedChunks {
  const { files, lengths, set } = read;
  const { builtIn } = places;
  const isOurs = builtIn !== undefined && files.length > 0 && files.every(({ model }) => model === builtIn.id);
  const model = isOurs ? padded(builtIn, set?.dims ?? 0) : places;
  const { dimensions } = model;
  for (const { name, malformed } of files)
    if (malformed > 0) log('warn', 'malformed chunks skipped', { folder, file: name, chunks: malformed });
  for (const [length, { id, name }] of lengths)
    if (length !== dimensions)
      throw new EngineError('invalid_config', {
        path: source,
        reason: `chunk ${id} in ${name} has ${length} dimensions, ${dimensions} are expected.`,
      });
  return { set: (set ?? new ChunkSet(dimensions)).close(), model };
}

/** `sextant export --dimensions` pads vectors with zeros, so the question's vector is padded, too. */
function padded(model: QueryModel, dimensions: number): QueryModel {
  if (dimensions <= model.dimensions) return model;
  return {
    dimensions,
    async embedQuery(text, signal) {
      const vector = new Float32Array(dimensions);
      vector.set(await model.embedQuery(text, signal));
      return vector;
    },
  };
}
