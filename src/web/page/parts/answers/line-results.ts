/** Groups matching lines into results: matches whose context lines touch are one result. */
import type { GrepMatch } from '../../../../model/records/query.ts';
import { languageOf } from '../../data/language-of.ts';
import type { Result } from '../../data/result.ts';

interface Block {
  readonly path: string;
  readonly startLine: number;
  readonly lines: string[];
  readonly pointed: number[];
}

/** `matches` must be grouped by file and sorted by line. */
export function lineResults(matches: readonly GrepMatch[]): Result[] {
  const blocks: Block[] = [];
  for (const { path, line, text, before, after } of matches) {
    const startLine = line - before.length;
    const last = blocks.at(-1);
    const end = last && last.path === path ? last.startLine + last.lines.length : 0;
    if (last && startLine <= end && line >= last.startLine) {
      // The context after the last match may contain this match and its context.
      last.lines.splice(startLine - last.startLine, last.lines.length, ...before, text, ...after);
      last.pointed.push(line);
    } else blocks.push({ path, startLine, lines: [...before, text, ...after], pointed: [line] });
  }
  return blocks.map(({ path, startLine, lines, pointed }) => ({
    key: `${path}:${startLine}`,
    path,
    startLine: pointed[0]!,
    endLine: pointed.at(-1)!,
    language: languageOf(path),
    name: '',
    kind: '',
    symbolId: '',
    score: null,
    parts: [{ startLine, content: lines.join('\n') }],
    pointed,
    isTest: false,
    isOverview: false,
  }));
}
