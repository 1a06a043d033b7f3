import type { GrepAnswer, GrepMatch } from '../../../model/records/query.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PLACE_FLAGS } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { clip, printable, printableLine } from '../../render/terminal-text.ts';
import { count, duration, plural } from '../../render/units.ts';
import type { Screen } from '../../running/command-session.ts';
import { targetOf } from '../../running/command-target.ts';

export const grep = defineCommand({
  name: 'grep',
  group: 'ask',
  summary: 'Find lines by a regular expression in the files on disk',
  details:
    'Reads the files on disk, not the index, by the project’s ignore rules. A submodule, or another repository ' +
    'inside this one, is a project of its own. Files over 2 MB are searched if --glob is their path. The search ' +
    'is case-sensitive unless the pattern is all lower case. Lines are cut after 500 characters. The exit code is ' +
    '1 without a match, as with grep.',
  operands: { pattern: { value: 'PATTERN', required: true, help: 'Regular expression, or plain text with --literal' } },
  flags: {
    ...PLACE_FLAGS,
    glob: { kind: 'string', value: 'GLOB', help: 'Only files that match' },
    'case-sensitive': { kind: 'boolean', short: 's', help: 'Match case exactly' },
    'ignore-case': { kind: 'boolean', short: 'i', help: 'Ignore case' },
    literal: { kind: 'boolean', short: 'F', help: 'Treat the pattern as plain text' },
    context: { kind: 'integer', value: 'N', short: 'C', min: 0, max: 20, help: 'Lines around each match' },
    exclude: { kind: 'list', value: 'FOLDER', commas: true, help: 'Folders to exclude' },
    limit: { kind: 'integer', value: 'N', min: 1, max: 1000, help: 'Number of matches shown' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant grep "TODO|FIXME"', meaning: 'two words' },
    { line: 'sextant grep -i "authservice|AuthClient"', meaning: 'in any case' },
    { line: 'sextant grep --literal "a[0]" --glob "*.c"', meaning: 'plain text in C files' },
  ],
  json: [
    { field: 'matches[].path', meaning: 'file' },
    { field: 'matches[].line', meaning: 'line' },
    { field: 'matches[].column', meaning: 'column, from 1' },
    { field: 'matches[].text', meaning: 'the line' },
    { field: 'matches[].before[]', meaning: 'lines before it' },
    { field: 'matches[].after[]', meaning: 'lines after it' },
    { field: 'total_matches', meaning: 'all matches, shown or not' },
    { field: 'files_searched', meaning: 'files read' },
    { field: 'files_matched', meaning: 'files with a match' },
    { field: 'truncated', meaning: 'whether there are more than shown' },
    { field: 'duration_ms', meaning: 'time' },
  ],
  async run({ flags, operands }, session) {
    const path = targetOf(session, flags);
    const engine = await session.engine(path);
    const answer = await engine.grep(path, {
      pattern: operands.pattern,
      limit: flags.limit ?? 100,
      contextLines: flags.context ?? 0,
      caseSensitive: flags['case-sensitive'] ? true : flags['ignore-case'] ? false : 'smart',
      literal: flags.literal ?? false,
      signal: session.signal,
      ...(flags.glob === undefined ? {} : { filePattern: flags.glob }),
      ...(flags.exclude === undefined ? {} : { exclude: flags.exclude }),
    });
    const data = {
      matches: answer.matches.map(({ path: file, line, column, text, before, after }) => ({
        path: file,
        line,
        column,
        text,
        before,
        after,
      })),
      total_matches: answer.totalMatches,
      files_searched: answer.filesSearched,
      files_matched: answer.filesMatched,
      truncated: answer.truncated,
      duration_ms: answer.durationMs,
    };
    await printAnswer(session, flags.format, data, (screen) => render(answer, screen));
    // On a terminal the notice follows the matches; a pipe carries only matches and would look complete, so the notice
    // goes to standard error.
    if (answer.truncated && flags.format === undefined && !session.terminal.out.isTerminal)
      session.say(
        `${plural(answer.totalMatches, 'match', 'matches')}, ${count(answer.matches.length)} shown; --limit N ` +
          'shows more.',
      );
    if (answer.filesSearched === 0)
      session.say(flags.glob === undefined ? 'There was no file to look into.' : `No file matches ${flags.glob}.`);
    return answer.totalMatches > 0 ? 0 : 1;
  },
});

/**
 * In a pipe: path:line:column:text, and path-line-text for context lines, as grep prints them. On a terminal: grouped
 * by file.
 */
function render(answer: GrepAnswer, screen: Screen): string[] {
  const { style } = screen;
  if (!screen.isTerminal) return answer.matches.flatMap(pipedLines);
  const lines: string[] = [];
  let file = '';
  for (const match of answer.matches) {
    if (match.path !== file) {
      if (file) lines.push('');
      file = match.path;
      lines.push(style.cyan(printableLine(file)));
    }
    const width = Math.max(20, screen.columns - 8);
    const row = (line: number, text: string, mark: string) =>
      `${style.grey(`${String(line).padStart(5)}${mark}`)} ${clip(printable(text), width)}`;
    match.before.forEach((text, i) => {
      lines.push(row(match.line - match.before.length + i, text, '-'));
    });
    lines.push(row(match.line, match.text, ':'));
    match.after.forEach((text, i) => {
      lines.push(row(match.line + 1 + i, text, '-'));
    });
  }
  const more = answer.truncated ? `, ${count(answer.matches.length)} shown` : '';
  lines.push(
    '',
    style.grey(
      `${plural(answer.totalMatches, 'match', 'matches')} in ${plural(answer.filesMatched, 'file')}${more} · ` +
        `${duration(answer.durationMs)}`,
    ),
  );
  return lines;
}

function pipedLines(match: GrepMatch, index: number): string[] {
  const { line, column, text, before, after } = match;
  const path = printableLine(match.path);
  const around = (first: number) => (other: string, i: number) => `${path}-${first + i}-${printable(other)}`;
  const lines = [
    ...before.map(around(line - before.length)),
    `${path}:${line}:${column}:${printable(text)}`,
    ...after.map(around(line + 1)),
  ];
  return index > 0 && lines.length > 1 ? ['--', ...lines] : lines;
}
