/**
 * Counts which files and symbols were read or found, with a score that decays over time: it estimates what matters to
 * the current work. One small file beside the index, which all processes of the project share.
 */
import { readFileSync, statSync } from 'node:fs';
import type { FileAccess } from '../../model/records/session.ts';
import { tryReplaceFile, tryReplaceFileAsync } from './atomic-file.ts';

export interface NewAccess {
  readonly path: string;
  readonly symbol?: string;
  readonly kind: 'read' | 'hit';
}

interface TimedAccess {
  readonly access: NewAccess;
  readonly atMs: number;
}

const HIT_SHARE = 0.1;
const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 2_000;
/** The score at which context() returns 0.5. */
const HALF_SCORE = 4;
/** Scores decay slowly, so context() caches them for this long. */
const CONTEXT_MS = 30_000;
/** Hits, which come with every search, are written together after this time. Reads are written at once. */
const WRITE_HITS_AFTER_MS = 2_000;

export class AccessLog {
  readonly #file: string;
  #cache: { readonly stamp: string; readonly entries: readonly FileAccess[] } | null = null;
  #context: { readonly atMs: number; readonly reads: number; readonly values: ReadonlyMap<string, number> } | null =
    null;
  #version = 0;
  #hits: TimedAccess[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Does not throw: a failed write must not fail the read that it counts. */
  record(accesses: readonly NewAccess[], nowMs: number): void {
    if (accesses.length === 0) return;
    if (accesses.every(({ kind }) => kind === 'hit')) {
      for (const access of accesses) this.#hits.push({ access, atMs: nowMs });
      // The timer does not keep the process alive, because a closing engine calls flush().
      this.#timer ??= setTimeout(() => void this.#writeAsync(), WRITE_HITS_AFTER_MS).unref();
      return;
    }
    this.#write([...this.#takeHits(), ...accesses.map((access) => ({ access, atMs: nowMs }))]);
  }

  /** Writes the hits that are not written yet. */
  flush(): void {
    const hits = this.#takeHits();
    if (hits.length > 0) this.#write(hits);
  }

  #takeHits(): TimedAccess[] {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const taken = this.#hits;
    this.#hits = [];
    return taken;
  }

  #write(accesses: TimedAccess[]): void {
    tryReplaceFile(this.#file, JSON.stringify(this.#with(accesses)));
    this.#cache = null;
  }

  async #writeAsync(): Promise<void> {
    await tryReplaceFileAsync(this.#file, JSON.stringify(this.#with(this.#takeHits())));
    this.#cache = null;
  }

  #with(accesses: TimedAccess[]): readonly FileAccess[] {
    const entries = new Map(this.#load().map((access) => [keyOf(access), access]));
    let nowMs = 0;
    for (const { access, atMs } of accesses) {
      const { path, symbol, kind } = access;
      nowMs = atMs;
      const key = keyOf({ path, ...(symbol === undefined ? {} : { symbol }) });
      const before = entries.get(key);
      entries.set(key, {
        path,
        ...(symbol === undefined ? {} : { symbol }),
        count: (before?.count ?? 0) + (kind === 'read' ? 1 : 0),
        hits: (before?.hits ?? 0) + (kind === 'hit' ? 1 : 0),
        lastAccessedMs: nowMs,
        score: (kind === 'read' ? 1 : HIT_SHARE) + (before ? decayed(before, nowMs) : 0),
      });
    }
    return [...entries.values()].sort((a, b) => decayed(b, nowMs) - decayed(a, nowMs)).slice(0, MAX_ENTRIES);
  }

  /** All accesses with their current score, highest first. */
  list(nowMs: number): FileAccess[] {
    this.flush();
    return this.#load()
      .map((access) => ({ ...access, score: decayed(access, nowMs) }))
      .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /**
   * How relevant a file or symbol is to the current work, from 0 to 1. Values stay constant for CONTEXT_MS, so that a
   * repeated question gets the same answer, but change at once after a read. `version` changes with the values.
   */
  context(nowMs: number): {
    readonly version: number;
    readonly isEmpty: boolean;
    of(path: string, symbol?: string): number;
  } {
    const entries = this.#load();
    const reads = entries.reduce((sum, { count }) => sum + count, 0);
    if (!this.#context || this.#context.reads !== reads || nowMs - this.#context.atMs > CONTEXT_MS) {
      const values = new Map<string, number>();
      for (const access of entries) {
        const score = decayed(access, nowMs);
        if (score > 0.01) values.set(keyOf(access), score / (score + HALF_SCORE));
      }
      if (values.size > 0 || (this.#context?.values.size ?? 0) > 0) this.#version++;
      this.#context = { atMs: nowMs, reads, values };
    }
    const { values } = this.#context;
    return {
      version: this.#version,
      isEmpty: values.size === 0,
      of: (path, symbol) => values.get(keyOf({ path, ...(symbol === undefined ? {} : { symbol }) })) ?? 0,
    };
  }

  #load(): readonly FileAccess[] {
    const found = statSync(this.#file, { throwIfNoEntry: false });
    const stamp = found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
    if (this.#cache?.stamp === stamp) return this.#cache.entries;
    this.#cache = { stamp, entries: found ? readEntries(this.#file) : [] };
    return this.#cache.entries;
  }
}

function readEntries(file: string): FileAccess[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(parsed)
      ? parsed.filter(isAccess).map((access) => ({ ...access, hits: access.hits ?? 0 }))
      : [];
  } catch {
    return [];
  }
}

function keyOf({ path, symbol }: Pick<FileAccess, 'path' | 'symbol'>): string {
  return symbol === undefined ? path : `${path}\0${symbol}`;
}

function decayed({ score, lastAccessedMs }: FileAccess, nowMs: number): number {
  return score * 0.5 ** (Math.max(0, nowMs - lastAccessedMs) / HALF_LIFE_MS);
}

function isAccess(value: unknown): value is FileAccess {
  const { path, count, lastAccessedMs, score } = (value ?? {}) as Partial<Record<keyof FileAccess, unknown>>;
  return (
    typeof path === 'string' &&
    typeof count === 'number' &&
    typeof lastAccessedMs === 'number' &&
    typeof score === 'number'
  );
}
