/**
 * The server against other users of the machine and clients that mean harm, with as many of them as it takes. Quick
 * attacks: test/contracts/http-attacks.
 */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineTool, ToolRegistry } from '../../src/contracts/index.ts';
import { serveHttp } from '../../src/transports/index.ts';
import { ended, SAMPLE, sandbox, waitFor } from '../cli/sextant.ts';
import { envelope } from '../contracts/raw-client.ts';
import { noEngine, toyProfile } from '../contracts/toy-profile.ts';
import { memoryOf } from '../faults/processes.ts';

const OPTIONS = { skip: process.env.HOSTILE !== 'full' || process.platform !== 'linux' };
const NOBODY = 65534;
const box = sandbox();
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
let child: ChildProcessWithoutNullStreams;
let port = 0;
let token = '';

before(async () => {
  if (OPTIONS.skip) return;
  box.write(SAMPLE);
  const started = box.start(['serve', '--port', '0']);
  child = started;
  port = Number(/127\.0\.0\.1:(\d+)/.exec(await waitFor(started.stdout, /Ctrl-C/))![1]);
  started.stdout.resume();
  token = readFileSync(join(box.home, 'token'), 'utf8').trim();
});
after(() => {
  agent.destroy();
});

interface Answer {
  readonly status: number | string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** `stream`: resolves with the headers and leaves the answer open. */
function ask(
  method: string,
  headers: Record<string, string>,
  body = '',
  { stream = false, at = port } = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = httpRequest({ host: '127.0.0.1', port: at, path: '/mcp', method, headers, agent }, (response) => {
      const answer = { status: response.statusCode!, headers: response.headers };
      if (stream && response.statusCode === 200) return resolve({ ...answer, text: '' });
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ ...answer, text }));
      response.on('error', () => resolve({ ...answer, text }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? '', headers: {}, text: '' }));
    sent.end(body);
  });
}

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const known = () => ({ ...TYPES, authorization: `Bearer ${token}` });
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});
const tally = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('another user of the machine reads neither the token nor a project through the server', {
  skip: OPTIONS.skip || process.getuid?.() !== 0,
}, () => {
  for (const path of [box.folder, box.path()]) chmodSync(path, 0o755);
  const script = `
    const { readFileSync } = require('node:fs');
    let token = 'none';
    try { token = readFileSync(${JSON.stringify(join(box.home, 'token'))}, 'utf8'); } catch {}
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'shadow', project: '/etc' }, _meta: ${JSON.stringify(envelope())} } };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'read_file' };
    fetch('http://127.0.0.1:${port}/mcp', { method: 'POST', headers, body: JSON.stringify(call) })
      .then(async (response) => console.log(JSON.stringify([process.getuid(), token, response.status, await response.text()])));`;
  const args = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath, '-e', script];
  const { stdout, stderr } = spawnSync('setpriv', args, { encoding: 'utf8', cwd: '/' });
  const [uid, read, status, text] = JSON.parse(stdout || '[]') as [number, string, number, string];
  assert.deepEqual([uid, read, status], [NOBODY, 'none', 401], stderr);
  assert.doesNotMatch(text, /root|shadow/);
});

test('a client with the token reads registered projects and no other folder', OPTIONS, async () => {
  const call = async (args: Record<string, unknown>) => {
    const params = { name: 'read_file', arguments: args, _meta: envelope() };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'read_file' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return (await ask('POST', { ...known(), ...headers }, body)).text;
  };
  for (const project of ['/', '/etc', '/root', '..', box.folder, box.home, '/proc/self', join(box.home, 'projects')])
    assert.match(await call({ path: 'passwd', project }), /not_served/, project);
  for (const path of ['../home/token', '/etc/passwd', box.home, 'web/../../home/token'])
    assert.match(await call({ path }), /"isError":true/, path);
  assert.match(await call({ path: 'web/cart.ts' }), /addToCart/);
});

