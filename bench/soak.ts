/**
 * `npm run bench:soak -- [--repo DIR] [--seconds N] [--clients N] [--searches N]`: one server over HTTP on loopback,
 * 200 clients with 20 searches each spread over the time, while ten files a second change. Ends with 1 when a search
 * fails, p99 is not under 250 ms, or the memory is not flat after the first minute (a fifth of the time in runs shorter
 * than five minutes). Without --repo on a made-up project of 100,000 lines; with it on a copy.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Extension, madeUpFile } from '../test/faults/made-up-code.ts';
import { descendants, memoryOf } from '../test/faults/processes.ts';
import { Random } from '../test/faults/scale.ts';
import { copyRepository } from './copy-repository.ts';

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    seconds: { type: 'string', default: '600' },
    clients: { type: 'string', default: '200' },
    searches: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const clientCount = Number(values.clients);
/** The same rate in a shorter run: 20 searches of each client in ten minutes. */
const searchCount = Number(values.searches ?? Math.max(1, Math.round((20 * seconds) / 600)));
const CHANGES_PER_SECOND = 10;
const P99_MS = 250;
/** What counts as flat: the last quarter of the time against the quarter after the first minute. */
const GROWTH = 1.1;
const settleMs = Math.min(60, seconds / 5) * 1000;

const launcher = fileURLToPath(new URL('../bin/sextant', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sextant-soak-'));
const root = join(folder, 'project');
const random = new Random(90);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

const WORDS = [
  'load order',
  'merge cart',
  'price check',
  'stock count',
  'send parcel',
  'route plan',
  'refund ledger',
  'split batch',
];
const ENDINGS = ['ts', 'py', 'go', 'rs'] as const satisfies readonly Extension[];

interface Answer {
  readonly status: number;
  readonly session: string | undefined;
  readonly text: string;
}

function post(url: string, session: string | undefined, message: Record<string, unknown>): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          session: response.headers['mcp-session-id'] as string | undefined,
          text,
        }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const latencies: number[] = [];
const failures: string[] = [];

/** One client: a session, and its searches at its own times. */
async function client(url: string, number: number): Promise<void> {
  const own = new Random(1000 + number);
  const begun = performance.now();
  const pauseMs = (seconds * 1000) / searchCount;
  try {
    await sleep(own.next() * Math.min(pauseMs, 5_000));
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'soak', version: '1' } };
    const { session } = await post(url, undefined, { id: 0, method: 'initialize', params });
    await post(url, session, { method: 'notifications/initialized' });
    for (let i = 0; i < searchCount; i++) {
      const dueMs = begun + (i + own.next()) * pauseMs;
      await sleep(Math.max(0, dueMs - performance.now()));
      const query = own.below(4) === 0 ? `${own.pick(WORDS).replace(' ', '_')}_${own.below(500)}` : own.pick(WORDS);
      const started = performance.now();
      const answer = await post(url, session, {
        id: i + 1,
        method: 'tools/call',
        params: { name: 'search_code', arguments: { query, limit: 5 } },
      });
      latencies.push(performance.now() - started);
      if (answer.status !== 200 || /"isError":true|"error":\{/.test(answer.text))
        failures.push(`${answer.status} ${answer.text.slice(0, 200)}`);
    }
  } catch (error) {
    failures.push(String(error));
  }
}

function makeProject(): void {
  if (values.repo) copyRepository(values.repo, root);
  else
    for (let i = 0, lines = 0; lines < 100_000; i++) {
      const ending = ENDINGS[i % ENDINGS.length]!;
      const text = madeUpFile(random, ending, 100);
      lines += text.split('\n').length;
      write(join(root, `src/part${i % 40}/file${i}.${ending}`), text);
    }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function changing(): NodeJS.Timeout {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && ENDINGS.some((ending) => entry.name.endsWith(`.${ending}`)) && !entry.path.includes('.git/'),
    )
    .map((entry) => join(entry.path, entry.name))
    .filter((path) => readFileSync(path).length < 40_000);
  const texts = new Map<string, string>();
  let next = 0;
  return setInterval(() => {
    const path = files[(next++ * 7919) % files.length]!;
    const ending = ENDINGS.find((one) => path.endsWith(`.${one}`))!;
    // The end of a file is another one each time: its contents are new, the project does not grow.
    const text = texts.get(path) ?? readFileSync(path, 'utf8');
    texts.set(path, text);
    writeFileSync(path, `${text}\n${madeUpFile(random, ending, 2).replace(/^package made\n/, '')}`);
  }, 1000 / CHANGES_PER_SECOND);
}

