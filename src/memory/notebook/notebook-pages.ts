/**
 * The files of a notebook as last read, in the user's own folder and in the team's, and which of them have changed. A
 * few files are checked at every call, thousands by turns.
 */
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Discovery } from '../../model/records/discovery.ts';
import { textInRepository } from '../../model/runtime/repository-file.ts';
import { leadsOut } from '../../model/text/is-within.ts';
import { sensitiveIn } from '../sensitive.ts';
import { parseDiscovery } from './discovery-file.ts';
import { PageSnapshot } from './page-snapshot.ts';

export const DISCOVERY_EXTENSION = '.md';
/** Names mined discoveries that the user has forgotten (`sextant memory forget`). */
const FORGOTTEN_FILE = 'forgotten';
/**
 * Above this number of files, not every file is checked at every call, because a stat each would cost more than the
 * search: additions and deletions show in the folder, changes in place are found by turns.
 */
const MAX_FILES_CHECKED_AT_ONCE = 2_000;
const FILES_PER_TURN = 500;
const MIN_TURN_MS = 200;
/** After a change in a large folder every file is checked, at most this often. */
const MIN_FULL_CHECK_MS = 10_000;
/** Files that have changed since, before it is worth writing all of them again into one. */
const MIN_CHANGES_TO_SAVE = 1_000;
const MAX_FILE_BYTES = 64 * 1024;
/** Fifty thousand ids. */
const MAX_FORGOTTEN_BYTES = 1 << 20;

/** A file as last read. */
export interface Page {
  readonly stamp: string;
  /** Null where it is none that is shown. */
  readonly discovery: Discovery | null;
  /** The reason why the file is not valid. */
  readonly reason?: string;
}

export const UNREADABLE_DISCOVERY = 'it cannot be read as a discovery';

export class NotebookPages implements Iterable<[string, Page]> {
  readonly #own: string;
  readonly #team: string;
  readonly #snapshot: PageSnapshot | null;
  /** By file. */
  #pages = new Map<string, Page>();
  #folderStamp = '';
  #fullCheckAtMs = Number.NEGATIVE_INFINITY;
  #turn: IterableIterator<[string, Page]> = this.#pages.entries();
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #forgotten: ReadonlySet<string> = new Set();
  #version = 0;
  #isLoaded = false;

  /**
   * `team` is used for reading whenever it exists, and for writing once it exists; `snapshot` spares reading thousands
   * of files again.
   */
  constructor(own: string, team: string, snapshot: string | null) {
    this.#own = own;
    this.#team = team;
    this.#snapshot = snapshot === null ? null : new PageSnapshot(snapshot);
  }

  /** The folder that is written to. */
  get folder(): string {
    return isRealFolder(this.#team) ? this.#team : this.#own;
  }

  /** The file of that folder with the ids of what was forgotten. */
  get forgottenFile(): string {
    return join(this.folder, FORGOTTEN_FILE);
  }

  /** Ids of mined discoveries that were forgotten, in either folder. */
  get forgotten(): ReadonlySet<string> {
    return this.#forgotten;
  }

  /** Another number whenever something has changed. */
  get version(): number {
    return this.#version;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  [Symbol.iterator](): IterableIterator<[string, Page]> {
    return this.#pages.entries();
  }

  /** Takes notice of what has changed. */
  refresh(): void {
    const folders = isRealFolder(this.#team) ? [this.#own, this.#team] : [this.#own];
    const folderStamp = this.#stampOfFolders();
    const kept = this.#isLoaded ? null : (this.#snapshot?.load() ?? null);
    if (kept) {
      this.#pages = kept.pages;
      this.#turn = kept.pages.entries();
      this.#folderStamp = kept.folderStamp;
    }
    const isLarge = this.#pages.size > MAX_FILES_CHECKED_AT_ONCE;
    const isJustSeen =
      isLarge && folderStamp === this.#folderStamp && performance.now() - this.#checkedAtMs < MIN_TURN_MS;
    if (isJustSeen && this.#isLoaded) return;
    const changed = isLarge ? this.#refreshInTurn(folders, folderStamp) : this.#refreshAll(folders);
    const forgotten = new Set(folders.flatMap((folder) => readIds(join(folder, FORGOTTEN_FILE))));
    const first = !this.#isLoaded;
    this.#isLoaded = true;
    this.#folderStamp = folderStamp;
    if (!first && changed === 0 && sameIds(forgotten, this.#forgotten)) return;
    this.#forgotten = forgotten;
    this.#version++;
    if (this.#pages.size > MAX_FILES_CHECKED_AT_ONCE && first && (changed > MIN_CHANGES_TO_SAVE || !kept))
      this.#snapshot?.save(folderStamp, this.#pages);
  }

  #stampOfFolders(): string {
    return [this.#own, this.#team]
      .map((folder) => `${stampOf(folder)} ${stampOf(join(folder, FORGOTTEN_FILE))}`)
      .join('|');
  }

  /** Changes one file and knows it at once, without another look at all the others. */
  change(file: string, write: () => void): void {
    const wasSettled = this.#isLoaded && this.#stampOfFolders() === this.#folderStamp;
    write();
    const stamp = stampOf(file);
    if (stamp === '') this.#pages.delete(file);
    else this.#pages.set(file, readPage(file, stamp));
    if (wasSettled) this.#folderStamp = this.#stampOfFolders();
    this.#version++;
  }

  /** How many files are new, gone or different. */
  #refreshAll(folders: readonly string[]): number {
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
    this.#fullCheckAtMs = performance.now();
    return changed;
  }

  #refreshInTurn(folders: readonly string[], folderStamp: string): number {
    this.#checkedAtMs = performance.now();
    const moved = folderStamp !== this.#folderStamp;
    if (moved && this.#checkedAtMs - this.#fullCheckAtMs > MIN_FULL_CHECK_MS) return this.#refreshAll(folders);
    return (moved ? this.#refreshNames(folders) : 0) + this.#refreshNextFiles();
  }

  /** Files that were added or removed, by name alone. */
  #refreshNames(folders: readonly string[]): number {
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

  #refreshNextFiles(): number {
    let changed = 0;
    for (let i = 0; i < FILES_PER_TURN; i++) {
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
}

/** A repository may hold a link in the place of the team's folder: it would lead what is recorded out of it. */
function isRealFolder(team: string): boolean {
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

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(DISCOVERY_EXTENSION) && !name.startsWith('.') && name !== 'README.md')
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export function readIds(file: string): string[] {
  return (textOf(file, MAX_FORGOTTEN_BYTES) ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(isId);
}

/**
 * A repository brings the team's files along, and whatever lies at their names: only regular files, in folders that are
 * no links, are read. The user's own lie in the data folder, wherever that leads.
 */
function textOf(file: string, maxBytes: number): string | null {
  const folder = dirname(file);
  const parts = [basename(dirname(folder)), basename(folder), basename(file)];
  if (parts[0] === '.sextant') return textInRepository(dirname(dirname(folder)), parts.join('/'), maxBytes);
  return textInRepository(folder, basename(file), maxBytes);
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
  const none = (reason = UNREADABLE_DISCOVERY): Page => ({ stamp, discovery: null, reason });
  try {
    const text = textOf(file, MAX_FILE_BYTES);
    const discovery = text === null ? null : parseDiscovery(text);
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
