/**
 * Recorded discoveries in one or two folders of text files: the user's own, and the team's in the repository where the team asked for it. A file
 * `forgotten` beside them names mined discoveries that somebody does not want to see.
 */
import { existsSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Discovery } from '../model/discovery.ts';
import { EngineError } from '../model/errors.ts';
import { formatDiscovery, parseDiscovery } from './discovery-file.ts';
import { withLock } from './folder-lock.ts';
import { PageSnapshot } from './page-snapshot.ts';
import { wordsOf } from './words.ts';
import { replaceFile } from './write-whole.ts';

const ENDING = '.md';
const FORGOTTEN = 'forgotten';
/**
 * More files than these are not looked at one by one at every call, a stat each would cost more than the search: what came and went shows in the
 * folder, what was changed in place is noticed in turn.
 */
const MANY = 2_000;
const IN_TURN = 500;
const TURN_MS = 200;
/** After a change in a large folder every file is looked at, though not at every one of many changes. */
const LOOK_AGAIN_MS = 10_000;
/** Files that have changed since, before it is worth writing all of them again into one. */
const WORTH_WRITING = 1_000;
const MAX_FILE_BYTES = 64 * 1024;

/** A file as it was when it was read; null where it is no discovery. */
export interface Page {
  readonly stamp: string;
  readonly discovery: Discovery | null;
}

export class Notebook {
  readonly #own: string;
  readonly #team: string;
  readonly #snapshot: PageSnapshot | null;
  /** By file. */
  #pages = new Map<string, Page>();
  #folderStamp = '';
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #turn: IterableIterator<[string, Page]> = this.#pages.entries();
  #turnedAtMs = Number.NEGATIVE_INFINITY;
  #discoveries: readonly Discovery[] = [];
  #broken: readonly string[] = [];
  #forgotten: ReadonlySet<string> = new Set();
  #version = 0;
  #isLoaded = false;
  readonly #words = new WeakMap<Discovery, ReadonlySet<string>>();

