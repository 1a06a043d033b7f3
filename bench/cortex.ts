/**
 * `npm run bench:cortex -- [--chunks 10000,100000] [--reloads 3]`: the profile cortex over chunk files of somebody
 * else, with 384 numbers a chunk and an embedding service on this machine. Prints memory over an empty folder, what
 * a question takes alone and fifty at once, the vector search alone in this process, and reloads of other chunks, one
 * after another; says whether they are within the limits.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VectorRows } from '../src/engine/index.ts';
import { memoryOf } from '../test/faults/processes.ts';
import { cpuSecondsOf } from './measure.ts';

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '10000,100000' }, reloads: { type: 'string', default: '3' } },
});
const DIMS = 384;
const QUESTIONS = 50;
const RELOADS = Number(values.reloads);
const MEMORY_MB: Readonly<Record<number, number>> = { 10000: 80, 100000: 200 };
const launcher = fileURLToPath(new URL('../bin/sextant', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sextant-cortex-'));
const WORDS = 'read write index chunk token search parse file query vector store folder handler error retry'.split(' ');

let seed = 1;
function random(): number {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
}

/** With as many digits as a float32 has. */
const vector = () => Array.from({ length: DIMS }, () => Number((random() * 2 - 1).toPrecision(8)));

async function writeChunks(path: string, count: number): Promise<void> {
  const aside = `${path}.new`;
  const out = createWriteStream(aside);
  out.write('{"_metadata":{"model":"bench","dimensions":384},"chunks":[');
  for (let i = 0; i < count; i++) {
    const text = Array.from({ length: 80 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
    const metadata = { file_path: `src/f${i}.go`, language: 'go', start_line: i, end_line: i + 9 };
    const chunk = { id: `chunk-${i}`, chunk_type: 'definitions', title: `f${i}`, text, tags: ['go', 'code'], metadata };
    const json = JSON.stringify({ ...chunk, embedding: vector() });
    if (!out.write((i ? ',\n' : '') + json)) await once(out, 'drain');
  }
  out.end(']}');
  await finished(out);
  renameSync(aside, path);
}

const service = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.end(JSON.stringify({ embeddings: JSON.parse(body).texts.map(() => vector()) }));
});
await new Promise<void>((done) => {
  service.listen(0, '127.0.0.1', done);
});

class Client {
  readonly server: ChildProcess;
  readonly #waiting = new Map<number, (message: { error?: unknown }) => void>();
  #id = 0;
  log = '';

