/**
 * Makes a view of one folder of a tree, such as a package of a monorepo, with paths relative to the folder. Content
 * rows, chunk ids and symbol ids are those of the whole tree; ids outside of the folder have no file.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { TreeView } from '../store.ts';
import { groupByContent, mapToFiles } from '../trees/tree-view.ts';

const subtrees = new WeakMap<TreeView, Map<string, TreeView>>();

/** The view of a folder, cached as long as the whole view lives. '' is the whole tree. */
export function subtreeOf(whole: TreeView, folder: string): TreeView {
  if (folder === '') return whole;
  const known = subtrees.get(whole) ?? new Map<string, TreeView>();
  subtrees.set(whole, known);
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
  const indexes = [...whole.files.keys()].filter((i) => whole.files[i]!.path.startsWith(start));
  const files: FileEntry[] = within(whole.files);
  const column = (of: Int32Array) => Int32Array.from(indexes, (i) => of[i]!);
  const columns = {
    contentOf: column(whole.contentOf),
    firstChunkOf: column(whole.firstChunkOf),
    storedChunkOf: column(whole.storedChunkOf),
    chunkCountOf: column(whole.chunkCountOf),
    firstSymbolOf: column(whole.firstSymbolOf),
    symbolCountOf: column(whole.symbolCountOf),
  };
  const indexOf = new Map(files.map(({ path }, i) => [path, i]));
  let sharing: Map<number, number[]> | null = null;
  return {
    ...whole,
    ...columns,
    info: cutInfo(whole, folder, files, columns),
    files,
    fileOfChunk: mapToFiles(columns.firstChunkOf, columns.chunkCountOf, whole.fileOfChunk.length),
    fileOfSymbol: mapToFiles(columns.firstSymbolOf, columns.symbolCountOf, whole.fileOfSymbol.length),
    indexOfPath: (path) => indexOf.get(path) ?? -1,
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