  /** `team` is used for reading whenever it exists, and for writing once it exists; `snapshot` spares reading thousands of files again. */
  constructor(own: string, team: string, snapshot: string | null = null) {
    this.#own = own;
    this.#team = team;
    this.#snapshot = snapshot === null ? null : new PageSnapshot(snapshot);
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
    return withLock(this.#folder(), work);
  }

  /** A discovery that is kept already stays in the folder where it is. */
  save(discovery: Discovery): void {
    const known = this.fileOf(discovery.id);
    const folder = known ? join(known, '..') : this.#folder();
    const file = join(folder, discovery.id + ENDING);
    this.#change(file, () => {
      try {
        replaceFile(file, formatDiscovery(discovery));
      } catch (error) {
        throw unwritable(folder, error);
      }
    });
  }

  remove(id: string): boolean {
    if (!isId(id)) return false;
    const files = [this.#own, this.#team].map((folder) => join(folder, id + ENDING)).filter((file) => existsSync(file));
    for (const file of files)
      this.#change(file, () => {
        try {
          rmSync(file);
        } catch (error) {
          throw unwritable(join(file, '..'), error);
        }
      });
    return files.length > 0;
  }

  /** Keeps a mined discovery from being shown again. */
  forget(id: string): void {
    const folder = this.#folder();
    const file = join(folder, FORGOTTEN);
    this.exclusively(() => {
      try {
        const ids = new Set([...readIds(file), id]);
        replaceFile(file, `${[...ids].sort().join('\n')}\n`);
      } catch (error) {
        throw unwritable(folder, error);
      }
    });
  }

  #folder(): string {
    return existsSync(this.#team) ? this.#team : this.#own;
  }

  #look(): void {
    const folders = [this.#own, this.#team];
    const folderStamp = this.#stampOfFolders();
    const kept = this.#isLoaded ? null : (this.#snapshot?.load() ?? null);
    if (kept) {
      this.#pages = kept.pages;
      this.#turn = kept.pages.entries();
      this.#folderStamp = kept.folderStamp;
    }
    const isLarge = this.#pages.size > MANY;
    const isJustSeen = isLarge && folderStamp === this.#folderStamp && performance.now() - this.#turnedAtMs < TURN_MS;
    if (isJustSeen && this.#isLoaded) return;
    const changed = isLarge ? this.#lookInTurn(folders, folderStamp) : this.#lookAtAll(folders);
    const forgotten = new Set(folders.flatMap((folder) => readIds(join(folder, FORGOTTEN))));
    const first = !this.#isLoaded;
    this.#isLoaded = true;
    this.#folderStamp = folderStamp;
    if (!first && changed === 0 && sameIds(forgotten, this.#forgotten)) return;
    this.#forgotten = forgotten;
    this.#arrange();
    if (this.#pages.size > MANY && first && (changed > WORTH_WRITING || !kept))
      this.#snapshot?.save(folderStamp, this.#pages);
  }

  #stampOfFolders(): string {
    return [this.#own, this.#team].map((folder) => `${stampOf(folder)} ${stampOf(join(folder, FORGOTTEN))}`).join('|');
  }

  /** Changes one file and knows it at once, without another look at all the others. */
  #change(file: string, write: () => void): void {
    const wasSettled = this.#isLoaded && this.#stampOfFolders() === this.#folderStamp;
    write();
    const stamp = stampOf(file);
    if (stamp === '') this.#pages.delete(file);
    else this.#pages.set(file, { stamp, discovery: readDiscovery(file) });
    if (wasSettled) this.#folderStamp = this.#stampOfFolders();
    this.#arrange();
  }

  /** How many files are new, gone or different. */
  #lookAtAll(folders: readonly string[]): number {
    const pages = new Map<string, Page>();
    let changed = 0;
    for (const file of folders.flatMap(filesIn)) {
      const known = this.#pages.get(file);
      const stamp = stampOf(file);
      const isKnown = known?.stamp === stamp;
      pages.set(file, isKnown ? known : { stamp, discovery: readDiscovery(file) });
      if (!isKnown) changed++;
    }
    changed += Math.abs(pages.size - this.#pages.size);
    this.#pages = pages;
    this.#turn = pages.entries();
    this.#lookedAtMs = performance.now();
    return changed;
  }

  #lookInTurn(folders: readonly string[], folderStamp: string): number {
    this.#turnedAtMs = performance.now();
    const moved = folderStamp !== this.#folderStamp;
    if (moved && this.#turnedAtMs - this.#lookedAtMs > LOOK_AGAIN_MS) return this.#lookAtAll(folders);
    return (moved ? this.#takeNames(folders) : 0) + this.#takeTurn();
  }

  /** What came and what went, by name alone. */
  #takeNames(folders: readonly string[]): number {
    let changed = 0;
    const files = new Set(folders.flatMap(filesIn));
    for (const file of this.#pages.keys()) if (!files.has(file) && this.#pages.delete(file)) changed++;
    for (const file of files) {
      if (this.#pages.has(file)) continue;
      this.#pages.set(file, { stamp: stampOf(file), discovery: readDiscovery(file) });
      changed++;
    }
    return changed;
  }

  #takeTurn(): number {
    let changed = 0;
    for (let i = 0; i < IN_TURN; i++) {
      const next = this.#turn.next();
      if (next.done) {
        this.#turn = this.#pages.entries();
        break;
      }
      const [file, page] = next.value;
      const stamp = stampOf(file);
      if (stamp === page.stamp || !this.#pages.has(file)) continue;
      this.#pages.set(file, { stamp, discovery: readDiscovery(file) });
      changed++;
    }
    return changed;
  }

  /** The lists that are asked for, from the pages. */
  #arrange(): void {
    this.#version++;
    const byId = new Map<string, Discovery>();
    const broken: string[] = [];
    for (const [file, { discovery }] of this.#pages) {
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

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING) && !name.startsWith('.') && name !== 'README.md')
      .sort()
      .map((name) => join(folder, name));
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
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file in the place of a folder above: there is nothing here either.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
  }
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
