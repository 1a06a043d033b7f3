/**
 * Recorded discoveries in one or two folders of text files: the user's own, and the team's in the repository where the team asked for it. A file
 * `forgotten` beside them names mined discoveries that somebody does not want to see.
 */
import { lstatSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Discovery, SkippedMemory } from '../model/discovery.ts';
import { EngineError } from '../model/errors.ts';
import { leadsOut } from '../model/is-within.ts';
import { formatDiscovery, parseDiscovery } from './discovery-file.ts';
import { withLock } from './folder-lock.ts';
import { PageSnapshot } from './page-snapshot.ts';
import { sensitiveIn } from './sensitive.ts';
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

/** A file as it was when it was read. */
export interface Page {
  readonly stamp: string;
  /** Null where it is none that is shown. */
  readonly discovery: Discovery | null;
  /** Why not, said of the file. */
  readonly reason?: string;
}

const NO_DISCOVERY = 'it cannot be read as a discovery';

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
  /** By id; the one that is shown first. */
  #files: ReadonlyMap<string, readonly string[]> = new Map();
  #broken: readonly SkippedMemory[] = [];
  #forgotten: ReadonlySet<string> = new Set();
  #version = 0;
  #isLoaded = false;
  #isArranged = false;
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

  broken(): readonly SkippedMemory[] {
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

  /** Where a discovery is kept, under whatever name somebody gave the file; null where it is not. */
  fileOf(id: string): string | null {
    this.#look();
    return this.#files.get(id)?.[0] ?? null;
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
    if (!this.#isLoaded) this.#look();
    const file = this.#files.get(discovery.id)?.[0] ?? join(this.#folder(), discovery.id + ENDING);
    const folder = dirname(file);
    this.#change(file, () => {
      try {
        replaceFile(file, formatDiscovery(discovery));
      } catch (error) {
        throw unwritable(folder, error);
      }
    });
  }

  remove(id: string): boolean {
    this.#look();
    const files = this.#files.get(id) ?? [];
    for (const file of files)
      this.#change(file, () => {
        try {
          rmSync(file);
        } catch (error) {
          throw unwritable(dirname(file), error);
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
    return isOwnFolder(this.#team) ? this.#team : this.#own;
  }

  #look(): void {
    this.#lookAtFiles();
    if (!this.#isArranged) this.#arrange();
  }

  #lookAtFiles(): void {
    const folders = isOwnFolder(this.#team) ? [this.#own, this.#team] : [this.#own];
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
    this.#disarrange();
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
    else this.#pages.set(file, readPage(file, stamp));
    if (wasSettled) this.#folderStamp = this.#stampOfFolders();
    this.#disarrange();
  }

  /** How many files are new, gone or different. */
  #lookAtAll(folders: readonly string[]): number {
    const pages = new Map<string, Page>();
    let changed = 0;
    for (const file of folders.flatMap(filesIn)) {
      const known = this.#pages.get(file);
      const stamp = stampOf(file);
      const isKnown = known?.stamp === stamp;
      pages.set(file, isKnown ? known : readPage(file, stamp));
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
      this.#pages.set(file, readPage(file, stampOf(file)));
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
      this.#pages.set(file, readPage(file, stamp));
      changed++;
    }
    return changed;
  }

  /** The lists are made when somebody asks: an import changes thousands of files in a row. */
  #disarrange(): void {
    this.#version++;
    this.#isArranged = false;
  }

  /** The lists that are asked for, from the pages. */
  #arrange(): void {
    this.#isArranged = true;
    const byId = new Map<string, { readonly file: string; readonly discovery: Discovery }[]>();
    const broken: SkippedMemory[] = [];
    for (const [file, { discovery, reason }] of this.#pages) {
      const same = discovery && byId.get(discovery.id);
      if (!discovery) broken.push({ file, reason: reason ?? NO_DISCOVERY });
      else if (same) same.push({ file, discovery });
      else byId.set(discovery.id, [{ file, discovery }]);
    }
    for (const pages of byId.values()) {
      if (pages.length < 2) continue;
      // As an import would decide; of two that are equally new, the file that has its name.
      const isNamed = ({ file, discovery }: { file: string; discovery: Discovery }) =>
        basename(file) === discovery.id + ENDING ? 1 : 0;
      pages.sort(
        (a, b) => b.discovery.dateMs - a.discovery.dateMs || isNamed(b) - isNamed(a) || (a.file < b.file ? -1 : 1),
      );
      const [shown, ...others] = pages;
      // The user's own and the team's may both have it.
      for (const { file } of others)
        if (dirname(file) === dirname(shown!.file))
          broken.push({ file, reason: `it has the id of ${basename(shown!.file)}` });
    }
    this.#broken = broken;
    this.#files = new Map([...byId].map(([id, pages]) => [id, pages.map(({ file }) => file)]));
    this.#discoveries = [...byId.values()]
      .map(([shown]) => shown!.discovery)
      .sort((a, b) => b.dateMs - a.dateMs || (a.id < b.id ? -1 : 1));
  }
}

/** A repository may hold a link in the place of the team's folder: it would lead what is recorded out of it. */
function isOwnFolder(team: string): boolean {
  return [dirname(team), team].every((folder) => {
    try {
      return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    } catch {
      return false;
    }
  });
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

function readPage(file: string, stamp: string): Page {
  const none = (reason = NO_DISCOVERY): Page => ({ stamp, discovery: null, reason });
  try {
    const found = lstatSync(file);
    // A link leads out of the folder, and a repository may bring it along.
    if (!found.isFile() || found.size > MAX_FILE_BYTES) return none();
    const discovery = parseDiscovery(readFileSync(file, 'utf8'));
    if (!discovery) return none();
    const what = sensitiveIn(discovery);
    if (what) return none(`it looks like it contains ${what}`);
    // Written by hand or elsewhere: what lies outside is no evidence here.
    const evidence = discovery.evidence.filter(({ path = '' }) => !leadsOut(path));
    return { stamp, discovery: { ...discovery, evidence } };
  } catch {
    return none();
  }
}
