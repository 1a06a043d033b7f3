/**
 * Caches a node's hydrated repositories: each in a folder of its own with its embedded store. A question updates its
 * repository to the published snapshot; when the disk quota is used up, the least recently used repository is deleted.
 * Everything can be hydrated again.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ContentSource } from '../../store/snapshot-source.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { PublishedSnapshots, SnapshotHead } from '../snapshots/published-snapshots.ts';
import type { Derivation } from '../worker/derivation.ts';
import { hydrate } from './hydrate.ts';

export interface CacheParts {
  /** Folder of the repositories' folders; a real path. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly engine: Engine;
  readonly snapshots: PublishedSnapshots;
  readonly contents: ContentSource;
  readonly derivation: Derivation;
  readonly onEvicted: (name: string) => void;
}

interface Cached {
  /** Head of the hydrated snapshot; null before the first one. */
  head: SnapshotHead | null;
  bytes: number;
  lookedAtMs: number;
  /** Number of running questions. */
  users: number;
  storeFolder: string;
  bringing: Promise<void> | null;
}

/** Maximum delay until a published snapshot is noticed. */
const CHECK_INTERVAL_MS = 1_000;

export class RepositoryCache {
  readonly #parts: CacheParts;
  /** Least recently used first. */
  readonly #cached = new Map<string, Cached>();

  constructor(parts: CacheParts) {
    this.#parts = parts;
  }

  /**
   * Runs `work` on the hydrated repository, at its published snapshot or one a moment older. Throws not_indexed before
   * the first snapshot.
   */
  async using<T>(record: RepositoryRecord, work: (head: SnapshotHead) => Promise<T>): Promise<T> {
    const { name } = record;
    const cached = this.#cached.get(name) ?? (await this.#begin(name));
    this.#cached.delete(name);
    this.#cached.set(name, cached);
    cached.users++;
    try {
      if (Date.now() - cached.lookedAtMs > CHECK_INTERVAL_MS) cached.bringing ??= this.#bring(record, cached);
      await cached.bringing;
      return await work(cached.head!);
    } finally {
      cached.users--;
      this.#evict();
    }
  }

  /** As using(), for several repositories. */
  async usingAll<T>(
    records: readonly RepositoryRecord[],
    work: (heads: readonly SnapshotHead[]) => Promise<T>,
  ): Promise<T> {
    const [first, ...rest] = records;
    if (!first) return work([]);
    return this.using(first, (head) => this.usingAll(rest, (heads) => work([head, ...heads])));
  }

  async #begin(name: string): Promise<Cached> {
    const root = join(this.#parts.folder, name);
    mkdirSync(root, { recursive: true });
    const { storeFolder } = await this.#parts.engine.project(root);
    // Concurrent questions share one update: two would write the same store at the same time.
    const known = this.#cached.get(name);
    if (known) return known;
    const begun: Cached = { head: null, bytes: 0, lookedAtMs: 0, users: 0, storeFolder, bringing: null };
    this.#cached.set(name, begun);
    return begun;
  }

  async #bring(record: RepositoryRecord, cached: Cached): Promise<void> {
    try {
      await this.#update(record, cached);
      cached.lookedAtMs = Date.now();
    } catch (error) {
      // The cached snapshot answers while the cluster is away; answers state its age.
      const isAway = error instanceof EngineError && error.code === 'fleet_unavailable';
      if (!isAway || !cached.head) throw error;
      cached.lookedAtMs = Date.now();
    } finally {
      cached.bringing = null;
    }
  }

  async #update({ name, branch, ref }: RepositoryRecord, cached: Cached): Promise<void> {
    const { snapshots, contents, derivation, folder } = this.#parts;
    const indexed = branch ?? ref;
    const head = indexed === null ? null : await snapshots.head(name, indexed);
    if (!head) throw new EngineError('not_indexed', { path: name });
    if (head.manifest === cached.head?.manifest) return;
    const snapshot = await snapshots.read(name, indexed!);
    if (!snapshot) throw new EngineError('not_indexed', { path: name });
    await hydrate({ root: join(folder, name), storeFolder: cached.storeFolder, derivation, contents }, snapshot);
    // A newer snapshot may be published by now: answers state the one that was hydrated.
    const { commit, generation, publishedAtMs } = snapshot;
    cached.head = { ...head, commit, generation, publishedAtMs };
    const { indexBytes } = await this.#parts.engine.status(join(folder, name));
    cached.bytes = head.summary.bytes + indexBytes;
  }

  #evict(): void {
    let total = 0;
    for (const { bytes } of this.#cached.values()) total += bytes;
    for (const [name, { bytes, users, storeFolder }] of this.#cached) {
      if (total <= this.#parts.maxBytes) return;
      if (users > 0) continue;
      this.#cached.delete(name);
      rmSync(storeFolder, { recursive: true, force: true });
      rmSync(join(this.#parts.folder, name), { recursive: true, force: true });
      this.#parts.onEvicted(name);
      total -= bytes;
    }
  }
}
