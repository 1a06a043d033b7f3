/**
 * Joins trees of several stores into one view. Each tree becomes a folder with the name of its repository, and its
 * content rows, chunk ids and symbol ids are shifted behind those of the tree before it. A content of several
 * repositories is one content with several paths, as in a single repository.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { TreeInfo, TreeView } from '../store.ts';
import { groupByContent, mapToFiles } from '../trees/tree-view.ts';

export interface JoinedTree {
  /** The folder with which the tree's paths begin. */
  readonly name: string;
  readonly view: TreeView;
  /** The offsets of the tree's files, content rows, chunk ids and symbol ids. */
  readonly files: number;
  readonly rows: number;
  readonly chunks: number;
  readonly symbols: number;
  /** The tree's highest content row + 1. */
  readonly rowCount: number;
}

export interface NamedTree {
  readonly name: string;
  readonly view: TreeView;
}

/** Sorts the trees by their paths and computes their offsets. */
export function placeTrees<T extends NamedTree>(trees: readonly T[]): readonly (T & JoinedTree)[] {
  let [files, rows, chunks, symbols] = [0, 0, 0, 0];
  const ordered = [...trees].sort((a, b) => (`${a.name}/` < `${b.name}/` ? -1 : 1));
  return ordered.map((tree) => {
    const { view } = tree;
    const rowCount = view.contentOf.reduce((most, row) => Math.max(most, row + 1), 0);
    const placed = { ...tree, files, rows, chunks, symbols, rowCount };
    files += view.files.length;
    rows += rowCount;
    chunks += view.fileOfChunk.length;
    symbols += view.fileOfSymbol.length;
    return placed;
  });
}

/** The tree that a file index, content row, chunk id or symbol id of the joined view belongs to. */
export function treeOf<T extends JoinedTree>(
  trees: readonly T[],
  kind: 'files' | 'rows' | 'chunks' | 'symbols',
  number: number,
): T {
  let low = 0;
  let high = trees.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (trees[middle]![kind] <= number) low = middle;
    else high = middle - 1;
  }
  return trees[low]!;
}

type FileColumn = 'contentOf' | 'firstChunkOf' | 'storedChunkOf' | 'chunkCountOf' | 'firstSymbolOf' | 'symbolCountOf';

export function joinViews(trees: readonly JoinedTree[], root: string): TreeView {
  const files: FileEntry[] = trees.flatMap(({ name, view }) =>
    view.files.map((file) => ({ ...file, path: `${name}/${file.path}` })),
  );
  const perFile = (column: FileColumn, shift: (tree: JoinedTree) => number) => {
    const joined = new Int32Array(files.length);
    for (const tree of trees)
      for (let i = 0; i < tree.view.files.length; i++) joined[tree.files + i] = tree.view[column][i]! + shift(tree);
    return joined;
  };
  const columns = {
    contentOf: perFile('contentOf', ({ rows }) => rows),
    firstChunkOf: perFile('firstChunkOf', ({ chunks }) => chunks),
    storedChunkOf: perFile('storedChunkOf', ({ chunks }) => chunks),
    chunkCountOf: perFile('chunkCountOf', () => 0),
    firstSymbolOf: perFile('firstSymbolOf', ({ symbols }) => symbols),
    symbolCountOf: perFile('symbolCountOf', () => 0),
  };
  shareContents(files, columns);
  return {
    info: joinInfo(trees, root),
    files,
    partOf: (file) => trees.indexOf(treeOf(trees, 'files', file)),
    ...columns,
    fileOfChunk: mapToFiles(columns.firstChunkOf, columns.chunkCountOf, chunkCount(trees)),
    fileOfSymbol: mapToFiles(columns.firstSymbolOf, columns.symbolCountOf, symbolCount(trees)),
    ...chunkColumns(trees),
    ...lookups(trees, columns.contentOf),
  };
}

