/** docs/cli.md says what the records say. After a change: `UPDATE_DOCS=1 npm test -- parsing/reference`. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMMANDS } from '../commands/index.ts';
import { parseLine } from './parse-arguments.ts';
import { cliReference, GENERATED_FROM, unexplainedExits } from './reference.ts';

const page = new URL('../../../docs/cli.md', import.meta.url);

test('docs/cli.md is in step with the commands, settings and exit codes', () => {
  const text = readFileSync(page, 'utf8');
  const at = text.indexOf(GENERATED_FROM);
  const written = at < 0 ? text : text.slice(0, at);
  const expected = written + cliReference(COMMANDS);
  if (process.env.UPDATE_DOCS) writeFileSync(page, expected);
  assert.equal(readFileSync(page, 'utf8'), expected, 'run UPDATE_DOCS=1 npm test -- parsing/reference');
});

test('every exit code of the table of errors is explained', () => {
  assert.deepEqual(unexplainedExits(), []);
});

test('every example is a line that its own command accepts', () => {
  for (const command of COMMANDS)
    for (const { line } of command.examples) {
      const words = shellWords(line);
      if (words[0] !== 'sextant') continue;
      const parsed = parseLine(words.slice(1), COMMANDS);
      assert.equal(parsed.command?.name, command.name, line);
    }
});

test('names and short flags are unique, and every command has examples and a summary without a full stop', () => {
  const names = COMMANDS.map((c) => c.name);
  assert.equal(new Set(names).size, names.length);
  for (const command of COMMANDS) {
    assert.ok(command.examples.length > 0, command.name);
    assert.ok(!command.summary.endsWith('.'), command.name);
    const shorts = Object.values(command.flags).flatMap((flag) => flag.short ?? []);
    assert.equal(new Set([...shorts, 'h', 'v', 'q']).size, shorts.length + 3, command.name);
  }
});

/** Enough of a shell for the examples: quotes, redirections cut off. */
function shellWords(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]!);
  const redirect = words.indexOf('>');
  return redirect < 0 ? words : words.slice(0, redirect);
}
