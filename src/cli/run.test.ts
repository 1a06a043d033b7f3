/** Errors name commands as the user can type them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStyle } from './render/style.ts';
import { runCli } from './run.ts';
import type { Screen } from './running/command-session.ts';

async function errorsOf(launcher: string): Promise<string> {
  let written = '';
  const screen: Screen = {
    write: (text) => {
      written += text;
    },
    isTerminal: false,
    rewrites: false,
    columns: 80,
    cutAt: 80,
    width: 80,
    style: makeStyle(false),
  };
  const code = await runCli({
    argv: ['serch'],
    environment: {},
    version: () => '0',
    launcher,
    machine: { home: '/', platform: 'linux', environment: {}, node: 'node' },
    cwd: '/',
    dataFolder: '/none',
    signal: new AbortController().signal,
    hasInput: () => true,
    makeTerminal: () => ({
      out: screen,
      err: screen,
      interactive: false,
      confirm: () => Promise.resolve(false),
      readInput: () => Promise.resolve(''),
    }),
    makeOutside: () => assert.fail('a wrong command opens nothing'),
  });
  assert.equal(code, 2);
  return written;
}

test('started by npx, which installs no command, errors name npx', async () => {
  assert.match(
    await errorsOf('/home/u/.npm/_npx/1a/node_modules/sextant-mcp/bin/sextant'),
    /mean `npx sextant-mcp search`\?[\s\S]*Run `npx sextant-mcp help`/,
  );
  assert.match(
    await errorsOf('/usr/lib/node_modules/sextant-mcp/bin/sextant'),
    /mean `sextant search`\?[\s\S]*Run `sextant help`/,
  );
});
