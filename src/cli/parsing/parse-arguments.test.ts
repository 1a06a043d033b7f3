import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../model/records/engine-errors.ts';
import { COMMANDS } from '../commands/index.ts';
import { parseLine } from './parse-arguments.ts';

const parse = (...argv: string[]) => parseLine(argv, COMMANDS);
const refusal = (...argv: string[]): EngineError => {
  try {
    parse(...argv);
  } catch (error) {
    assert.ok(error instanceof EngineError);
    assert.equal(error.code, 'invalid_input');
    return error;
  }
  assert.fail(`accepted: ${argv.join(' ')}`);
};

test('the error for a command after -- says that it must come before', () => {
  assert.throws(() => parseLine(['--', 'search', 'x'], COMMANDS), {
    message: 'The command comes before --.',
    fix: 'Run `sextant search …`.',
  });
});

test('an empty value is refused unless the flag gives it a meaning', () => {
  assert.match(refusal('search', 'x', '--lang', '').message, /--lang needs a value/);
  assert.match(refusal('search', 'x', '--lang', ' , ').message, /--lang needs a value/);
  assert.equal(parse('memory', 'edit', 'rule-1', '--superseded-by', '').call.flags['superseded-by'], '');
});

test('flags may stand before, between and after words', () => {
  const { command, call, globals } = parse(
    '-v',
    'search',
    'retry',
    '--limit=3',
    'policy',
    '--lang',
    'go,rust',
    '--lang',
    'c',
  );
  assert.equal(command?.name, 'search');
  assert.equal(globals.verbose, true);
  assert.equal(call.operands.query, 'retry policy');
  assert.equal(call.flags.limit, 3);
  assert.deepEqual(call.flags.lang, ['go', 'rust', 'c']);
});

test('a flag of a command may stand before it, with its value', () => {
  for (const path of [['--path', 'p'], ['--path=p']])
    assert.equal(parse(...path, 'search', 'words').call.flags.path, 'p');
  const { command, call } = parse('-C', '2', '--format', 'json', '-F', 'grep', 'search');
  assert.equal(command?.name, 'grep');
  assert.deepEqual(call, {
    flags: { context: 2, format: 'json', literal: true },
    operands: { pattern: 'search' },
  });
  assert.match(refusal('--path', 'p', 'serch', '--limit', '3').message, /no command "serch".*sextant search/);
  assert.match(refusal('memory', 'lst', '--limit', '3').message, /no command "memory lst".*memory list/);
});

test('a global flag with a value may stand before the command', () => {
  const { command, globals } = parse('--config', 'search', 'status');
  assert.equal(command?.name, 'status');
  assert.equal(globals.config, 'search');
});

test('--no-NAME turns a negatable flag off, and only such a flag', () => {
  assert.equal(parse('search', 'x', '--no-tests').call.flags.tests, false);
  assert.equal(parse('search', 'x', '--tests').call.flags.tests, true);
  assert.equal(parse('search', 'x').call.flags.tests, undefined);
  assert.match(refusal('search', 'x', '--no-explain').message, /no flag "--no-explain"/);
});

test('words after -- are never flags', () => {
  assert.equal(parse('search', '--', '--help', '-x').call.operands.query, '--help -x');
  assert.equal(parse('grep', '--', '->next').call.operands.pattern, '->next');
});

test('short flags may be grouped; one with a value comes last', () => {
  const { call, globals } = parse('grep', 'x', '-vsC', '2');
  assert.deepEqual([globals.verbose, call.flags['case-sensitive'], call.flags.context], [true, true, 2]);
  assert.match(refusal('grep', 'x', '-Cs', '2').message, /must come last/);
});

test('a mistyped command or flag is answered with the nearest one', () => {
  assert.match(refusal('serch', 'x').message, /Did you mean `sextant search`\?/);
  assert.match(refusal('search', 'x', '--limt', '3').message, /Did you mean --limit\?/);
  assert.match(refusal('refs', 'lsit').message, /Did you mean `sextant refs list`\?/);
  assert.match(refusal('search', 'x', '--format', 'jsn').message, /one of human, json, toon.*Did you mean json\?/);
  assert.doesNotMatch(refusal('frobnicate').message, /Did you mean/);
});

test('a path may begin with ~, which the shell does not expand there', () => {
  const home = homedir();
  assert.equal(parseLine(['search', 'x', '--path=~/code'], COMMANDS).call.flags.path, join(home, 'code'));
  assert.equal(parseLine(['index', '~'], COMMANDS).call.operands.folder, join(home));
  assert.equal(parseLine(['search', '~/x', '--ref', '~/y'], COMMANDS).call.operands.query, '~/x');
  assert.equal(parseLine(['search', 'x', '--path', './~/x'], COMMANDS).call.flags.path, './~/x');
});

test('--path and --workspace are suggested for one another', () => {
  assert.match(refusal('sync', '--path', 'x').message, /Did you mean --workspace\?/);
  assert.match(refusal('status', '--workspace=y').message, /Did you mean --path\?/);
});

test('numbers outside their range and words that are no numbers are refused', () => {
  for (const value of ['0', '101', '-1', '1.5', '', ' ', 'ten', '1e9', 'Infinity', 'NaN'])
    assert.match(refusal('search', 'x', `--limit=${value}`).message, /--limit must be a whole number from 1 to 100/);
});

test('the error names a missing or superfluous operand', () => {
  assert.match(refusal('search').message, /QUERY is missing/);
  assert.match(refusal('search', 'x', '--path').message, /--path needs a value/);
  assert.match(refusal('search', 'x', '--path=').message, /--path needs a value/);
  assert.match(refusal('status', 'extra').message, /"extra"/);
  assert.match(refusal('search', 'x', '--explain=yes').message, /--explain takes no value/);
});

test('--help needs no operands', () => {
  assert.equal(parse('search', '--help').command?.name, 'search');
  assert.equal(parse('refs', '--help').prefix, 'refs');
  assert.equal(parse('--help').command, null);
});

test('names on Object.prototype are no flags', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    refusal('search', 'x', `--${name}`);
    refusal('search', 'x', `--no-${name}`);
    refusal(name);
  }
});

test('a huge argument is quoted in short', () => {
  assert.ok(refusal(`x${'y'.repeat(100_000)}`).message.length < 200);
  assert.ok(refusal('search', 'x', `--${'z'.repeat(100_000)}`).message.length < 200);
});

test('arbitrary words are parsed or refused with a message', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(...COMMANDS.flatMap((c) => [...c.name.split(' '), ...Object.keys(c.flags).map((f) => `--${f}`)])),
    fc.constantFrom('--', '-', '-v', '-vq', '--limit=3', '='),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
      try {
        parse(...argv);
      } catch (error) {
        assert.ok(error instanceof EngineError && error.code === 'invalid_input', String(error));
      }
    }),
    { numRuns: 500 },
  );
});
