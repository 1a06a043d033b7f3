/**
 * Scripts are checked by the shells themselves where they are installed; their words against the records everywhere.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS } from '../commands/index.ts';
import { completionScript, SHELLS } from './completions.ts';

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

for (const shell of SHELLS) {
  const script = completionScript(shell, COMMANDS);

  test(`${shell}: every command and flag is in the script`, () => {
    for (const command of COMMANDS) {
      for (const word of command.name.split(' ')) assert.ok(script.includes(word), word);
      for (const flag of Object.keys(command.flags))
        assert.ok(script.includes(shell === 'fish' ? `-l ${flag}` : `--${flag}`), `${command.name} --${flag}`);
    }
  });

  test(`${shell}: the shell accepts it`, { skip: !has(shell) }, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
}

test('bash completes commands, subcommands, flags and values', { skip: !has('bash') }, () => {
  const complete = (...words: string[]): string[] => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _sextant; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  };
  assert.deepEqual(complete('sextant', 'sea'), ['search']);
  assert.deepEqual(complete('sextant', 'refs', 'l'), ['list']);
  assert.deepEqual(complete('sextant', 'search', 'x', '--exp'), ['--expand', '--explain']);
  assert.deepEqual(complete('sextant', 'search', 'x', '--format', ''), ['human', 'json', 'toon']);
  assert.deepEqual(complete('sextant', 'search', 'x', '--format', '='), ['human', 'json', 'toon']);
  assert.deepEqual(complete('sextant', 'search', 'x', '--format', '=', 'j'), ['json']);
  assert.deepEqual(complete('sextant', 'completions', 'z'), ['zsh']);
  assert.deepEqual(complete('sextant', '--config', 'x', 'ind'), ['index']);
  assert.deepEqual(complete('sextant', '--config', '=', 'x', 'ind'), ['index']);
  assert.deepEqual(complete('sextant', '--config', 'x', 'memory', 'imp'), ['import']);
  assert.deepEqual(complete('sextant', 'help', 'mem'), ['memory']);
  assert.deepEqual(complete('sextant', 'help', 'conf'), ['configuration']);
  assert.deepEqual(complete('sextant', 'search', 'x', '--kind', 'me'), ['method']);
  assert.deepEqual(complete('sextant', 'search', 'x', '--lang', ''), []);
});

test('zsh: saved in a folder of $fpath the script completes at the first call, sourced it registers itself', () => {
  const script = completionScript('zsh', COMMANDS);
  assert.match(
    script,
    /if \[\[ \$funcstack\[1\] == _sextant \]\]; then _sextant "\$@"; else compdef _sextant sextant; fi\n$/,
  );
  assert.match(script, /'eval'\) .*':file:_files'/);
});
