/**
 * Which files and symbols were read or found, how often and when, with a score that fades: what matters to the work at
 * hand. Kept in one small file beside the index, shared by every process that works on the project.
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
/** A score at which the context counts half of what it may. */
const HALF_SCORE = 4;
/** Scores fade slowly: who ranks may use them for so long before they are made anew. */
const CONTEXT_MS = 30_000;
/** Hits come with every search: they are counted together. Reads are counted at once. */
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

  /** Best effort: a file that cannot be written must not fail the reading that it counts. */
  record(accesses: readonly NewAccess[], nowMs: number): void {
    if (accesses.length === 0) return;
    if (accesses.every(({ kind }) => kind === 'hit')) {
      for (const access of accesses) this.#hits.push({ access, atMs: nowMs });
      // Does not keep the process alive: a closing engine writes the rest.
      this.#timer ??= setTimeout(() => void this.#writeAside(), WRITE_HITS_AFTER_MS).unref();
      return;
    }
    this.#write([...this.#takeHits(), ...accesses.map((access) => ({ access, atMs: nowMs }))]);
  }

  /** Writes what waits. */
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

  async #writeAside(): Promise<void> {
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
        score: (kind === 'read' ? 1 : HIT_SHARE) + (before ? faded(before, nowMs) : 0),
      });
    }
    return [...entries.values()].sort((a, b) => faded(b, nowMs) - faded(a, nowMs)).slice(0, MAX_ENTRIES);
  }

  /** Highest score first, as of now. */
  list(nowMs: number): FileAccess[] {
    this.flush();
    return this.#load()
      .map((access) => ({ ...access, score: faded(access, nowMs) }))
      .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /**
   * How much a file (or a symbol in it) belongs to the current work, from 0 to 1. The same for a while, so that a
   * question asked twice in a row has one answer; a read is taken in at once. `version` names the state.
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
        const score = faded(access, nowMs);
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

function faded({ score, lastAccessedMs }: FileAccess, nowMs: number): number {
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
