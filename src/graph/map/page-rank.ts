/** PageRank over references: a file ranks high when files of high rank import it or use its symbols. */

import { nameRulesOf } from '../../languages/registry.ts';
import { folderOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { SymbolGraph } from '../symbol-graph.ts';

const DAMPING = 0.85;
const ROUNDS = 20;
/** A reference to a name that more files define links to none of them: it is unlikely to mean the one at hand. */
const MAX_DEFINERS = 3;
/** A file that imports more files imports whole packages; the names that it uses tell better what it depends on. */
const MAX_IMPORTED = 8;
const IMPORT_WEIGHT = 2;

export function rankFiles(
  graph: SymbolGraph,
  reader: StoreReader,
  view: TreeView,
  files: readonly number[],
): Map<number, number> {
  const order = new Map(files.map((file, i) => [file, i]));
  const links: Map<number, number>[] = files.map(() => new Map());
  const link = (from: number, to: number, weight: number) => {
    const [a, b] = [order.get(from), order.get(to)];
    if (a === undefined || b === undefined || a === b) return;
    links[a]!.set(b, (links[a]!.get(b) ?? 0) + weight);
  };
  for (const file of files) {
    const imported = graph.files.importedBy(file);
    if (imported.size <= MAX_IMPORTED) for (const other of imported) link(file, other, IMPORT_WEIGHT);
  }
  linkByNames(graph, reader, view, link);
  return iterate(files, links);
}

/**
 * Links files through names that few files define. In a language in which every used folder must be imported (Go), a
 * name links only to an imported file or a file of the same folder: `mu.Unlock` is the library's, not the repository's.
 */
function linkByNames(
  graph: SymbolGraph,
  reader: StoreReader,
  view: TreeView,
  link: (from: number, to: number, weight: number) => void,
): void {
  for (const term of reader.allTerms('symbol')) {
    if (term.length < 3) continue;
    const definers = new Set<number>();
    for (const id of reader.postings('symbol', term).docs) {
      const file = view.fileOfSymbol[id] ?? -1;
      if (file >= 0) definers.add(file);
      if (definers.size > MAX_DEFINERS) break;
    }
    if (definers.size === 0 || definers.size > MAX_DEFINERS) continue;
    for (const row of reader.postings('reference', term).docs) {
      for (const from of view.filesOfContent(row)) {
        const { language, path } = view.files[from]!;
        const { importsDecide } = nameRulesOf(language);
        for (const to of definers) {
          const other = view.files[to]!;
          if (other.language !== language) continue;
          if (importsDecide && folderOf(other.path) !== folderOf(path) && !graph.files.importedBy(from).has(to))
            continue;
          link(from, to, 1 / definers.size);
        }
      }
    }
  }
}

function iterate(files: readonly number[], links: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const n = files.length;
  const totals = links.map((targets) => [...targets.values()].reduce((sum, weight) => sum + weight, 0));
  let rank = new Float64Array(n).fill(1 / Math.max(1, n));
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(n).fill((1 - DAMPING) / Math.max(1, n));
    links.forEach((targets, from) => {
      for (const [to, weight] of targets) next[to]! += (DAMPING * rank[from]! * weight) / totals[from]!;
    });
    rank = next;
  }
  return new Map(files.map((file, i) => [file, rank[i]!]));
}