  constructor(chunksDir: string) {
    const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/embed`;
    const home = join(folder, 'home');
    const own = { CORTEX_CHUNKS_DIR: chunksDir, CORTEX_EMBEDDING_ENDPOINT: address, SEXTANT_HOME: home };
    const args = [launcher, 'serve-mcp', '--profile', 'cortex', '--workspace', join(folder, 'project'), '--verbose'];
    this.server = spawn(process.execPath, args, { env: { ...process.env, ...own } });
    this.server.stderr!.on('data', (text) => {
      this.log += text;
    });
    createInterface({ input: this.server.stdout! }).on('line', (line) => {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
    });
  }

  call(method: string, params: object): Promise<{ error?: unknown }> {
    const id = ++this.#id;
    this.server.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  greet(): Promise<unknown> {
    const clientInfo = { name: 'bench', version: '1' };
    return this.call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  }

  ask(query: string): Promise<{ error?: unknown }> {
    return this.call('tools/call', { name: 'cortex_search', arguments: { query } });
  }

  memoryMb(): number {
    return memoryOf(this.server.pid!).pssKb / 1024;
  }

  async end(): Promise<void> {
    const ended = new Promise((done) => this.server.once('exit', done));
    this.server.stdin!.end();
    await ended;
  }
}

/** The middle of the times that the vector search takes, without the question's embedding and its answer. */
function vectorSearchMs(count: number): number {
  const rows = new VectorRows(DIMS);
  for (let i = 0; i < count; i++) rows.add(Float32Array.from({ length: DIMS }, () => random() * 2 - 1));
  const times = Array.from({ length: QUESTIONS }, () => {
    const query = vector();
    const begun = performance.now();
    rows.cosines(query);
    return performance.now() - begun;
  });
  return times.sort((a, b) => a - b)[QUESTIONS >> 1]!;
}

async function measure(count: number): Promise<boolean> {
  const chunks = join(folder, `chunks-${count}`);
  mkdirSync(chunks, { recursive: true });
  const empty = new Client(chunks);
  await empty.greet();
  await empty.ask('warm up');
  const base = empty.memoryMb();
  await empty.end();
  await writeChunks(join(chunks, 'code-definitions.json'), count);
  const client = new Client(chunks);
  await client.greet();
  for (let i = 0; i < 5; i++) await client.ask(`warm up ${i}`);
  const memory = client.memoryMb() - base;
  const before = cpuSecondsOf(client.server.pid!);
  const begun = performance.now();
  for (let i = 0; i < QUESTIONS; i++) await client.ask(`question ${i}`);
  const oneMs = (performance.now() - begun) / QUESTIONS;
  const cpuMs = ((cpuSecondsOf(client.server.pid!) - before) * 1000) / QUESTIONS;
  const together = performance.now();
  const answers = await Promise.all(Array.from({ length: QUESTIONS }, (_, i) => client.ask(`parallel ${i}`)));
  const togetherMs = performance.now() - together;
  const failed = answers.filter(({ error }) => error !== undefined).length;
  const askedMb = client.memoryMb() - base;
  const reloads: Reload[] = [];
  for (let i = 0; i < RELOADS; i++) {
    await writeChunks(join(chunks, 'code-definitions.json'), count);
    reloads.push(await reload(client, base));
  }
  await client.end();
  const searchMs = vectorSearchMs(count);
  const most = (value: (one: Reload) => number) => Math.max(...reloads.map(value));
  const list = (value: (one: Reload) => number, digits: number) =>
    reloads.map((one) => value(one).toFixed(digits)).join(', ');
  console.log(
    `${count} chunks: ${memory.toFixed(0)} MB over the base of ${base.toFixed(0)} MB, ${askedMb.toFixed(0)} MB after ` +
      `${2 * QUESTIONS} questions; a question ${oneMs.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of CPU, ${searchMs.toFixed(1)} ms of it the vector search; fifty at once ` +
      `${togetherMs.toFixed(0)} ms, ${failed} failed\n` +
      `  ${RELOADS} reloads: ${list(({ ms }) => ms / 1000, 1)} s behind the quiet half second, ` +
      `${list(({ cpuS }) => cpuS, 1)} s of CPU; at most ${list(({ peakMb }) => peakMb, 0)} MB meanwhile and ` +
      `${list(({ afterMb }) => afterMb, 0)} MB after; ${list(({ questions }) => questions, 0)} questions meanwhile, ` +
      `the longest ${most(({ longestMs }) => longestMs).toFixed(0)} ms`,
  );
  const limit = MEMORY_MB[count] ?? Number.POSITIVE_INFINITY;
  const isSmall =
    Math.max(memory, askedMb) <= limit && most(({ peakMb, afterMb }) => Math.max(peakMb, afterMb)) <= limit;
  const isFast =
    oneMs <= 100 && searchMs <= 10 && most(({ longestMs }) => longestMs) <= 100 && most(({ ms }) => ms) <= 2_000;
  return failed === 0 && isSmall && isFast;
}

interface Reload {
  readonly ms: number;
  readonly cpuS: number;
  readonly peakMb: number;
  readonly afterMb: number;
  readonly questions: number;
  readonly longestMs: number;
}

/** Asks until the log tells of another reload. Memory is that over the base, looked at before every question. */
async function reload(client: Client, base: number): Promise<Reload> {
  client.log = '';
  const cpu = cpuSecondsOf(client.server.pid!);
  const written = performance.now();
  const waits: number[] = [];
  let peakMb = 0;
  while (!client.log.includes('chunks reloaded')) {
    if (performance.now() - written > 60_000) throw new Error(`not reloaded: ${client.log}`);
    peakMb = Math.max(peakMb, client.memoryMb() - base);
    const asked = performance.now();
    const { error } = await client.ask('meanwhile');
    if (error) throw new Error(`a question failed meanwhile: ${JSON.stringify(error)}`);
    waits.push(performance.now() - asked);
    await new Promise((go) => setTimeout(go, 20));
  }
  return {
    ms: performance.now() - written - 500,
    cpuS: cpuSecondsOf(client.server.pid!) - cpu,
    peakMb,
    afterMb: client.memoryMb() - base,
    questions: waits.length,
    longestMs: Math.max(...waits),
  };
}

mkdirSync(join(folder, 'project'));
let ok = true;
try {
  for (const count of values.chunks.split(',').map(Number)) ok = (await measure(count)) && ok;
  console.log(ok ? '✓ within the limits' : '✗ over the limits, or a question failed');
} finally {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(ok ? 0 : 1);