test('3,000 sessions over the limit get 503, and open sessions keep working', OPTIONS, async () => {
  const answers = await Promise.all(Array.from({ length: 5_000 }, () => ask('POST', known(), INITIALIZE)));
  assert.deepEqual(tally(answers), { 200: 2_000, 503: 3_000 });
  const refused = answers.find(({ status }) => status === 503)!;
  assert.equal(refused.headers['retry-after'], '60');
  assert.match(JSON.parse(refused.text).error.message, /Too many sessions/);
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const opened = answers.filter(({ status }) => status === 200).slice(0, 20);
  for (const { headers } of opened)
    assert.equal(
      (await ask('POST', { ...known(), 'mcp-session-id': String(headers['mcp-session-id']) }, list)).status,
      200,
    );
  assert.ok(memoryOf(child.pid!).pssKb < 400 * 1024, `${memoryOf(child.pid!).pssKb} KB`);
});

test('streams over the limit are refused, and streams end with their clients', OPTIONS, async () => {
  const params = { notifications: { resourceSubscriptions: ['sextant://status'] }, _meta: envelope() };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
  const headers = { ...known(), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => ask('POST', headers, body, { stream: true })));
  const answers = await open(2_050);
  assert.deepEqual(tally(answers), { 200: 2_000, 503: 50 });
  agent.destroy();
  await sleep(1_000);
  assert.deepEqual(tally(await open(10)), { 200: 10 });
  agent.destroy();
});

test('clients that send their headers or bodies slowly are dropped and block no others', OPTIONS, async () => {
  const closed: Promise<string>[] = [];
  const slow = (bytes: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
  for (let i = 0; i < 400; i++) closed.push(slow('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '));
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const part = ' '.repeat(3_900_000);
  const bodies = Array.from({ length: 60 }, () => slow(`${head}Content-Length: 4000000\r\n\r\n${part}`));
  await sleep(500);
  assert.equal((await ask('GET', known())).status, 400, 'others are answered meanwhile');
  const ends = await Promise.all(closed);
  assert.deepEqual(new Set(ends.map((text) => text.split(' ')[1])), new Set(['408']));
  const statuses = new Set((await Promise.all(bodies)).map((text) => text.split(' ')[1]));
  assert.ok(
    [...statuses].every((status) => status === '503' || status === '408'),
    [...statuses].join(),
  );
  assert.ok(statuses.has('503'), 'more than 128 MB of bodies are not held');
  assert.ok(memoryOf(child.pid!).pssKb < 600 * 1024, `${memoryOf(child.pid!).pssKb} KB`);
});

test(
  'after 6,000 finished tasks with results of 100 KB, memory stays within the limit for kept results',
  OPTIONS,
  async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const large = defineTool({
      name: 'large',
      title: 'Large',
      description: 'Answers at length',
      annotations: {},
      icons: [],
      input: { type: 'object', properties: {} },
      output: { type: 'object' },
      taskSupport: 'optional',
      handle: async () => ({ structured: { text: 'x'.repeat(50_000) + Math.random() } }),
    });
    const own = await serveHttp({
      profiles: [{ ...toyProfile(), tools: new ToolRegistry([large]) }],
      engine: noEngine,
      workspace: null,
      version: '0',
      log: () => {},
      host: '127.0.0.1',
      port: 0,
    });
    try {
      const at = { at: own.port };
      const opened = await ask('POST', TYPES, INITIALIZE, at);
      const session = { ...TYPES, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
      const params = { name: 'large', arguments: {}, task: { ttl: 86_400_000 } };
      const call = (id: number) =>
        ask('POST', session, JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }), at);
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 300; i++) await Promise.all(Array.from({ length: 20 }, (_, n) => call(i * 20 + n + 2)));
      collect();
      const grownMb = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
      assert.ok(grownMb < 80, `${grownMb.toFixed(0)} MB`);
      const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/list' });
      assert.match((await ask('POST', session, list, at)).text, /"status":"completed"/);
    } finally {
      await own.close();
    }
  },
);

test('after all attacks the server answers, and ends on request', OPTIONS, async () => {
  assert.equal((await ask('GET', known())).status, 400);
  child.kill('SIGTERM');
  assert.deepEqual(await ended(child), { code: 0, signal: null });
});
