/**
 * A folder of a tree as a tree of its own, by paths from that folder: a package of a monorepo. Numbers of contents,
 * chunks and symbols stay those of the whole tree, as in two trees of one store; what lies outside has no file.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { TreeView } from '../store.ts';
import { groupByContent } from '../trees/tree-view.ts';

const kept = new WeakMap<TreeView, Map<string, TreeView>>();

/** The same view for the same folder of a tree. '' is the tree itself. */
export function subtreeOf(whole: TreeView, folder: string): TreeView {
  if (folder === '') return whole;
  const known = kept.get(whole) ?? new Map<string, TreeView>();
  kept.set(whole, known);
  const view = known.get(folder) ?? cutOut(whole, folder);
  known.set(folder, view);
  return view;
}

function cutOut(whole: TreeView, folder: string): TreeView {
  const start = `${folder}/`;
  const within = <T extends { readonly path: string }>(items: readonly T[]): T[] =>
    items
      .filter(({ path }) => path.startsWith(start))
      .map((item) => ({ ...item, path: item.path.slice(start.length) }));
  const kept = [...whole.files.keys()].filter((i) => whole.files[i]!.path.startsWith(start));
  const files: FileEntry[] = within(whole.files);
  const column = (of: Int32Array) => Int32Array.from(kept, (i) => of[i]!);
  const columns = {
    contentOf: column(whole.contentOf),
    firstChunkOf: column(whole.firstChunkOf),
    storedChunkOf: column(whole.storedChunkOf),
    chunkCountOf: column(whole.chunkCountOf),
    firstSymbolOf: column(whole.firstSymbolOf),
    symbolCountOf: column(whole.symbolCountOf),
  };
  const fileOfChunk = new Int32Array(whole.fileOfChunk.length).fill(-1);
  const fileOfSymbol = new Int32Array(whole.fileOfSymbol.length).fill(-1);
  // Backwards, so that the first path wins where several files have one content.
  for (let i = files.length - 1; i >= 0; i--) {
    fileOfChunk.fill(i, columns.firstChunkOf[i]!, columns.firstChunkOf[i]! + columns.chunkCountOf[i]!);
    fileOfSymbol.fill(i, columns.firstSymbolOf[i]!, columns.firstSymbolOf[i]! + columns.symbolCountOf[i]!);
  }
  const indexes = new Map(files.map(({ path }, i) => [path, i]));
  let sharing: Map<number, number[]> | null = null;
  return {
    ...whole,
    ...columns,
    info: cutInfo(whole, folder, files, columns),
    files,
    fileOfChunk,
    fileOfSymbol,
    indexOfPath: (path) => indexes.get(path) ?? -1,
    filesOfContent(row) {
      sharing ??= groupByContent(columns.contentOf);
      return sharing.get(row) ?? [];
    },
    skipped: () => within(whole.skipped()),
    problems: () => within(whole.problems()),
  };
}

function cutInfo(
  { info }: TreeView,
  folder: string,
  files: readonly FileEntry[],
  { chunkCountOf, symbolCountOf }: { readonly chunkCountOf: Int32Array; readonly symbolCountOf: Int32Array },
): TreeView['info'] {
  const sum = (counts: Int32Array) => counts.reduce((total, count) => total + count, 0);
  const chunkCount = sum(chunkCountOf);
  return {
    ...info,
    root: `${info.root}/${folder}`,
    fileCount: files.length,
    chunkCount,
    symbolCount: sum(symbolCountOf),
    lineCount: files.reduce((total, { lines }) => total + lines, 0),
    vectorCount: Math.min(info.vectorCount, chunkCount),
  };
}
