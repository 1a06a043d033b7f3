import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { makeStyle } from '../render/style.ts';
import { connectLines, shellWord } from './connect.ts';

const connection = {
  url: 'http://127.0.0.1:7420/mcp',
  launcher: '/opt/a b/bin/sextant',
  workspace: '/w',
  tokenFile: null,
};
const lines = (tokenFile: string | null) => connectLines({ ...connection, tokenFile }, makeStyle(false));

test('the lines say where they belong, and hold what each client reads', () => {
  const text = lines(null);
  assert.ok(text.includes("Claude Code  in the project's folder"));
  assert.ok(text.includes('  claude mcp add --transport http sextant http://127.0.0.1:7420/mcp'));
  const cursor = text[text.findIndex((line) => line.startsWith('Cursor')) + 1]!;
  assert.deepEqual(JSON.parse(cursor), { mcpServers: { sextant: { url: connection.url } } });
  assert.ok(text.includes("  node '/opt/a b/bin/sextant' serve-mcp --workspace /w"));
  assert.ok(!text.join('\n').includes('TOKEN'));
});

test('with a token they say where it comes from, and never what it is', () => {
  const text = lines("/home/o'neil/token").join('\n');
  assert.match(text, /export SEXTANT_TOKEN="\$\(cat '\/home\/o'\\''neil\/token'\)"/);
  assert.match(text, /--header "Authorization: Bearer \$SEXTANT_TOKEN"/);
  assert.match(text, /bearer_token_env_var = "SEXTANT_TOKEN"/);
  assert.match(text, /"Bearer \$\{env:SEXTANT_TOKEN\}"/);
});

test('a word survives the shell', { skip: process.platform === 'win32' }, () => {
  for (const word of ['plain/path-1.ts', 'a b', `it's "$HOME" \`x\` \\`, 'ü', '*', '~/x', ''])
    assert.equal(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' }), word);
});
