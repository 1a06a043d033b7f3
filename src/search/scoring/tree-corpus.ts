/** Word statistics of one tree and of several trees together, in the form of the port CorpusStatistics. */
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

/** Merges corpora: sums counts and weighs averages by their counts. */
export function mergeCorpora(parts: readonly CorpusStatistics[]): CorpusStatistics {
  const sum = (of: (part: CorpusStatistics) => number) => parts.reduce((total, part) => total + of(part), 0);
  const files = sum((part) => part.files);
  const chunks = sum((part) => part.chunks);
  const perChunk = (field: 'body' | 'names' | 'docs') =>
    sum((part) => part.averageTerms[field] * part.chunks) / Math.max(1, chunks) || 1;
  const deepest = Math.max(0, ...parts.map(({ filesByDepth }) => filesByDepth.length));
  return {
    files,
    chunks,
    averageTerms: {
      body: perChunk('body'),
      names: perChunk('names'),
      docs: perChunk('docs'),
      file: sum((part) => part.averageTerms.file * part.files) / Math.max(1, files) || 1,
    },
    filesByDepth: Array.from({ length: deepest }, (_, depth) => sum((part) => part.filesByDepth[depth] ?? 0)),
    chunksWith: (term) => sum((part) => part.chunksWith(term)),
    pathsWith: (term) => sum((part) => part.pathsWith(term)),
    contentsReferring: (name) => sum((part) => part.contentsReferring(name)),
  };
}
