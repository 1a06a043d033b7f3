/** Where an index says that a named definition stands. */
import { fileURLToPath } from 'node:url';
import { loadStaticModel } from '../../src/embed/index.ts';
import { openReader } from '../../src/store/index.ts';
import type { StoreReader } from '../../src/store/store.ts';
import type { Place } from './set.ts';

export class Definitions {
  readonly #reader: StoreReader;
  readonly #root: string;

  constructor(project: { readonly storeFolder: string; readonly root: string }) {
    const { id, dims } = loadStaticModel(fileURLToPath(new URL('../../models', import.meta.url)));
    this.#reader = openReader({ folder: project.storeFolder, modelId: id, dims });
    this.#root = project.root;
  }

  /** All definitions of that name in a file: overloads and redefinitions are several. */
  find(ref: string, path: string, name: string): Place[] {
    const view = this.#reader.openTree({ root: this.#root, ref });
    const file = view?.indexOfPath(path) ?? -1;
    if (!view || file < 0) return [];
    const wanted = withDots(name);
    const { symbols } = this.#reader.detail(view.contentOf[file]!);
    const isWanted = (symbol: { qualifiedName: string }) => withDots(symbol.qualifiedName) === wanted;
    const ends = (symbol: { qualifiedName: string }) => `.${withDots(symbol.qualifiedName)}`.endsWith(`.${wanted}`);
    const found = symbols.some(isWanted) ? symbols.filter(isWanted) : symbols.filter(ends);
    return found.map(({ startLine, endLine }) => ({ path, startLine, endLine }));
  }

  close(): void {
    this.#reader.close();
  }
}

/** Separators differ between languages, and between an index and a label. */
function withDots(name: string): string {
  return name.replace(/::|->|[#/\\$]/g, '.');
}
