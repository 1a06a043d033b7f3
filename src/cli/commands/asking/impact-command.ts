import type { ImpactRequest } from '../../../model/records/impact.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PLACE_FLAGS, REF_FLAG, YES_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { impactJson, impactLines } from '../../render/impact-lines.ts';
import { FRESHNESS_FIELDS } from '../../render/location.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { targetOf } from '../../running/command-target.ts';
import { withIndex } from '../../running/index-first.ts';

export const impact = defineCommand({
  name: 'impact',
  group: 'ask',
  summary: 'Show what a change touches, who depends on it and which tests to run',
  details:
    'Without a target, the change is the work tree against HEAD, new files included. Dependants are exact, ' +
    'likely, ambiguous, or unresolved: places that contain the name without a hint of what it means. Tests are ' +
    'chosen by calls, imports, names and files that changed together before. A target needs no git.',
  operands: {
    target: {
      value: 'SYMBOL|FILE[:LINES]',
      rest: true,
      help: 'A symbol (name, qualified name or id), a file, or lines of it: FILE:10 or FILE:10-20',
    },
  },
  flags: {
    ...PLACE_FLAGS,
    ref: { ...REF_FLAG, help: 'Look for dependants and tests in this indexed branch, tag or commit' },
    diff: {
      kind: 'string',
      value: 'REV',
      help: 'The diff against REV; A..B and A...B for two revisions; REV^! for one commit',
    },
    staged: { kind: 'boolean', help: 'The staged changes' },
    tests: { kind: 'boolean', help: 'Print the command lines that run the tests, and nothing else' },
    all: { kind: 'boolean', help: 'List every symbol, dependant and test, not the first ones' },
    yes: YES_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant impact', meaning: 'of what you have changed' },
    { line: 'sextant impact --diff main', meaning: 'of everything since main' },
    { line: 'sextant impact AuthService.refresh', meaning: 'of a change you are about to make' },
    { line: 'sextant impact src/auth.ts:40-60', meaning: 'of these lines' },
    { line: 'sextant impact --workspace shop', meaning: 'across the repositories of a workspace' },
    { line: 'sh -c "$(sextant impact --staged --tests)"', meaning: 'run the tests before a commit' },
  ],
  json: [
    { field: 'change', meaning: 'description of the change: the target, the diff, or the work tree' },
    {
      field: 'files[]',
      meaning: 'changed files: path, old_path, status, module, is_test, remark (why nothing is known of its symbols)',
    },
    { field: 'more_files', meaning: 'number of further changed files that were not read' },
    {
      field: 'symbols[]',
      meaning:
        'touched symbols: symbol_id, name, kind, path, line, change (`changed`, `added`, `removed`, `named`), is_test',
    },
    { field: 'modules[].module', meaning: 'a module that depends on them, without tests' },
    {
      field: 'modules[].exact',
      meaning: 'places that use them for certain; likewise `likely`, `ambiguous`, `unresolved`',
    },
    { field: 'modules[].places[]', meaning: 'the first 50: uses, from, symbol_id, path, line, confidence, hop' },
    { field: 'tests[]', meaning: 'tests to run, in order: path, names (empty for the whole file), score, reasons' },
    { field: 'more_tests', meaning: 'number of further tests that may reach the change' },
    { field: 'suite_files', meaning: 'number of indexed test files' },
    { field: 'commands[]', meaning: 'command lines that run them: runner, line' },
    { field: 'companions[]', meaning: 'files that usually change with it: path, together, commits, with' },
    { field: 'commits_read', meaning: 'number of commits read for that' },
    { field: 'notices[]', meaning: 'reasons why the answer is incomplete' },
    { field: 'next_steps[]', meaning: 'what to do next' },
    ...FRESHNESS_FIELDS,
  ],
  async run({ flags, operands }, session) {
    const path = targetOf(session, flags);
    const { target } = operands;
    if (target !== undefined && (flags.diff !== undefined || flags.staged))
      throw new UsageError('A target and a diff are both named.', 'Name a target, or --diff or --staged.');
    const request: ImpactRequest = {
      ...(target !== undefined && { target }),
      ...(flags.diff !== undefined && { diff: flags.diff }),
      ...(flags.staged && { staged: true }),
      ...(flags.ref !== undefined && { ref: flags.ref }),
      signal: session.signal,
    };
    const engine = await session.engine(path);
    const answer = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, () =>
      engine.impact(path, request),
    );
    if (flags.tests && flags.format === undefined) {
      for (const { line } of answer.commands) session.terminal.out.write(`${line}\n`);
      if (answer.commands.length === 0) session.say('No test is known that tells something about this change.');
      return;
    }
    await printAnswer(session, flags.format, impactJson(answer), (screen) =>
      impactLines(answer, flags.all ?? false, screen),
    );
  },
});
