/** Runs a query over a tree within a deadline and reads its matches from the parser's memory. */
import type { Grammar } from './grammar.ts';
import { addressOf, NODE_WORDS, type SyntaxNode, type SyntaxTree } from './syntax-node.ts';

export interface Match {
  readonly pattern: number;
  /** Capture indices and their nodes, in the order of the text. */
  readonly captures: readonly number[];
  readonly nodes: readonly SyntaxNode[];
}

/** A predicate of the package (`#eq?`, `#match?`) looks at names and texts of captures only. */
type TextPredicate = (captures: readonly { name: string; node: { text: string } }[]) => boolean;

const NO_LIMIT = 0xffffffff;

export function runQuery(
  grammar: Grammar,
  tree: SyntaxTree,
  root: SyntaxNode,
  text: string,
  deadlineMs: number,
): { matches: Match[]; stoppedAt: number } {
  const { runtime, buffer } = tree;
  let stoppedAt = -1;
  runtime.currentQueryProgressCallback = ({ currentOffset }) => {
    if (performance.now() <= deadlineMs) return false;
    stoppedAt = currentOffset;
    return true;
  };
  root.pass();
  // Ranges in points, offsets and containing forms: all zero is the whole tree.
  runtime._ts_query_matches_wasm(
    addressOf(grammar.query),
    tree.address,
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    NO_LIMIT,
    NO_LIMIT,
  );
  runtime.currentQueryProgressCallback = null;
  const count = runtime.HEAP32[buffer]!;
  const address = runtime.HEAP32[buffer + 1]!;
  const matches = readMatches(grammar, tree, count, address >> 2, text);
  runtime._free(address);
  return { matches, stoppedAt };
}

function readMatches(grammar: Grammar, tree: SyntaxTree, count: number, start: number, text: string): Match[] {
  const predicates = (grammar.query as unknown as { textPredicates: readonly (readonly TextPredicate[])[] })
    .textPredicates;
  const names = grammar.query.captureNames;
  const matches: Match[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    const heap = tree.runtime.HEAP32;
    const pattern = heap[at]!;
    const length = heap[at + 1]!;
    at += 2;
    const captures: number[] = [];
    const nodes: SyntaxNode[] = [];
    for (let k = 0; k < length; k++) {
      captures.push(heap[at]!);
      nodes.push(tree.read(at + 1)!);
      at += 1 + NODE_WORDS;
    }
    const match = { pattern, captures, nodes };
    if (predicates[pattern]!.length === 0 || holds(predicates[pattern]!, match, names, text)) matches.push(match);
  }
  return matches;
}

function holds(predicates: readonly TextPredicate[], match: Match, names: readonly string[], text: string): boolean {
  const captures = match.nodes.map((node, i) => ({
    name: names[match.captures[i]!]!,
    node: { text: text.slice(node.startIndex, node.endIndex) },
  }));
  return predicates.every((predicate) => predicate(captures));
}
