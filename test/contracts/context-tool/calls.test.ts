/** context-tool: the log of calls, rate limits and metrics. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Message } from '../raw-client.ts';
import { command, connectHttp, connectProcess, processEnv, root } from '../real-engine.ts';
import { box, call, log, metrics, refused, serve } from './setup.ts';

test('calls are logged before and after (CT-30)', async () => {
  log.length = 0;
  await call('read_file', { path: 'web/cart.ts' });
  await refused('read_file', { path: 'nowhere.ts' });
  const lines = log.filter(({ level }) => level === 'info');
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['Tool called', 'Tool completed', 'Tool called', 'Tool completed'],
  );
  assert.deepEqual(
    [lines[0]!.fields.tool, lines[0]!.fields.params.path, typeof lines[0]!.fields.sessionId],
    ['read_file', 'web/cart.ts', 'string'],
  );
  assert.ok(Number.isInteger(lines[0]!.fields.timestamp));
  const [{ success, duration, resultSize }, failed] = [lines[1]!.fields, lines[3]!.fields];
  assert.ok(success === true && duration >= 0 && resultSize > 100);
  assert.deepEqual([failed.success, failed.error], [false, 'File not found']);
  for (const [name, error] of [
    ['context_search', 'Invalid parameters'],
    ['write_file', 'Unknown tool: write_file'],
  ] as const) {
    log.length = 0;
    await refused(name, { path: 'web/cart.ts' });
    const told = log.filter(({ level }) => level === 'info');
    assert.deepEqual(
      told.map(({ message, fields }) => [message, fields.tool, fields.params?.path, fields.error]),
      [
        ['Tool called', name, 'web/cart.ts', undefined],
        ['Tool completed', name, undefined, error],
      ],
    );
  }
});

test('log.calls writes every call on standard error, without --verbose (CT-43)', async () => {
  const linesWith = async (calls: string) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'context-tool', '--workspace', box.bare],
      cwd: root,
      env: { ...processEnv(box), SEXTANT_LOG_CALLS: calls },
      stderr: 'pipe',
    });
    let written = '';
    transport.stderr!.on('data', (text) => {
      written += text;
    });
    const ended = new Promise((resolve) => transport.stderr!.on('end', resolve));
    const own = new Client({ name: 'test', version: '1' });
    await own.connect(transport);
    await own.callTool({ name: 'read_file', arguments: { path: 'nowhere.ts' } });
    await own.close();
    await ended;
    return written.split('\n').filter((line) => /"tool":"read_file".*"msg":"Tool (?:called|completed)"/.test(line));
  };
  assert.equal((await linesWith('on')).length, 2);
  assert.equal((await linesWith('off')).length, 0);
});

test('a call that takes too long is a warning in the log (CT-35)', async () => {
  const slow = Object.assign(Object.create(box.engine) as Engine, {
    project: box.engine.project.bind(box.engine),
    root: box.engine.root.bind(box.engine),
    readFile: async (path: string, request: Parameters<Engine['readFile']>[1]) => {
      await new Promise((resolve) => setTimeout(resolve, 550));
      return box.engine.readFile(path, request);
    },
  });
  const slowly = await serve(box.project, slow);
  const other = await connectHttp(`${slowly.url}/mcp`);
  log.length = 0;
  await call('read_file', { path: 'web/cart.ts' }, other);
  await other.close();
  await slowly.close();
  const [{ message, fields }] = log.filter(({ level }) => level === 'warn') as [(typeof log)[number]];
  assert.deepEqual([message, fields.tool, fields.limit], ['Tool took too long', 'read_file', 500]);
});

test('beyond the limit of a minute the wait is said, for each client and tool alone (CT-29)', async () => {
  const limited = await serve(box.project, box.engine, { read_file: 2, grep_codebase: 1 });
  const [one, two] = await Promise.all([connectHttp(`${limited.url}/mcp`), connectHttp(`${limited.url}/mcp`)]);
  try {
    await call('read_file', { path: 'web/cart.ts' }, one);
    await refused('read_file', { path: 'nowhere.ts' }, one);
    const refusal = await refused('read_file', { path: 'web/cart.ts' }, one);
    assert.deepEqual(
      [refusal.error, refusal.tool, refusal.limit],
      ['Rate limit exceeded for read_file', 'read_file', 2],
    );
    assert.ok(refusal.retryAfter > 0 && refusal.retryAfter <= 60);
    assert.equal(refusal.suggestion, `Wait ${refusal.retryAfter} seconds and call again`);
    await call('grep_codebase', { pattern: 'x' }, one);
    await call('read_file', { path: 'web/cart.ts' }, two);
    const { rateLimited, errors } = metrics.list().find(({ tool }) => tool === 'read_file')!;
    assert.deepEqual([rateLimited, errors.rate_limited], [1, 1]);
  } finally {
    await one.close();
    await two.close();
    await limited.close();
  }
});

test('metrics count calls, successes, error types and times (CT-31)', async () => {
  const figures = () => metrics.list().find(({ tool }) => tool === 'read_file')!;
  const before = figures();
  await call('read_file', { path: 'web/cart.ts' });
  for (const args of [{ path: '.env' }, { path: 'nowhere.ts' }, {}]) await refused('read_file', args);
  await call('grep_codebase', { pattern: 'x' });
  const read = figures();
  assert.deepEqual([read.calls - before.calls, read.succeeded - before.succeeded], [4, 1]);
  for (const error of ['path_forbidden', 'file_not_found', 'invalid_input'])
    assert.equal(read.errors[error]! - (before.errors[error] ?? 0), 1, error);
  assert.ok(read.p50Ms > 0 && read.p50Ms <= read.p95Ms && read.p95Ms <= read.p99Ms && read.resultBytes > 0);
  assert.match(
    metrics.prometheus(),
    /sextant_tool_calls_total\{profile="context-tool",tool="grep_codebase",outcome="ok"\} \d+/,
  );
});

test('`status --metrics` shows the books of every server of the project, also while they run (CT-31)', async () => {
  const first = await connectProcess(box, ['--profile', 'context-tool', '--workspace', box.project]);
  const second = await connectProcess(box, ['--profile', 'context-tool', '--workspace', box.project]);
  for (const one of [first, second]) await one.callTool({ name: 'read_file', arguments: { path: 'web/cart.ts' } });
  await second.callTool({ name: 'read_file', arguments: { path: '.env' } });
  for (let i = 0; i < 31; i++) await second.callTool({ name: 'context_search', arguments: { query: 'shopping cart' } });
  await second.close();
  const deadline = Date.now() + 20_000;
  let found: Message;
  do found = JSON.parse(command(box, 'status', box.project, '--metrics', '--format', 'json')).metrics;
  while (found.servers < 2 && Date.now() < deadline);
  assert.equal(found.servers, 2);
  const read = found.tools.find(({ tool }: Message) => tool === 'read_file');
  assert.deepEqual(
    [read.profile, read.calls, read.succeeded, read.success_rate, read.errors, read.rate_limited],
    ['context-tool', 3, 2, 0.6667, { path_forbidden: 1 }, 0],
  );
  assert.ok(read.p50_ms > 0 && read.p50_ms <= read.p95_ms && read.p95_ms <= read.p99_ms, JSON.stringify(read));
  const search = found.tools.find(({ tool }: Message) => tool === 'context_search');
  assert.deepEqual([search.calls, search.succeeded, search.rate_limited], [31, 30, 1]);
  const shown = command(box, 'status', box.project, '--metrics');
  assert.match(shown, /34 calls to 2 servers/);
  assert.match(shown, /context-tool +read_file +3 +66\.6% .*path forbidden 1/);
  assert.match(shown, /context-tool +context_search +31 +96\.7% .* rate limited 1/);
  await first.close();
});