/** Gives all files with the same content the row and ids of the first of them. */
function shareContents(files: readonly FileEntry[], columns: Readonly<Record<FileColumn, Int32Array>>): void {
  const first = new Map<string, number>();
  for (let i = 0; i < files.length; i++) {
    const key = `${files[i]!.language} ${files[i]!.blobId}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, i);
    else for (const column of Object.values(columns)) column[i] = column[earlier]!;
  }
}

function chunkCount(trees: readonly JoinedTree[]): number {
  return trees.reduce((sum, { view }) => sum + view.fileOfChunk.length, 0);
}

function symbolCount(trees: readonly JoinedTree[]): number {
  return trees.reduce((sum, { view }) => sum + view.fileOfSymbol.length, 0);
}

function chunkColumns(trees: readonly JoinedTree[]) {
  const count = chunkCount(trees);
  const join = <T extends Uint8Array | Int8Array | Uint16Array | Int32Array>(
    joined: T,
    of: (view: TreeView) => T,
  ): T => {
    for (const { view, chunks } of trees) joined.set(of(view), chunks);
    return joined;
  };
  return {
    chunkType: join(new Uint8Array(count), (view) => view.chunkType),
    chunkStart: join(new Int32Array(count), (view) => view.chunkStart),
    chunkEnd: join(new Int32Array(count), (view) => view.chunkEnd),
    chunkSymbol: join(new Int32Array(count), (view) => view.chunkSymbol),
    chunkKind: join(new Int8Array(count), (view) => view.chunkKind),
    chunkDdd: join(new Uint8Array(count), (view) => view.chunkDdd),
    namesLength: join(new Uint16Array(count), (view) => view.namesLength),
    docsLength: join(new Uint16Array(count), (view) => view.docsLength),
    bodyLength: join(new Uint16Array(count), (view) => view.bodyLength),
  };
}

function lookups(trees: readonly JoinedTree[], contentOf: Int32Array) {
  const byName = new Map(trees.map((tree) => [tree.name, tree]));
  let sharing: Map<number, number[]> | null = null;
  const within = <T extends { readonly path: string }>(name: string, items: readonly T[]): T[] =>
    items.map((item) => ({ ...item, path: `${name}/${item.path}` }));
  return {
    indexOfPath(path: string): number {
      // A repository's name may contain slashes.
      for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        const tree = byName.get(path.slice(0, slash));
        const index = tree?.view.indexOfPath(path.slice(slash + 1)) ?? -1;
        if (index >= 0) return tree!.files + index;
      }
      return -1;
    },
    filesOfContent(row: number): readonly number[] {
      sharing ??= groupByContent(contentOf);
      return sharing.get(row) ?? [];
    },
    skipped: () => trees.flatMap(({ name, view }) => within(name, view.skipped())),
    problems: () => trees.flatMap(({ name, view }) => within(name, view.problems())),
  };
}

/** The joined `generation` grows whenever one of the trees is published. */
function joinInfo(trees: readonly JoinedTree[], root: string): TreeInfo {
  const sum = (of: (info: TreeInfo) => number) => trees.reduce((total, { view }) => total + of(view.info), 0);
  // Most vectors decide about the model. Trees with vectors of another model are found by terms only.
  const [most] = trees.map(({ view }) => view.info).sort((a, b) => b.vectorCount - a.vectorCount);
  return {
    root,
    ref: 'live',
    id: 0,
    generation: sum(({ generation }) => generation),
    branch: null,
    commit: null,
    publishedAtMs: trees.reduce((latest, { view }) => Math.max(latest, view.info.publishedAtMs), 0),
    durationMs: sum(({ durationMs }) => durationMs),
    modelId: most?.modelId ?? '',
    options: {},
    fileCount: sum(({ fileCount }) => fileCount),
    chunkCount: sum(({ chunkCount: count }) => count),
    symbolCount: sum(({ symbolCount: count }) => count),
    lineCount: sum(({ lineCount }) => lineCount),
    vectorCount: sum(({ vectorCount }) => vectorCount),
  };
}
