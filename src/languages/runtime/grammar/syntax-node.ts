/**
 * Nodes of a syntax tree, read directly from the parser's memory. web-tree-sitter's own Node objects take three
 * allocations for each capture and a slow copy for each question: reading a file took 3 to 12 % longer with them (Go
 * most). This code reads the same bytes through the same exported functions and so depends on the layout of the pinned
 * version: syntax-node.test.ts compares every answer with the package's own.
 */
import type { Language, Node, Tree } from 'web-tree-sitter';

/** The used parts of the Emscripten module, the object that is passed to `Parser.init`. */
export interface Runtime {
  HEAP32: Int32Array;
  currentQueryProgressCallback: ((state: { currentOffset: number }) => boolean) | null;
  /** Converts one of the package's nodes to words, where they do not come from the parser's memory. */
  wrap?(node: Node): readonly number[];
  _ts_init(): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _ts_query_new: (language: number, source: number, length: number, errorAt: number, error: number) => number;
  _ts_query_matches_wasm(query: number, tree: number, ...limits: number[]): void;
  _ts_node_end_index_wasm(tree: number): number;
  _ts_node_end_point_wasm(tree: number): void;
  _ts_node_symbol_wasm(tree: number): number;
  _ts_node_parent_wasm(tree: number): void;
  _ts_node_child_by_field_id_wasm(tree: number, field: number): void;
  _ts_node_named_children_wasm(tree: number): void;
  _ts_node_children_wasm(tree: number): void;
  _ts_node_has_error_wasm(tree: number): number;
  _ts_node_is_error_wasm(tree: number): number;
  _ts_node_is_missing_wasm(tree: number): number;
}

/** The package's objects have their address in wasm memory under the index 0. */
export function addressOf(object: object): number {
  return (object as { 0: number })[0];
}

/** The words of a node in memory: id, start, row, column, context. */
export const NODE_WORDS = 5;

export class SyntaxTree {
  readonly runtime: Runtime;
  readonly address: number;
  readonly types: readonly string[];
  /** The index in HEAP32 at which arguments are passed and nodes are returned. */
  readonly buffer: number;
  readonly bodyField: number;

  constructor(runtime: Runtime, buffer: number, tree: Tree, language: Language) {
    this.runtime = runtime;
    this.buffer = buffer;
    this.address = addressOf(tree);
    this.types = language.types;
    this.bodyField = language.fields.indexOf('body');
  }

  /** The node whose words begin at an index of HEAP32; null for none. */
  read(at: number): SyntaxNode | null {
    const heap = this.runtime.HEAP32;
    if (heap[at] === 0) return null;
    return new SyntaxNode(this, heap[at]!, heap[at + 1]!, heap[at + 2]!, heap[at + 3]!, heap[at + 4]!);
  }

  wrap(node: Node): SyntaxNode {
    const { row, column } = node.startPosition;
    const context = this.runtime.wrap?.(node)[NODE_WORDS - 1] ?? addressOf(node);
    return new SyntaxNode(this, node.id, node.startIndex, row, column, context);
  }
}

export class SyntaxNode {
  readonly tree: SyntaxTree;
  readonly id: number;
  readonly startIndex: number;
  readonly row: number;
  readonly column: number;
  private readonly context: number;
  private end = -1;

  constructor(tree: SyntaxTree, id: number, startIndex: number, row: number, column: number, context: number) {
    this.tree = tree;
    this.id = id;
    this.startIndex = startIndex;
    this.row = row;
    this.column = column;
    this.context = context;
  }

  get endIndex(): number {
    if (this.end < 0) {
      this.pass();
      this.end = this.tree.runtime._ts_node_end_index_wasm(this.tree.address);
    }
    return this.end;
  }

  get endRow(): number {
    this.pass();
    this.tree.runtime._ts_node_end_point_wasm(this.tree.address);
    return this.tree.runtime.HEAP32[this.tree.buffer]!;
  }

  get type(): string {
    this.pass();
    return this.tree.types[this.tree.runtime._ts_node_symbol_wasm(this.tree.address)] ?? 'ERROR';
  }

  /** Searched from the root down, so not for long chains. */
  get parent(): SyntaxNode | null {
    this.pass();
    this.tree.runtime._ts_node_parent_wasm(this.tree.address);
    return this.tree.read(this.tree.buffer);
  }

  /** The child in the field `body`. */
  get body(): SyntaxNode | null {
    if (this.tree.bodyField < 0) return null;
    this.pass();
    this.tree.runtime._ts_node_child_by_field_id_wasm(this.tree.address, this.tree.bodyField);
    return this.tree.read(this.tree.buffer);
  }

  get namedChildren(): SyntaxNode[] {
    this.pass();
    this.tree.runtime._ts_node_named_children_wasm(this.tree.address);
    return this.returnedList();
  }

  get children(): SyntaxNode[] {
    this.pass();
    this.tree.runtime._ts_node_children_wasm(this.tree.address);
    return this.returnedList();
  }

  /** The node, or one below it, has a syntax error. */
  get hasError(): boolean {
    this.pass();
    return this.tree.runtime._ts_node_has_error_wasm(this.tree.address) === 1;
  }

  get isError(): boolean {
    this.pass();
    return this.tree.runtime._ts_node_is_error_wasm(this.tree.address) === 1;
  }

  get isMissing(): boolean {
    this.pass();
    return this.tree.runtime._ts_node_is_missing_wasm(this.tree.address) === 1;
  }

  private returnedList(): SyntaxNode[] {
    const { runtime, buffer } = this.tree;
    const count = runtime.HEAP32[buffer]!;
    if (count === 0) return [];
    const address = runtime.HEAP32[buffer + 1]!;
    const children: SyntaxNode[] = [];
    for (let i = 0; i < count; i++) children.push(this.tree.read((address >> 2) + i * NODE_WORDS)!);
    runtime._free(address);
    return children;
  }

  /** Writes the node to the place where the next call expects it. */
  pass(): void {
    const heap = this.tree.runtime.HEAP32;
    const at = this.tree.buffer;
    heap[at] = this.id;
    heap[at + 1] = this.startIndex;
    heap[at + 2] = this.row;
    heap[at + 3] = this.column;
    heap[at + 4] = this.context;
  }
}
