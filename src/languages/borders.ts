/** Lines at which a long definition may be split. */
import type { Node } from 'web-tree-sitter';

/** Definitions up to this many lines are never split. */
export const SPLIT_LINES = 60;
const MAX_BORDERS = 400;

/** Start lines of statements in a body; statements that are long themselves are opened in turn. */
export function bordersOf(body: Node, firstLine: number, lastLine: number): number[] {
  const lines = new Set<number>();
  addChildren(body, lines, 0);
  return [...lines].filter((line) => line > firstLine && line <= lastLine).sort((a, b) => a - b);
}

function addChildren(node: Node, lines: Set<number>, depth: number): void {
  if (depth > 12 || lines.size > MAX_BORDERS) return;
  for (const child of node.namedChildren) {
    if (!child || lines.size > MAX_BORDERS) return;
    const row = child.startPosition.row;
    lines.add(row + 1);
    if (child.endPosition.row - row > SPLIT_LINES) addChildren(child, lines, depth + 1);
  }
}
