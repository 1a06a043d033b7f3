/** Which files were read, how often and when, with a score that fades: what matters to the work at hand, kept in one small file beside the index. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Access {
  readonly path: string;
  readonly count: number;
  readonly lastAccessedMs: number;
  /** Accesses, each worth half after a week. */
  readonly score: number;
}

const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 2_000;

export class AccessLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Best effort: a file that cannot be written must not fail the reading that it counts. */
  record(path: string, nowMs: number): void {
    const entries = new Map(this.#load().map((access) => [access.path, access]));
    const before = entries.get(path);
    const score = 1 + (before ? faded(before, nowMs) : 0);
    entries.set(path, { path, count: (before?.count ?? 0) + 1, lastAccessedMs: nowMs, score });
    const kept = [...entries.values()].sort((a, b) => faded(b, nowMs) - faded(a, nowMs)).slice(0, MAX_ENTRIES);
    const temporary = `${this.#file}.${randomBytes(4).toString('hex')}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(temporary, JSON.stringify(kept));
      renameSync(temporary, this.#file);
    } catch {
      rmSync(temporary, { force: true });
    }
  }

  /** Highest score first, as of now. */
  list(nowMs: number): Access[] {
    return this.#load()
      .map((access) => ({ ...access, score: faded(access, nowMs) }))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  }

  #load(): Access[] {
    try {
      const parsed: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      return Array.isArray(parsed) ? parsed.filter(isAccess) : [];
    } catch {
      return [];
    }
  }
}

function faded({ score, lastAccessedMs }: Access, nowMs: number): number {
  return score * 0.5 ** (Math.max(0, nowMs - lastAccessedMs) / HALF_LIFE_MS);
}

function isAccess(value: unknown): value is Access {
  const { path, count, lastAccessedMs, score } = (value ?? {}) as Partial<Record<keyof Access, unknown>>;
  return (
    typeof path === 'string' &&
    typeof count === 'number' &&
    typeof lastAccessedMs === 'number' &&
    typeof score === 'number'
  );
}
