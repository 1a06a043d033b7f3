/**
 * Recorded discoveries in one or two folders of text files: the user's own, and the team's inside the repository if it
 * exists. A file `forgotten` in the same folder lists the ids of mined discoveries that the user has forgotten.
 */
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Discovery, SkippedMemory } from '../../model/records/discovery.ts';
import { unwritable } from '../../model/records/engine-errors.ts';
import { statementWords } from '../recall/memory-words.ts';
import { replaceFile } from './atomic-file.ts';
import { formatDiscovery } from './discovery-file.ts';
import { withLock } from './folder-lock.ts';
import { DISCOVERY_EXTENSION, NotebookPages, readIds, UNREADABLE_DISCOVERY } from './notebook-pages.ts';

export class Notebook {
  readonly #pages: NotebookPages;
  readonly #team: string;
  /** The version of the pages from which the lists below were built. */
  #listedVersion = -1;
  #discoveries: readonly Discovery[] = [];
  /** By id, the files with that id; the first one's discovery is shown. */
  #files: ReadonlyMap<string, readonly string[]> = new Map();
  #broken: readonly SkippedMemory[] = [];
  readonly #words = new WeakMap<Discovery, ReadonlySet<string>>();

  /** `snapshot`: a cache file with all pages of a large notebook. */
  constructor(own: string, team: string, snapshot: string | null = null) {
    this.#team = team;
    this.#pages = new NotebookPages(own, team, snapshot);
  }

  /** All recorded discoveries, newest first. broken() lists the files that cannot be read. */
  all(): readonly Discovery[] {
    this.#refresh();
    return this.#discoveries;
  }

  broken(): readonly SkippedMemory[] {
    this.#refresh();
    return this.#broken;
  }

  /** Ids of mined discoveries that were forgotten. */
  forgotten(): ReadonlySet<string> {
    this.#refresh();
    return this.#pages.forgotten;
  }

  /** Changes whenever a discovery or the list of forgotten ids changes. */
  version(): number {
    this.#refresh();
    return this.#pages.version;
  }

  find(id: string): Discovery | null {
    return this.all().find((discovery) => discovery.id === id) ?? null;
  }

  /** The file of a discovery, whatever its name; null if there is none. */
  fileOf(id: string): string | null {
    this.#refresh();
    return this.#files.get(id)?.[0] ?? null;
  }

  /** Whether the discovery's file lies in the team's folder. */
  isFromTeam(id: string): boolean {
    const file = this.fileOf(id);
    return file !== null && dirname(file) === this.#team;
  }

  statementWords(discovery: Discovery): ReadonlySet<string> {
    const words = this.#words.get(discovery) ?? statementWords(discovery.content);
    this.#words.set(discovery, words);
    return words;
  }

  /** Runs reading and writing as one step that other processes wait for. */
  withFolderLock<T>(work: () => T): T {
    return withLock(this.#pages.folder, work);
  }

  /** Writes a discovery to its existing file, or to a new one in the folder that is written to. */
  save(discovery: Discovery): void {
    if (!this.#pages.isLoaded) this.#refresh();
    const file = this.#files.get(discovery.id)?.[0] ?? join(this.#pages.folder, discovery.id + DISCOVERY_EXTENSION);
    const folder = dirname(file);
    this.#pages.change(file, () => {
      try {
        replaceFile(file, formatDiscovery(discovery));
      } catch (error) {
        throw unwritable('store_unwritable', folder, error);
      }
    });
  }

  remove(id: string): boolean {
    this.#refresh();
    const files = this.#files.get(id) ?? [];
    for (const file of files)
      this.#pages.change(file, () => {
        try {
          rmSync(file);
        } catch (error) {
          throw unwritable('store_unwritable', dirname(file), error);
        }
      });
    return files.length > 0;
  }

  /** Keeps a mined discovery from being shown again. */
  forget(id: string): void {
    const file = this.#pages.forgottenFile;
    this.withFolderLock(() => {
      try {
        const ids = new Set([...readIds(file), id]);
        replaceFile(file, `${[...ids].sort().join('\n')}\n`);
      } catch (error) {
        throw unwritable('store_unwritable', dirname(file), error);
      }
    });
  }

  /** Builds the lists only when they are read: an import changes thousands of files in a row. */
  #refresh(): void {
    this.#pages.refresh();
    if (this.#listedVersion !== this.#pages.version) this.#buildLists();
  }

  /** Builds the lists of discoveries, files and broken files from the pages. */
  #buildLists(): void {
    this.#listedVersion = this.#pages.version;
    const byId = new Map<string, { readonly file: string; readonly discovery: Discovery }[]>();
    const broken: SkippedMemory[] = [];
    for (const [file, { discovery, reason }] of this.#pages) {
      const same = discovery && byId.get(discovery.id);
      if (!discovery) broken.push({ file, reason: reason ?? UNREADABLE_DISCOVERY });
      else if (same) same.push({ file, discovery });
      else byId.set(discovery.id, [{ file, discovery }]);
    }
    for (const pages of byId.values()) {
      if (pages.length < 2) continue;
      // The newest is shown, as an import would decide; among equally new ones, the file that is named after the id.
      const isNamed = ({ file, discovery }: { file: string; discovery: Discovery }) =>
        basename(file) === discovery.id + DISCOVERY_EXTENSION ? 1 : 0;
      pages.sort(
        (a, b) => b.discovery.dateMs - a.discovery.dateMs || isNamed(b) - isNamed(a) || (a.file < b.file ? -1 : 1),
      );
      const [shown, ...others] = pages;
      // The same id in the user's and the team's folder is not an error.
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
