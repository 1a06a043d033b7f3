/** Syntax errors of a tree, as lines that a person can look at. */
import type { Tree } from 'web-tree-sitter';
import type { ParseProblem } from '../model/symbol.ts';
import type { Grammar } from './grammar.ts';
import type { LineRange } from './recover.ts';

const MAX_PROBLEMS = 20;
const MAX_RANGES = 200;
const MAX_EXCERPT = 40;
const BUDGET_MS = 300;

export interface SyntaxProblems {
  readonly problems: ParseProblem[];
  /** Lines of error nodes. */
  readonly broken: LineRange[];
}

export function syntaxProblems(grammar: Grammar, tree: Tree, text: string): SyntaxProblems {
  const deadline = performance.now() + BUDGET_MS;
  const matches = grammar.errors.matches(tree.rootNode, { progressCallback: () => performance.now() > deadline });
  const problems: ParseProblem[] = [];
  const broken: LineRange[] = [];
  let lastLine = 0;
  for (const { captures } of matches) {
    const { name, node } = captures[0]!;
    const line = node.startPosition.row + 1;
    if (name === 'error' && broken.length < MAX_RANGES) broken.push({ from: line, to: node.endPosition.row + 1 });
    if (problems.length === MAX_PROBLEMS) continue;
    if (line === lastLine) continue;
    lastLine = line;
    const message =
      name === 'missing'
        ? `syntax error: "${node.type}" is missing`
        : `syntax error near ${excerptAt(text, node.startIndex)}`;
    problems.push({ line, message });
  }
  if (problems.length === 0) problems.push({ line: 1, message: 'syntax error' });
  return { problems, broken };
}

function excerptAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const line = text.slice(offset, Math.min(end < 0 ? text.length : end, offset + MAX_EXCERPT)).trim();
  return line ? `"${line}"` : 'the end of the line';
}
