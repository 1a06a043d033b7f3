import type { CommitsAnswer } from '../../../model/records/history.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PLACE_FLAGS } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { untrustedNotes } from '../../render/untrusted-note.ts';
import type { Screen } from '../../running/command-session.ts';
import { targetOf } from '../../running/command-target.ts';

/** Lines shown of each message; messages are shown for the newest commits only. */
const MAX_BODY_LINES = 6;
const MAX_COMMITS_WITH_BODY = 5;

export const history = defineCommand({
  name: 'history',
  group: 'ask',
  summary: 'List the commits that changed a symbol or lines, or that mention something',
  details:
    'A symbol and lines are followed through history as by git log -L. Words are searched in messages, and a ' +
    'single word in diffs, too. A call reads for a few seconds and saves its progress; the next call continues.',
  operands: {
    query: {
      value: 'SYMBOL|FILE[:LINES]|WORDS',
      required: true,
      rest: true,
      help: 'A symbol, lines of a file, or words',
    },
  },
  flags: {
    ...PLACE_FLAGS,
    limit: { kind: 'integer', value: 'N', min: 1, max: 200, help: 'Number of commits' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant history AuthService.refresh', meaning: 'the commits that changed this method' },
    { line: 'sextant history src/auth.ts:40-60', meaning: 'and these lines' },
    { line: 'sextant history "retry budget"', meaning: 'commits that speak of it' },
  ],
  json: [
    { field: 'subject', meaning: 'what was searched for' },
    { field: 'commits[].repository', meaning: 'in a workspace: the commit’s repository' },
    { field: 'commits[].id', meaning: 'commit' },
    { field: 'commits[].date_ms', meaning: 'commit date, in milliseconds since 1970' },
    { field: 'commits[].subject', meaning: 'first line of its message' },
    { field: 'commits[].body', meaning: 'the rest of its message' },
    { field: 'commits[].is_merge', meaning: 'whether it joins branches' },
    { field: 'commits[].found', meaning: '`lines` (it changed them), `message` or `diff`' },
    { field: 'is_complete', meaning: 'false if the time limit was reached: the next call continues' },
    { field: 'commits_read', meaning: 'commits whose messages were read' },
    { field: 'notices[]', meaning: 'reasons why the answer is incomplete' },
  ],
  async run({ flags, operands }, session) {
    const path = targetOf(session, flags);
    const engine = await session.engine(path);
    const answer = await engine.commits(path, {
      query: operands.query,
      signal: session.signal,
      ...(flags.limit !== undefined && { limit: flags.limit }),
    });
    await printAnswer(session, flags.format, commitsJson(answer), (screen) => render(answer, screen));
    const shown = answer.commits.map(({ id, subject, body }) => ({
      path: `commit ${id.slice(0, 12)}`,
      startLine: 1,
      content: `${subject}\n\n${body}`,
    }));
    for (const note of await untrustedNotes(shown)) session.say(note);
  },
});

function render({ subject, commits, notices }: CommitsAnswer, { style }: Screen): string[] {
  if (commits.length === 0) return [`No commit is known for ${printableLine(subject)}.`, ...notices];
  const lines = [style.bold(printableLine(subject))];
  commits.forEach(({ id, dateMs, subject: title, body, found, repository }, i) => {
    const date = new Date(dateMs).toISOString().slice(0, 10);
    const of = repository === undefined ? '' : style.grey(`${printableLine(repository)}  `);
    const how = found === 'lines' ? '' : style.grey(`  ${found}`);
    lines.push(`${style.yellow(id.slice(0, 12))} ${style.grey(date)}  ${of}${printableLine(title)}${how}`);
    const bodyLines = body.split('\n').filter((line) => line.trim() !== '');
    if (i < MAX_COMMITS_WITH_BODY)
      lines.push(...bodyLines.slice(0, MAX_BODY_LINES).map((line) => `    ${printableLine(line)}`));
  });
  return [...lines, ...notices.map((notice) => style.yellow(notice))];
}

function commitsJson({ subject, commits, isComplete, commitsRead, notices }: CommitsAnswer) {
  return {
    subject,
    commits: commits.map(({ dateMs, isMerge, ...commit }) => ({ ...commit, date_ms: dateMs, is_merge: isMerge })),
    is_complete: isComplete,
    commits_read: commitsRead,
    notices,
  };
}