async function listening(server: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of server.stdout!) {
    text += part;
    const url = /(http:\/\/127\.0\.0\.1:\d+)\/(?:p\/[^/]+\/)?mcp/.exec(text)?.[1];
    if (url && /Ctrl-C/.test(text)) {
      server.stdout!.resume();
      return `${url}/mcp`;
    }
  }
  throw new Error(`the server did not start: ${text}`);
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const median = (list: readonly number[]) =>
  at(
    [...list].sort((a, b) => a - b),
    0.5,
  );

makeProject();
const server = spawn(process.execPath, [launcher, 'serve', root, '--port', '0', '--no-token'], {
  env: { ...process.env, SEXTANT_HOME: join(folder, 'home') },
  stdio: ['ignore', 'pipe', 'ignore'],
});
let ok = false;
try {
  const url = await listening(server);
  const memory: { readonly atMs: number; readonly serverMb: number; readonly allMb: number }[] = [];
  const began = performance.now();
  const sampling = setInterval(() => {
    try {
      const own = memoryOf(server.pid!).pssKb;
      const below = descendants(server.pid!).reduce((sum, pid) => sum + sizeOf(pid), 0);
      memory.push({ atMs: performance.now() - began, serverMb: own / 1024, allMb: (own + below) / 1024 });
    } catch {
      // The server is gone; the searches say so.
    }
  }, 2_000);
  const writing = changing();
  console.log(
    `${clientCount} clients, ${searchCount} searches each, ${CHANGES_PER_SECOND} changes a second, ${seconds} s …`,
  );
  await Promise.all(Array.from({ length: clientCount }, (_, i) => client(url, i)));
  clearInterval(writing);
  clearInterval(sampling);
  const sorted = [...latencies].sort((a, b) => a - b);
  const settled = memory.filter(({ atMs }) => atMs >= settleMs);
  const quarter = Math.max(1, Math.floor(settled.length / 4));
  const early = median(settled.slice(0, quarter).map(({ serverMb }) => serverMb));
  const late = median(settled.slice(-quarter).map(({ serverMb }) => serverMb));
  console.log(`searches ${latencies.length}, failed ${failures.length}`);
  console.log(
    `latency  p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms, longest ${at(sorted, 1).toFixed(1)} ms`,
  );
  console.log(
    `memory   server ${early.toFixed(0)} MB after ${Math.round(settleMs / 1000)} s, ${late.toFixed(0)} MB at the end; with its parsers at most ${Math.max(...memory.map(({ allMb }) => allMb)).toFixed(0)} MB`,
  );
  for (const failure of new Set(failures.slice(0, 5))) console.log(`failed: ${failure}`);
  const expected = clientCount * searchCount;
  const verdicts = [
    [failures.length === 0 && latencies.length === expected, 'no error'],
    [at(sorted, 0.99) < P99_MS, `p99 under ${P99_MS} ms`],
    [late <= early * GROWTH, 'memory flat'],
  ] as const;
  for (const [holds, what] of verdicts) console.log(`${holds ? '✓' : '✗'} ${what}`);
  ok = verdicts.every(([holds]) => holds);
} finally {
  server.kill('SIGTERM');
  await new Promise((done) => server.once('exit', done));
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(ok ? 0 : 1);

function sizeOf(pid: number): number {
  try {
    return memoryOf(pid).pssKb;
  } catch {
    return 0;
  }
}
