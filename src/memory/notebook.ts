/**
 * Recorded discoveries in one or two folders of text files: the user's own, and the team's in the repository where the team asked for it. A file
 * `forgotten` beside them names mined discoveries that somebody does not want to see.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Discovery } from '../model/discovery.ts';
import { EngineError } from '../model/errors.ts';
import { formatDiscovery, parseDiscovery } from './discovery-file.ts';
import { withLock } from './folder-lock.ts';
import { wordsOf } from './words.ts';

const ENDING = '.md';
const FORGOTTEN = 'forgotten';
/** More files than these are looked at one by one only every few seconds: a stat each would cost more than the search. */
const MANY = 2_000;
const LOOK_AGAIN_MS = 3_000;
const MAX_FILE_BYTES = 64 * 1024;

interface Page {
  readonly stamp: string;
  readonly discovery: Discovery | null;
}

export class Notebook {
  readonly #own: string;
  readonly #team: string;
  /** By file. */
  #pages = new Map<string, Page>();
  #folderStamp = '';
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #discoveries: readonly Discovery[] = [];
  #broken: readonly string[] = [];
  #forgotten: ReadonlySet<string> = new Set();
  #version = 0;
  readonly #words = new WeakMap<Discovery, ReadonlySet<string>>();

  /** `team` is used for reading whenever it exists, and for writing once it exists. */
  constructor(own: string, team: string) {
    this.#own = own;
    this.#team = team;
  }

  /** All recorded discoveries, newest first; files that cannot be read are left out and named by broken(). */
  all(): readonly Discovery[] {
    this.#look();
    return this.#discoveries;
  }

  broken(): readonly string[] {
    this.#look();
    return this.#broken;
  }

  /** Ids of mined discoveries that were forgotten. */
  forgotten(): ReadonlySet<string> {
    this.#look();
    return this.#forgotten;
  }

  /** Another number whenever something has changed. */
  version(): number {
    this.#look();
    return this.#version;
  }

  find(id: string): Discovery | null {
    return this.all().find((discovery) => discovery.id === id) ?? null;
  }

  /** Where a discovery is kept, null where it is not. */
  fileOf(id: string): string | null {
    if (!isId(id)) return null;
    return [this.#team, this.#own].map((folder) => join(folder, id + ENDING)).find((file) => existsSync(file)) ?? null;
  }

  wordsOf(discovery: Discovery): ReadonlySet<string> {
    const words = this.#words.get(discovery) ?? wordsOf(discovery.content);
    this.#words.set(discovery, words);
    return words;
  }

  /** Looking and writing as one step: who records at the same time waits for it. */
  exclusively<T>(work: () => T): T {
    return withLock(this.#folder(), () => {
      this.#lookedAtMs = Number.NEGATIVE_INFINITY;
      return work();
    });
  }

  /** A discovery that is kept already stays in the folder where it is. */
  save(discovery: Discovery): void {
    const known = this.fileOf(discovery.id);
    const folder = known ? join(known, '..') : this.#folder();
    // Written aside and renamed: two agents that record at once never leave half a file.
    const temporary = join(folder, `.${discovery.id}.${randomBytes(4).toString('hex')}`);
    const file = join(folder, discovery.id + ENDING);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(temporary, formatDiscovery(discovery));
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw unwritable(folder, error);
    }
    this.#folderStamp = '';
  }

  remove(id: string): boolean {
    if (!isId(id)) return false;
    let removed = false;
    for (const folder of [this.#own, this.#team]) {
      const file = join(folder, id + ENDING);
      if (!existsSync(file)) continue;
      try {
        rmSync(file);
      } catch (error) {
        throw unwritable(folder, error);
      }
      removed = true;
    }
    this.#folderStamp = '';
    return removed;
  }

  /** Keeps a mined discovery from being shown again. */
  forget(id: string): void {
    const folder = this.#folder();
    const file = join(folder, FORGOTTEN);
    this.exclusively(() => {
      try {
        mkdirSync(folder, { recursive: true });
        const ids = new Set([...readIds(file), id]);
        writeFileSync(file, `${[...ids].sort().join('\n')}\n`);
      } catch (error) {
        throw unwritable(folder, error);
      }
    });
    this.#folderStamp = '';
  }

  #folder(): string {
    return existsSync(this.#team) ? this.#team : this.#own;
  }

  #look(): void {
    const folders = [this.#own, this.#team];
    const folderStamp = folders.map(stampOf).join('|');
    const now = performance.now();
    const settled =
      folderStamp === this.#folderStamp && this.#pages.size > MANY && now - this.#lookedAtMs < LOOK_AGAIN_MS;
    if (settled) return;
    this.#folderStamp = folderStamp;
    this.#lookedAtMs = now;
    const pages = new Map<string, Page>();
    let changed = false;
    for (const folder of folders) {
      for (const name of namesIn(folder)) {
        const file = join(folder, name);
        const stamp = stampOf(file);
        const known = this.#pages.get(file);
        const page = known?.stamp === stamp ? known : { stamp, discovery: readDiscovery(file) };
        changed ||= page !== known;
        pages.set(file, page);
      }
    }
    const forgotten = new Set(folders.flatMap((folder) => readIds(join(folder, FORGOTTEN))));
    changed ||= pages.size !== this.#pages.size || !sameIds(forgotten, this.#forgotten);
    if (!changed) return;
    this.#pages = pages;
    this.#forgotten = forgotten;
    this.#version++;
    const byId = new Map<string, Discovery>();
    const broken: string[] = [];
    for (const [file, { discovery }] of pages) {
      if (discovery) byId.set(discovery.id, discovery);
      else broken.push(file);
    }
    this.#broken = broken;
    this.#discoveries = [...byId.values()].sort((a, b) => b.dateMs - a.dateMs || (a.id < b.id ? -1 : 1));
  }
}

function isId(id: string): boolean {
  return /^[\w-][\w.-]*$/.test(id);
}

function unwritable(folder: string, error: unknown): EngineError {
  return new EngineError('store_unwritable', { path: folder, reason: (error as Error).message }, error);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING) && !name.startsWith('.') && name !== 'README.md')
      .sort();
  } catch {
    return [];
  }
}

function readIds(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(isId);
  } catch {
    return [];
  }
}

function sameIds(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
}

function readDiscovery(file: string): Discovery | null {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) return null;
    return parseDiscovery(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
