/**
 * All files of a large notebook in one, as they were: a process that begins reads one file, and of the others only
 * those that have changed.
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
      const kept = JSON.parse(String(readDerived(this.#file) ?? '{}')) as {
        version?: unknown;
        folderStamp?: string;
        pages?: [string, Page][];
      };
      if (kept.version !== VERSION || !Array.isArray(kept.pages)) return null;
      return { folderStamp: kept.folderStamp ?? '', pages: new Map(kept.pages) };
    } catch {
      return null;
    }
  }

  save(folderStamp: string, pages: ReadonlyMap<string, Page>): void {
    writeDerived(this.#file, JSON.stringify({ version: VERSION, folderStamp, pages: [...pages] }));
  }
}
