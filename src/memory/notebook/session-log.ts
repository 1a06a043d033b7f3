/**
 * Logs each session, that is, one connection of an agent: its queries, the files it read, the discoveries it recorded.
 * Each session has one small file; the newest MAX_SESSIONS are kept.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionRecord } from '../../model/records/session.ts';
import { sensitiveKind } from '../sensitive.ts';
import { tryReplaceFile, tryReplaceFileAsync } from './atomic-file.ts';

const MAX_SESSIONS = 500;
const MAX_QUERIES = 60;
const MAX_READS = 200;
const MAX_QUERY_CHARACTERS = 300;
/** Events within this time are written together; a killed process loses only these. */
const WRITE_AFTER_MS = 200;

export class SessionLog {
  readonly #folder: string;
  readonly #open = new Map<string, SessionRecord>();
  readonly #closed = new Map<string, { readonly stamp: number; readonly record: SessionRecord | null }>();
  readonly #unwritten = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  recordQuery(id: string, query: string, nowMs: number): void {
    const question = query.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_CHARACTERS);
    if (question === '' || sensitiveKind(question) !== null) return;
    this.#change(id, nowMs, (session) => ({
      ...session,
      queries: [...session.queries.filter((known) => known !== question), question].slice(-MAX_QUERIES),
    }));
  }

  recordRead(id: string, path: string, nowMs: number): void {
    this.#change(id, nowMs, (session) => {
      if (!(path in session.reads) && Object.keys(session.reads).length >= MAX_READS) return session;
      return { ...session, reads: { ...session.reads, [path]: (session.reads[path] ?? 0) + 1 } };
    });
  }

  recordDiscovery(id: string, discovery: string, nowMs: number): void {
    this.#change(id, nowMs, (session) => ({
      ...session,
      discoveries: [...new Set([...session.discoveries, discovery])],
    }));
  }

  /** Newest first. */
  list(): readonly SessionRecord[] {
    this.flush();
    const found: SessionRecord[] = [];
    for (const name of this.#names()) {
      const record = this.#open.get(name.slice(0, -5)) ?? this.#readClosed(name);
      if (record) found.push(record);
    }
    return found.sort((a, b) => b.lastMs - a.lastMs || (a.id < b.id ? -1 : 1));
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unwritten.size === 0) return;
    for (const id of this.#unwritten) tryReplaceFile(this.#fileOf(id), JSON.stringify(this.#open.get(id)));
    this.#unwritten.clear();
    this.#dropOldest();
  }

  #change(id: string, nowMs: number, change: (session: SessionRecord) => SessionRecord): void {
    if (!/^[\w-]{1,80}$/.test(id)) return;
    const before = this.#open.get(id) ??
      readSession(this.#fileOf(id)) ?? { id, startedMs: nowMs, lastMs: nowMs, queries: [], reads: {}, discoveries: [] };
    this.#open.set(id, { ...change(before), lastMs: nowMs });
    this.#unwritten.add(id);
    // The timer does not keep the process alive, because a closing engine calls flush().
    this.#timer ??= setTimeout(() => void this.#writeAsync(), WRITE_AFTER_MS).unref();
  }

  async #writeAsync(): Promise<void> {
    this.#timer = null;
    for (const id of [...this.#unwritten]) {
      const record = this.#open.get(id);
      await tryReplaceFileAsync(this.#fileOf(id), JSON.stringify(record));
      // Removed only after the write, so that an engine that closes meanwhile writes it in flush().
      if (this.#open.get(id) === record) this.#unwritten.delete(id);
    }
    if (this.#unwritten.size > 0) this.#timer ??= setTimeout(() => void this.#writeAsync(), WRITE_AFTER_MS).unref();
    else this.#dropOldest();
  }

  #readClosed(name: string): SessionRecord | null {
    const file = join(this.#folder, name);
    const stamp = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const known = this.#closed.get(name);
    if (known?.stamp === stamp) return known.record;
    const record = readSession(file);
    this.#closed.set(name, { stamp, record });
    return record;
  }

  #dropOldest(): void {
    const names = this.#names();
    if (names.length <= MAX_SESSIONS * 1.1) return;
    const byAge = names
      .map((name) => ({ name, atMs: statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.atMs - a.atMs);
    for (const { name } of byAge.slice(MAX_SESSIONS)) rmSync(join(this.#folder, name), { force: true });
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => /^[\w-]{1,80}\.json$/.test(name));
    } catch {
      return [];
    }
  }
}

/** Null if the file does not exist or is broken. */
function readSession(file: string): SessionRecord | null {
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as Partial<SessionRecord>;
    const isValid =
      typeof parsed.id === 'string' &&
      typeof parsed.startedMs === 'number' &&
      typeof parsed.lastMs === 'number' &&
      Array.isArray(parsed.queries) &&
      Array.isArray(parsed.discoveries) &&
      typeof parsed.reads === 'object' &&
      parsed.reads !== null;
    return isValid ? (parsed as SessionRecord) : null;
  } catch {
    return null;
  }
}
