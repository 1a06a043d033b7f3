/** All files of a large notebook in one, as they were: valid while their folders are as they were then. Made again whenever it is not. */
import { readFileSync } from 'node:fs';
import type { Page } from './notebook.ts';
import { writeWhole } from './write-whole.ts';

const VERSION = 1;

export class PageSnapshot {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  load(folderStamp: string): Map<string, Page> | null {
    try {
      const kept = JSON.parse(readFileSync(this.#file, 'utf8')) as {
        version?: unknown;
        folderStamp?: unknown;
        pages?: [string, Page][];
      };
      if (kept.version !== VERSION || kept.folderStamp !== folderStamp || !Array.isArray(kept.pages)) return null;
      return new Map(kept.pages);
    } catch {
      return null;
    }
  }

  save(folderStamp: string, pages: ReadonlyMap<string, Page>): void {
    writeWhole(this.#file, JSON.stringify({ version: VERSION, folderStamp, pages: [...pages] }));
  }
}
