/**
 * Runs a query over a tree within a deadline of CPU time and passes its matches on as they lie in the parser's memory.
 */
import { cpuMs } from '../../../model/runtime/cpu-time.ts';
import type { Grammar } from '../grammar/grammar.ts';
import { addressOf, NODE_WORDS, type SyntaxNode, type SyntaxTree } from '../grammar/syntax-node.ts';

/** Receives matches without an object for each: a file has tens of thousands. */
export interface MatchSink {
  /** A capture of the current match, in text order. `at`: the index of the node's words in the tree's memory. */
  capture(index: number, at: number): void;
  /** Ends the current match. */
  end(pattern: number, captureCount: number): void;
}

/** A predicate of the package (`#eq?`, `#match?`) reads only names and texts of captures. */
type TextPredicate = (captures: readonly { name: string; node: { text: string } }[]) => boolean;

const NO_LIMIT = 0xffffffff;

/** Returns the offset at which the time limit was reached, -1 if it was not. */
export function runQuery(
  grammar: Grammar,
  tree: SyntaxTree,
  root: SyntaxNode,
  text: string,
  deadlineMs: number,
  sink: MatchSink,
): number {
  const { runtime, buffer } = tree;
  let stoppedAt = -1;
  runtime.currentQueryProgressCallback = ({ currentOffset }) => {
    if (cpuMs() <= deadlineMs) return false;
    stoppedAt = currentOffset;
    return true;
  };
  root.pass();
  // The range arguments (points, offsets, containing ranges): zeros mean the whole tree.
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
  readMatches(grammar, tree, count, address >> 2, text, sink);
  runtime._free(address);
  return stoppedAt;
}

function readMatches(
  grammar: Grammar,
  tree: SyntaxTree,
  count: number,
  start: number,
  text: string,
  sink: MatchSink,
): void {
  const predicates = (grammar.query as unknown as { textPredicates: readonly (readonly TextPredicate[])[] })
    .textPredicates;
  let at = start;
  for (let i = 0; i < count; i++) {
    const heap = tree.runtime.HEAP32;
    const pattern = heap[at]!;
    const length = heap[at + 1]!;
    at += 2;
    const next = at + length * (1 + NODE_WORDS);
    if (predicates[pattern]!.length === 0 || holds(predicates[pattern]!, grammar, tree, at, length, text)) {
      for (let capture = at; capture < next; capture += 1 + NODE_WORDS) sink.capture(heap[capture]!, capture + 1);
      sink.end(pattern, length);
    }
    at = next;
  }
}

function holds(
  predicates: readonly TextPredicate[],
  grammar: Grammar,
  tree: SyntaxTree,
  at: number,
  length: number,
  text: string,
): boolean {
  const names = grammar.query.captureNames;
  const captures = Array.from({ length }, (_, i) => {
    const place = at + i * (1 + NODE_WORDS);
    const node = tree.read(place + 1)!;
    return {
      name: names[tree.runtime.HEAP32[place]!]!,
      node: { text: text.slice(node.startIndex, node.endIndex) },
    };
  });
  return predicates.every((predicate) => predicate(captures));
}
