/** The syntax errors of a tree, as lines for people. */

import type { ParseProblem } from '../../../model/records/symbol.ts';
import { cpuMs } from '../../../model/runtime/cpu-time.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';
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

/** Visits only nodes that the tree marks as erroneous. */
export function syntaxProblems(root: SyntaxNode, text: string): SyntaxProblems {
  const deadline = cpuMs() + BUDGET_MS;
  const problems: ParseProblem[] = [];
  const broken: LineRange[] = [];
  let lastLine = 0;
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const missing = node.isMissing;
    if (missing || node.isError) {
      const line = node.row + 1;
      // The construct that a missing bracket should have closed may have swallowed definitions.
      const lost = missing ? (node.parent ?? node) : node;
      if (broken.length < MAX_RANGES) broken.push({ from: lost.row + 1, to: lost.endRow + 1 });
      if (problems.length < MAX_PROBLEMS && line !== lastLine) {
        lastLine = line;
        const message = missing
          ? `syntax error: "${node.type}" is missing`
          : `syntax error near ${excerptAt(text, node.startIndex)}`;
        problems.push({ line, message });
      }
    }
    if (cpuMs() > deadline || (broken.length === MAX_RANGES && problems.length === MAX_PROBLEMS)) break;
    const { children } = node;
    for (let i = children.length - 1; i >= 0; i--) if (children[i]!.hasError) open.push(children[i]!);
  }
  if (problems.length === 0) problems.push({ line: 1, message: 'syntax error' });
  return { problems, broken };
}

function excerptAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const line = text.slice(offset, Math.min(end < 0 ? text.length : end, offset + MAX_EXCERPT)).trim();
  return line ? `"${line}"` : 'the end of the line';
}
