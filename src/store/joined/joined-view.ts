/**
 * Trees of several stores as one tree: each lies in a folder of its own, named for its repository, and numbers of
 * contents, chunks and symbols are moved behind those of the tree before it. A content that several repositories hold
 * is one content at several paths, as it would be in one repository.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { TreeInfo, TreeView } from '../store.ts';
import { groupByContent } from '../trees/tree-view.ts';

export interface JoinedTree {
  /** The folder that the tree's paths begin with. */
  readonly name: string;
  readonly view: TreeView;
  /** The offset of the tree's own numbers. */
  readonly files: number;
  readonly rows: number;
  readonly chunks: number;
  readonly symbols: number;
  /** One more than the highest content row that the tree names. */
  readonly rowCount: number;
}

export interface NamedTree {
  readonly name: string;
  readonly view: TreeView;
}

/** In the order of their paths, with the places that their numbers get. */
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

/** The tree whose numbers of this kind the given one is among. */
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
  const fileOfChunk = new Int32Array(chunkCount(trees)).fill(-1);
  const fileOfSymbol = new Int32Array(symbolCount(trees)).fill(-1);
  // Backwards, so that the first path wins where several files have one content.
  for (let i = files.length - 1; i >= 0; i--) {
    fileOfChunk.fill(i, columns.firstChunkOf[i]!, columns.firstChunkOf[i]! + columns.chunkCountOf[i]!);
    fileOfSymbol.fill(i, columns.firstSymbolOf[i]!, columns.firstSymbolOf[i]! + columns.symbolCountOf[i]!);
  }
  return {
    info: joinInfo(trees, root),
    files,
    partOf: (file) => trees.indexOf(treeOf(trees, 'files', file)),
    ...columns,
    fileOfChunk,
    fileOfSymbol,
    ...chunkColumns(trees),
    ...lookups(trees, columns.contentOf),
  };
}

/** One content that several files have is the first one's. */
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
      // A repository's name may hold slashes.
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

/** `generation` grows when any of the trees is published anew. */
function joinInfo(trees: readonly JoinedTree[], root: string): TreeInfo {
  const sum = (of: (info: TreeInfo) => number) => trees.reduce((total, { view }) => total + of(view.info), 0);
  // Trees whose vectors another model made are found by words.
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
