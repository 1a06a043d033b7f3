/**
 * The files of a notebook as last read, in the user's folder and the team's. Finds those that changed since: in a small
 * notebook every file is checked at each call, in a large one files are checked in turns.
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
/** The file with ids of mined discoveries that the user has forgotten (`sextant memory forget`). */
const FORGOTTEN_FILE = 'forgotten';
/**
 * With more files, not every file is checked at each call, because one stat per file would cost more than the search.
 * The folder's time shows additions and deletions; changes in place are found in turns of FILES_PER_TURN.
 */
const MAX_FILES_CHECKED_AT_ONCE = 2_000;
const FILES_PER_TURN = 500;
const MIN_TURN_MS = 200;
/** After a change in a large folder all files are checked, at most once in this time. */
const MIN_FULL_CHECK_MS = 10_000;
/** The snapshot is rewritten after this many changes. */
const MIN_CHANGES_TO_SAVE = 1_000;
const MAX_FILE_BYTES = 64 * 1024;
/** About fifty thousand ids. */
const MAX_FORGOTTEN_BYTES = 1 << 20;

/** A file as last read. */
export interface Page {
  readonly stamp: string;
  /** Null if the file is not a discovery that may be shown. */
  readonly discovery: Discovery | null;
  /** Why the file is not valid. */
  readonly reason?: string;
}

export const UNREADABLE_DISCOVERY = 'it cannot be read as a discovery';

export class NotebookPages implements Iterable<[string, Page]> {
  readonly #own: string;
  readonly #team: string;
  readonly #snapshot: PageSnapshot | null;
  /** Pages by file. */
  #pages = new Map<string, Page>();
  #folderStamp = '';
  #fullCheckAtMs = Number.NEGATIVE_INFINITY;
  #turn: IterableIterator<[string, Page]> = this.#pages.entries();
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #forgotten: ReadonlySet<string> = new Set();
  #version = 0;
  #isLoaded = false;

  /** `team`: read and written if it exists. `snapshot`: the cache file of a large notebook. */
  constructor(own: string, team: string, snapshot: string | null) {
    this.#own = own;
    this.#team = team;
    this.#snapshot = snapshot === null ? null : new PageSnapshot(snapshot);
  }

  /** The folder to which discoveries are written. */
  get folder(): string {
    return isRealFolder(this.#team) ? this.#team : this.#own;
  }

  /** The file with forgotten ids in that folder. */
  get forgottenFile(): string {
    return join(this.folder, FORGOTTEN_FILE);
  }

  /** Forgotten ids of both folders. */
  get forgotten(): ReadonlySet<string> {
    return this.#forgotten;
  }

  /** Changes whenever a page or a forgotten id changes. */
  get version(): number {
    return this.#version;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  [Symbol.iterator](): IterableIterator<[string, Page]> {
    return this.#pages.entries();
  }

  /** Reads files that changed since the last call. */
  refresh(): void {
    const folders = isRealFolder(this.#team) ? [this.#own, this.#team] : [this.#own];
    const folderStamp = this.#stampOfFolders();
    const saved = this.#isLoaded ? null : (this.#snapshot?.load() ?? null);
    if (saved) {
      this.#pages = saved.pages;
      this.#turn = saved.pages.entries();
      this.#folderStamp = saved.folderStamp;
    }
    const isLarge = this.#pages.size > MAX_FILES_CHECKED_AT_ONCE;
    const isJustChecked =
      isLarge && folderStamp === this.#folderStamp && performance.now() - this.#checkedAtMs < MIN_TURN_MS;
    if (isJustChecked && this.#isLoaded) return;
    const changed = isLarge ? this.#refreshInTurn(folders, folderStamp) : this.#refreshAll(folders);
    const forgotten = new Set(folders.flatMap((folder) => readIds(join(folder, FORGOTTEN_FILE))));
    const first = !this.#isLoaded;
    this.#isLoaded = true;
    this.#folderStamp = folderStamp;
    if (!first && changed === 0 && sameIds(forgotten, this.#forgotten)) return;
    this.#forgotten = forgotten;
    this.#version++;
    if (this.#pages.size > MAX_FILES_CHECKED_AT_ONCE && first && (changed > MIN_CHANGES_TO_SAVE || !saved))
      this.#snapshot?.save(folderStamp, this.#pages);
  }

  #stampOfFolders(): string {
    return [this.#own, this.#team]
      .map((folder) => `${stampOf(folder)} ${stampOf(join(folder, FORGOTTEN_FILE))}`)
      .join('|');
  }

  /** Runs a write to one file and reads that file again, without checking the others. */
  change(file: string, write: () => void): void {
    const wasCurrent = this.#isLoaded && this.#stampOfFolders() === this.#folderStamp;
    write();
    const stamp = stampOf(file);
    if (stamp === '') this.#pages.delete(file);
    else this.#pages.set(file, readPage(file, stamp));
    if (wasCurrent) this.#folderStamp = this.#stampOfFolders();
    this.#version++;
  }

  /** Checks every file. Returns the number of new, deleted and changed ones. */
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

  /** Reads added files and drops deleted ones, comparing names only. Returns their number. */
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

/** False for a symbolic link in place of the team's folder, which would lead writes out of the repository. */
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
 * Reads a file of a notebook. The team's folder comes from a repository, which is not trusted: only regular files in
 * folders that are not links are read there. The user's folder may lie behind a link.
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
    // ENOTDIR: a folder of the path is a file, so this file does not exist.
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
    // A file written by hand may name paths outside the project, which are dropped.
    const evidence = discovery.evidence.filter(({ path = '' }) => !leadsOut(path));
    return { stamp, discovery: { ...discovery, evidence } };
  } catch {
    return none();
  }
}
