/**
 * The fall-back of syntax-node.ts: the same interface over web-tree-sitter's own nodes, for a version of the package
 * with another memory layout. It is slower and depends on no layout: it writes nodes and matches into an array of its
 * own, in the form that our readers expect.
 */
import type { Node, Query, Tree } from 'web-tree-sitter';
import { NODE_WORDS, type Runtime } from './syntax-node.ts';

/** Words at the start of the array that carry arguments and results. */
const BUFFER_WORDS = 16;
export const PACKAGE_BUFFER = 0;

export class PackageRuntime implements Runtime {
  HEAP32 = new Int32Array(1024);
  currentQueryProgressCallback: Runtime['currentQueryProgressCallback'] = null;
  readonly #query: Query;
  readonly #tree: Tree;
  readonly #nodes: Node[] = [];
  #used = BUFFER_WORDS;

  constructor(query: Query, tree: Tree) {
    this.#query = query;
    this.#tree = tree;
  }

  _ts_init(): number {
    return PACKAGE_BUFFER;
  }

  _malloc(): number {
    throw new Error('Nothing is stored in this runtime.');
  }

  /** Nothing to free: the array is dropped with the file. */
  _free(): void {}

  _ts_query_new = (): number => {
    throw new Error('Queries are compiled by the package.');
  };

  _ts_query_matches_wasm(): void {
    const onProgress = this.currentQueryProgressCallback;
    const matches = this.#query.matches(
      this.#tree.rootNode,
      onProgress ? { progressCallback: ({ currentOffset }) => onProgress({ currentOffset }) } : {},
    );
    const captureIndex = new Map(this.#query.captureNames.map((name, index) => [name, index]));
    const start = this.#used;
    for (const { patternIndex, captures } of matches) {
      this.#push(patternIndex, captures.length);
      for (const { name, node } of captures) this.#push(captureIndex.get(name)!, ...this.#wordsOf(node));
    }
    this.#answer(matches.length, start * 4);
  }

  _ts_node_end_index_wasm(): number {
    return this.#passed.endIndex;
  }

  _ts_node_end_point_wasm(): void {
    const { row, column } = this.#passed.endPosition;
    this.#answer(row, column);
  }

  _ts_node_symbol_wasm(): number {
    return this.#passed.typeId;
  }

  _ts_node_parent_wasm(): void {
    this.#answerNode(this.#passed.parent);
  }

  _ts_node_child_by_field_id_wasm(_tree: number, field: number): void {
    this.#answerNode(this.#passed.childForFieldId(field));
  }

  _ts_node_named_children_wasm(): void {
    this.#answerList(this.#passed.namedChildren);
  }

  _ts_node_children_wasm(): void {
    this.#answerList(this.#passed.children);
  }

  _ts_node_has_error_wasm(): number {
    return Number(this.#passed.hasError);
  }

  _ts_node_is_error_wasm(): number {
    return Number(this.#passed.isError);
  }

  _ts_node_is_missing_wasm(): number {
    return Number(this.#passed.isMissing);
  }

  /** The words of a node; the last is the index of the package's node. */
  wrap(node: Node): readonly number[] {
    return this.#wordsOf(node);
  }

  get #passed(): Node {
    return this.#nodes[this.HEAP32[PACKAGE_BUFFER + NODE_WORDS - 1]!]!;
  }

  #wordsOf(node: Node): [number, number, number, number, number] {
    const { row, column } = node.startPosition;
    return [node.id, node.startIndex, row, column, this.#nodes.push(node) - 1];
  }

  #answer(...words: readonly number[]): void {
    this.HEAP32.set(words, PACKAGE_BUFFER);
  }

  #answerNode(node: Node | null): void {
    this.#answer(...(node ? this.#wordsOf(node) : [0, 0, 0, 0, 0]));
  }

  #answerList(nodes: readonly (Node | null)[]): void {
    const start = this.#used;
    for (const node of nodes) if (node) this.#push(...this.#wordsOf(node));
    this.#answer((this.#used - start) / NODE_WORDS, start * 4);
  }

  #push(...words: readonly number[]): void {
    if (this.#used + words.length > this.HEAP32.length) {
      const grown = new Int32Array(this.HEAP32.length * 2);
      grown.set(this.HEAP32);
      this.HEAP32 = grown;
    }
    this.HEAP32.set(words, this.#used);
    this.#used += words.length;
  }
}
