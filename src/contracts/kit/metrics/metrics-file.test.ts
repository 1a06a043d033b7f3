import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Metrics } from './call-metrics.ts';
import { loadMetrics, MAX_FILE_AGE_MS, MetricsFile } from './metrics-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-metrics-'));
after(() => rmSync(folder, { recursive: true }));

const call = (tool: string, outcome: string, durationMs: number) => ({
  profile: 'context-tool',
  tool,
  outcome,
  durationMs,
  resultBytes: 10,
});

test('metrics of several processes are added up (CT-31)', async () => {
  const project = join(folder, 'sum');
  assert.deepEqual(await loadMetrics(project), { servers: 0, sinceMs: null, tools: [] });
  const servers = [new Metrics(), new Metrics()];
  const files = servers.map((metrics) => new MetricsFile(metrics, async () => project));
  for (let ms = 1; ms <= 50; ms++) servers[0]!.record(call('read_file', 'ok', ms));
  for (let ms = 51; ms <= 100; ms++) servers[1]!.record(call('read_file', 'ok', ms));
  servers[0]!.record(call('context_search', 'rate_limited', 1));
  servers[1]!.record(call('context_search', 'rate_limited', 1));
  servers[1]!.record(call('context_search', 'not_indexed', 1));
  await Promise.all(files.map((file) => file.close()));
  const { servers: count, sinceMs, tools } = await loadMetrics(project);
  assert.equal(count, 2);
  assert.ok(sinceMs !== null && sinceMs <= Date.now(), String(sinceMs));
  const read = tools.find(({ tool }) => tool === 'read_file')!;
  assert.deepEqual([read.calls, read.succeeded, read.p50Ms, read.p95Ms, read.p99Ms], [100, 100, 50, 95, 99]);
  const search = tools.find(({ tool }) => tool === 'context_search')!;
  assert.deepEqual(
    [search.calls, search.succeeded, search.rateLimited, search.errors],
    [3, 0, 2, { rate_limited: 2, not_indexed: 1 }],
  );
});

test('the file is written after the first call, replaced atomically, and holds only the last durations', async () => {
  const project = join(folder, 'one');
  const metrics = new Metrics();
  const file = new MetricsFile(metrics, async () => project);
  await file.close();
  assert.deepEqual((await loadMetrics(project)).servers, 0);
  const busy = new MetricsFile(metrics, async () => project);
  for (let ms = 0; ms < 3000; ms++) metrics.record(call('grep_codebase', 'ok', ms));
  await busy.close();
  const names = readdirSync(join(project, 'metrics'));
  assert.equal(names.length, 1, names.join());
  const text = readFileSync(join(project, 'metrics', names[0]!), 'utf8');
  assert.ok(text.length < 8_000, `${text.length} characters`);
  const [tool] = (await loadMetrics(project)).tools;
  assert.equal(tool!.calls, 3000);
  assert.ok(tool!.p50Ms > 2488 && tool!.p99Ms < 3000, `${tool!.p50Ms} ${tool!.p99Ms}`);
});

test('broken files are ignored, old ones deleted, and an unwritable folder is no error', async () => {
  const project = join(folder, 'odd');
  const metrics = new Metrics();
  const first = new MetricsFile(metrics, async () => project);
  metrics.record(call('read_file', 'ok', 1));
  await first.close();
  const [name] = readdirSync(join(project, 'metrics'));
  writeFileSync(join(project, 'metrics', 'broken.json'), '{"format":1,"tools":[{}]}');
  writeFileSync(join(project, 'metrics', 'half.json'), '{"format":1,"to');
  assert.equal((await loadMetrics(project)).servers, 1);
  const old = new Date(Date.now() - MAX_FILE_AGE_MS - 1000);
  utimesSync(join(project, 'metrics', name!), old, old);
  const second = new MetricsFile(metrics, async () => project);
  metrics.record(call('read_file', 'ok', 1));
  await second.close();
  assert.ok(!readdirSync(join(project, 'metrics')).includes(name!), 'the old file is still there');
  for (const nowhere of [async () => null, () => Promise.reject(new Error('no engine'))]) {
    const third = new MetricsFile(metrics, nowhere);
    metrics.record(call('read_file', 'ok', 1));
    await third.close();
  }
});
