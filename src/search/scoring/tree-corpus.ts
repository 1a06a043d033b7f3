/** Word statistics of one tree, in the form of the port CorpusStatistics. */
import type { CorpusStatistics } from '../../model/records/corpus-statistics.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { tallyOf } from './term-tally.ts';
import { treeStats } from './tree-stats.ts';

/** How many contents refer to a name, in the corpus of the tree: its own, or that of all searched trees. */
export function contentsReferring(reader: StoreReader, view: TreeView, name: string): number {
  if (view.corpus) return view.corpus.contentsReferring(name);
  const { liveContents } = treeStats(view);
  let count = 0;
  for (const row of reader.postings('reference', name).docs) if (liveContents[row] === 1) count++;
  return count;
}

/** The statistics of a single tree. */
export function treeCorpus(reader: StoreReader, view: TreeView): CorpusStatistics {
  const { counts, pathTerms } = treeStats(view);
  return {
    ...counts,
    chunksWith: (term) => tallyOf(view, term, reader.postings('text', term), view.fileOfChunk).live,
    pathsWith: (term) => pathTerms.get(term)?.length ?? 0,
    contentsReferring: (name) => contentsReferring(reader, view, name),
  };
}
