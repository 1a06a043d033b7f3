/** Lines at which a long definition may be split. */
import type { SyntaxNode } from '../grammar/syntax-node.ts';

/** Definitions up to this many lines are never split. */
export const SPLIT_LINES = 60;
const MAX_BORDERS = 400;

/** Start lines of the statements of a body. A long statement is replaced by its own statements. */
export function bordersOf(body: SyntaxNode, firstLine: number, lastLine: number): number[] {
  const lines = new Set<number>();
  addChildren(body, lines, 0);
  return [...lines].filter((line) => line > firstLine && line <= lastLine).sort((a, b) => a - b);
}

function addChildren(node: SyntaxNode, lines: Set<number>, depth: number): void {
  if (depth > 12 || lines.size > MAX_BORDERS) return;
  for (const child of node.namedChildren) {
    if (lines.size > MAX_BORDERS) return;
    const { row } = child;
    lines.add(row + 1);
    if (child.endRow - row > SPLIT_LINES) addChildren(child, lines, depth + 1);
  }
}
