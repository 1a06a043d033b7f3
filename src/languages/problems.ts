/** Syntax errors of a tree, as lines that a person can look at. */
import type { Tree } from 'web-tree-sitter';
import type { ParseProblem } from '../model/symbol.ts';
import type { Grammar } from './grammar.ts';

const MAX_PROBLEMS = 20;
const MAX_EXCERPT = 40;
const BUDGET_MS = 300;

export function syntaxProblems(grammar: Grammar, tree: Tree, text: string): ParseProblem[] {
  const deadline = performance.now() + BUDGET_MS;
  const matches = grammar.errors.matches(tree.rootNode, { progressCallback: () => performance.now() > deadline });
  const problems: ParseProblem[] = [];
  let lastLine = 0;
  for (const { captures } of matches) {
    const { name, node } = captures[0]!;
    const line = node.startPosition.row + 1;
    if (line === lastLine) continue;
    lastLine = line;
    const message =
      name === 'missing'
        ? `syntax error: "${node.type}" is missing`
        : `syntax error near ${excerptAt(text, node.startIndex)}`;
    problems.push({ line, message });
    if (problems.length === MAX_PROBLEMS) break;
  }
  if (problems.length === 0) problems.push({ line: 1, message: 'syntax error' });
  return problems;
}

function excerptAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const line = text.slice(offset, Math.min(end < 0 ? text.length : end, offset + MAX_EXCERPT)).trim();
  return line ? `"${line}"` : 'the end of the line';
}
