import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { makeStyle } from '../render/style.ts';
import { type ConnectionToken, connectLines, pageAddress, shellWord } from './connect.ts';

const connection = {
  url: 'http://127.0.0.1:7420/mcp',
  launcher: '/opt/a b/bin/sextant',
  workspace: '/w',
};
const lines = (token: ConnectionToken | null) => connectLines({ ...connection, token }, makeStyle(false));
const SECRET = 'a-secret_of-some-length';

test("connection lines say where they belong, and have each client's form", () => {
  const text = lines(null);
  assert.ok(text.includes("Claude Code  in the project's folder"));
  assert.ok(text.includes('  claude mcp add --transport http sextant http://127.0.0.1:7420/mcp'));
  const cursor = text[text.findIndex((line) => line.startsWith('Cursor')) + 1]!;
  assert.deepEqual(JSON.parse(cursor), { mcpServers: { sextant: { url: connection.url } } });
  assert.ok(text.includes("  node '/opt/a b/bin/sextant' serve-mcp --workspace /w"));
  assert.ok(!text.join('\n').includes('TOKEN'));
});

test('connection lines that may be logged do not contain the token', () => {
  const token = { file: "/home/o'neil/token", shown: null };
  const text = lines(token).join('\n');
  assert.equal(pageAddress('http://127.0.0.1:7420', token), 'http://127.0.0.1:7420/');
  assert.match(text, /export SEXTANT_TOKEN="\$\(cat '\/home\/o'\\''neil\/token'\)"/);
  assert.match(text, /--header "Authorization: Bearer \$SEXTANT_TOKEN"/);
  assert.match(text, /bearer_token_env_var = "SEXTANT_TOKEN"/);
  assert.match(text, /"Bearer \$\{env:SEXTANT_TOKEN\}"/);
});

test('connection lines for a terminal work unchanged, for each client and for the page', () => {
  const token = { file: '/home/u/.local/share/sextant/token', shown: SECRET };
  const text = lines(token);
  assert.ok(
    text.includes(
      `  claude mcp add --transport http sextant ${connection.url} --header "Authorization: Bearer $(cat ` +
        `${token.file})"`,
    ),
  );
  assert.ok(text.includes(`  http_headers = { Authorization = "Bearer ${SECRET}" }`));
  const at = text.findIndex((line) => line.startsWith('Cursor'));
  assert.equal(text[at], 'Cursor  in ~/.cursor/mcp.json', 'not in a folder that is often committed');
  const headers = { Authorization: `Bearer ${SECRET}` };
  assert.deepEqual(JSON.parse(text[at + 1]!), { mcpServers: { sextant: { url: connection.url, headers } } });
  assert.equal(pageAddress('http://127.0.0.1:7420', token), `http://127.0.0.1:7420/#token=${SECRET}`);
});

test('a word survives the shell', { skip: process.platform === 'win32' }, () => {
  for (const word of ['plain/path-1.ts', 'a b', `it's "$HOME" \`x\` \\`, 'ü', '*', '~/x', ''])
    assert.equal(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' }), word);
});
