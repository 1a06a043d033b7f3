/** Pipes, signals and servers: how the process begins and ends. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ended, launcher, SAMPLE, sandbox, waitFor } from './sextant.ts';

const box = sandbox('pröject with spaces');
box.write(SAMPLE);
for (let i = 0; i < 300; i++)
  box.write({ [`many/file${i}.ts`]: `export function generated${i}() { return ${i}; }\n`.repeat(40) });

const greeting = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`;

test('Ctrl-C during indexing exits with 130 and keeps finished work, and the next run completes', async () => {
  const child = box.start(['index']);
  child.stdout.resume();
  await waitFor(child.stderr, /Finding files|Reading/);
  child.kill('SIGINT');
  const { code } = await ended(child);
  assert.equal(code, 130);
  const again = box.run(['index', '--format', 'json']);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(JSON.parse(again.stdout).files_total >= 300, true);
});

test('Ctrl-C ends a command that reads standard input at once', async () => {
  const child = box.start(['remember', '-']);
  child.stdin.on('error', () => undefined);
  // The input exceeds the capacity of a pipe, so its write ends only once the command reads.
  await new Promise((taken) => child.stdin.write('x'.repeat(1 << 20), taken));
  child.kill('SIGINT');
  assert.equal((await ended(child)).code, 130);
});

test('a command whose output pipe is closed exits without an error', () => {
  const command = `"${process.execPath}" "${launcher}" search generated --limit 100 --lines 20; echo "code $?" >&2`;
  const { stderr } = spawnSync('bash', ['-c', `{ ${command}; } | head -1`], {
    cwd: box.path(),
    env: box.environment(),
    encoding: 'utf8',
  });
  assert.equal(stderr, 'code 0\n');
});

test('a command that cannot write its answer exits with the code of a full disk', {
  skip: process.platform !== 'linux',
}, () => {
  const command = `"${process.execPath}" "${launcher}" --help > /dev/full; echo "code $?" >&2`;
  const { stderr } = spawnSync('bash', ['-c', command], { cwd: box.path(), env: box.environment(), encoding: 'utf8' });
  assert.match(stderr, /^error: The answer could not be written .*ENOSPC.*\nfix: {3}.+\ncode 5\n$/);
});

test('a run ends although no process reads its standard error', { skip: process.platform === 'win32' }, () => {
  box.write({ 'late.ts': 'export function cameLate() { return 1; }\n' });
  const command = `"${process.execPath}" "${launcher}" index 2>&1 >/dev/null | true; exit "\${PIPESTATUS[0]}"`;
  const { status } = spawnSync('bash', ['-c', command], { cwd: box.path(), env: box.environment() });
  assert.equal(status, 0);
  assert.match(box.run(['locate', 'cameLate']).stdout, /^late\.ts:1/);
});

test('a command in a deleted folder fails without a stack trace', { skip: process.platform === 'win32' }, () => {
  const command = `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${launcher}" search x; echo "code $?" >&2`;
  const { stderr } = spawnSync('bash', ['-c', command], { cwd: box.folder, env: box.environment(), encoding: 'utf8' });
  assert.match(stderr, /^error: The folder in which this was started is gone\.\nfix: {3}.+\ncode 2\n$/);
});

test('a command whose work can never finish fails instead of exiting with 0', () => {
  const endless = join(box.folder, 'endless-input.cjs');
  writeFileSync(
    endless,
    `Object.defineProperty(process, 'stdin', { value: { async *[Symbol.asyncIterator]() { await new Promise(() => {}); } } });\n`,
  );
  const { code, stderr } = box.run(['memory', 'import', '-'], { env: { NODE_OPTIONS: `--require "${endless}"` } });
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^error: .*\nfix: {3}.*\n$/);
});

test('serve prints its address and lines for each agent, answers, and exits with 0', async () => {
  const child = box.start(['serve', '--port', '0', '--no-token']);
  const text = await waitFor(child.stdout, /Ctrl-C/);
  const url = /claude mcp add --transport http sextant (http:\/\/127\.0\.0\.1:\d+\/p\/project-with-spaces\/mcp)\n/.exec(
    text,
  )?.[1];
  assert.ok(url, text);
  assert.ok(text.includes(`url = "${url}"`));
  assert.ok(text.includes(JSON.stringify({ mcpServers: { sextant: { url } } })));
  const stdio = /^ {2}(node .*serve-mcp.*)$/m.exec(text)![1]!;
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: greeting });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /serverInfo/);
  child.kill('SIGINT');
  assert.equal((await ended(child)).code, 0);
  await assert.rejects(fetch(url));

  const overStdio = spawnSync('sh', ['-c', stdio], { env: box.environment(), input: greeting, encoding: 'utf8' });
  assert.equal(overStdio.status, 0, overStdio.stderr);
  assert.match(overStdio.stdout, /serverInfo/);
});

test('serve requires a token by default and prints it in the connection lines', {
  skip: process.platform === 'win32',
}, async () => {
  const child = box.start(['serve', '--port', '0', '--no-index']);
  const text = await waitFor(child.stdout, /Ctrl-C/);
  const exported = /^ {2}(export SEXTANT_TOKEN=.*)$/m.exec(text)![1]!;
  const [, url, header] = /claude mcp add --transport http sextant (\S+) --header "(.*)"\n/.exec(text)!;
  // Sends the token as a shell does that runs the printed lines.
  const shell = spawnSync('sh', ['-c', `${exported}; printf %s "${header}"`], { encoding: 'utf8' });
  const [name, authorization] = shell.stdout.split(': ');
  assert.equal(name, 'Authorization');
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (more: Record<string, string>) =>
    fetch(url!, { method: 'POST', headers: { ...headers, ...more }, body: greeting });
  assert.equal((await post({})).status, 401);
  assert.equal((await post({ authorization: authorization! })).status, 200);
  child.kill('SIGINT');
  assert.equal((await ended(child)).code, 0);
});

test('serve answers while another process indexes the same project', async () => {
  const { project } = JSON.parse(box.run(['status', '--format', 'json']).stdout);
  const script = fileURLToPath(new URL('../contracts/lease-holder.ts', import.meta.url));
  const holder = spawn(process.execPath, ['--import', 'tsx', script, project.store_folder]);
  await waitFor(holder.stdout, /held/);
  const child = box.start(['serve', '--port', '0']);
  const stderrMatch = waitFor(child.stderr, /is indexing .*answers already/);
  await waitFor(child.stdout, /Ctrl-C/);
  await stderrMatch;
  holder.stdin.end();
  child.kill('SIGTERM');
  assert.equal((await ended(child)).code, 0);
});

test('serve takes the next port if the default is in use, and fails if the port of --port is in use', async () => {
  const blocker = createServer();
  await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
  const { port } = blocker.address() as { port: number };
  try {
    const refused = box.run(['serve', '--port', String(port)]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, new RegExp(`Port ${port} is in use`));
    const child = box.start(['serve', '--no-index'], { env: { SEXTANT_SERVE_PORT: String(port) } });
    const stderrMatch = waitFor(child.stderr, new RegExp(`Port ${port} belongs to another process`));
    const text = await waitFor(child.stdout, /Ctrl-C/);
    await stderrMatch;
    assert.doesNotMatch(text, new RegExp(`:${port}/`));
    child.kill('SIGTERM');
    assert.equal((await ended(child)).code, 0);
  } finally {
    blocker.close();
  }
});

test('serve on a non-loopback address requires a token of a minimum length', () => {
  const open = box.run(['serve', '--host', '0.0.0.0', '--port', '0']);
  assert.equal(open.code, 2);
  assert.match(open.stderr, /token/);
  const file = join(box.folder, 'token');
  writeFileSync(file, 'short\n', { mode: 0o600 });
  const short = box.run(['serve', '--host', '0.0.0.0', '--port', '0', '--token-file', file]);
  assert.equal(short.code, 2);
  assert.match(short.stderr, /16/);
  assert.equal(box.run(['serve', '--port', '0', '--token-file', 'missing']).code, 2);
  assert.equal(box.run(['serve', '--port', '0', '--token-file', file, '--no-token']).code, 2);
});

test('serve-mcp answers on standard output and ends with its client', () => {
  const { code, stdout, stderr } = box.run(['serve-mcp', '--workspace', '.'], { input: greeting });
  assert.equal(code, 0, stderr);
  for (const line of stdout.trim().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0');
});

test('serve ignores an invalid project configuration and warns about it', async () => {
  const broken = sandbox();
  broken.write({ ...SAMPLE, '.sextant/config.yml': 'search:\n  limit: many\n' });
  const ask = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_status', arguments: {} } };
  const input = `${greeting}\n${JSON.stringify(ask)}\n`;
  const { code, stdout, stderr } = broken.run(['serve-mcp', '--workspace', '.'], { input });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /config\.yml is not valid: `search\.limit` must be a whole number.*It is ignored/);
  const answer = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ id }) => id === 2);
  assert.match(answer.result.structuredContent.configuration, /config\.yml is not valid and is ignored/);
  const child = broken.start(['serve', '--port', '0']);
  const stderrMatch = waitFor(child.stderr, /It is ignored/);
  await waitFor(child.stdout, /Ctrl-C/);
  await stderrMatch;
  child.kill('SIGTERM');
  assert.equal((await ended(child)).code, 0);
  assert.equal(broken.run(['search', 'cart', '--yes']).code, 2, 'a command is stopped: its user can mend the file');
});
