/**
 * Caches all files of a large notebook in one file, so that a new process reads this file and only those that changed
 * since.
 */
import { readDerived, writeDerived } from './derived-file.ts';
import type { Page } from './notebook-pages.ts';

const VERSION = 2;

export class PageSnapshot {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  load(): { readonly folderStamp: string; readonly pages: Map<string, Page> } | null {
    try {
      const saved = JSON.parse(String(readDerived(this.#file) ?? '{}')) as {
        version?: unknown;
        folderStamp?: string;
        pages?: [string, Page][];
      };
      if (saved.version !== VERSION || !Array.isArray(saved.pages)) return null;
      return { folderStamp: saved.folderStamp ?? '', pages: new Map(saved.pages) };
    } catch {
      return null;
    }
  }

  save(folderStamp: string, pages: ReadonlyMap<string, Page>): void {
    writeDerived(this.#file, JSON.stringify({ version: VERSION, folderStamp, pages: [...pages] }));
  }
}
