/**
 * `npm run bench:freshness -- --repo DIR [--servers N] [--edits N]`: on a copy of a git repository, what a second
 * branch and a changed file cost beside the first index, how long after a write a server finds it, and what each
 * further server on the same store takes in memory.
 *
 * A second branch is measured in several ways, each from the request to the answer, with every process that takes part:
 * by a server that has just indexed something; by one that had nothing to do for a minute; by one whose parser is gone,
 * so that it has to start another; by a command, which is Node's start first of all (`sextant --version` shows how
 * much). Medians of a few branches with three changed files each.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryOf, parsersBelow } from '../test/faults/processes.ts';
import { storeFile } from '../test/faults/store.ts';
import { copyRepository } from './copy-repository.ts';
import { cpuSecondsOf, cpuSecondsOfEnded, measure, plainEnvironment } from './measure.ts';

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    servers: { type: 'string', default: '4' },
    edits: { type: 'string', default: '20' },
  },
});
if (!values.repo) throw new Error('pass --repo DIR, a git repository of about 100,000 lines');
const launcher = fileURLToPath(new URL('../bin/sextant', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-freshness-')));
const root = join(folder, 'project');
const home = join(folder, 'home');
const env = plainEnvironment({ SEXTANT_HOME: home });

/** Commands and branches that a median is taken of. */
const BY_COMMAND = 5;
const AT_REST_MS = 60_000;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * By the command, from its start to its end. Short children end between two samples: what the system counted of them is
 * then more.
 */
async function sextant(...args: string[]): Promise<{ readonly cost: Cost; readonly report: Record<string, number> }> {
  const { cost, output } = await timed(...args, '--format', 'json');
  return { cost, report: JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) };
}

async function timed(...args: string[]): Promise<{ readonly cost: Cost; readonly output: string }> {
  const before = cpuSecondsOfEnded(process.pid);
  const { code, output, wallS, cpuS } = await measure(process.execPath, [launcher, ...args], { cwd: root, env });
  if (code !== 0) throw new Error(output);
  const cpu = Math.max(cpuS, cpuSecondsOfEnded(process.pid) - before);
  return { cost: { wallMs: wallS * 1000, cpuMs: cpu * 1000 }, output };
}

function git(...args: string[]): string {
  const name = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  const { status, stdout, stderr } = spawnSync('git', [...name, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const bytes = () => statSync(storeFile(home)).size;
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`;

let first: Cost = { wallMs: 0, cpuMs: 0 };

function told({ wallMs, cpuMs }: Cost): string {
  const shares = `${percent(wallMs, first.wallMs)} and ${percent(cpuMs, first.cpuMs)} of the first index`;
  return `${wallMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU (${shares})`;
}

function median(costs: readonly Cost[]): Cost {
  const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;
  return { wallMs: middle(costs.map(({ wallMs }) => wallMs)), cpuMs: middle(costs.map(({ cpuMs }) => cpuMs)) };
}

let branches = 0;
/** Another name and other files each time. */
function nextBranch(): string {
  const name = `bench-${branches}`;
  makeBranch(name, branches++ * 3);
  return name;
}

async function secondBranch(): Promise<void> {
  const { cost, report } = await sextant('index');
  first = cost;
  const size = bytes();
  console.log(
    `first index: ${report.lines_indexed} lines in ${cost.wallMs.toFixed(0)} ms, ${cost.cpuMs.toFixed(0)} ms of CPU, ${(size / 2 ** 20).toFixed(1)} MB`,
  );
  const costs: Cost[] = [];
  const runs: Cost[] = [];
  let added = 0;
  for (let i = 0; i < BY_COMMAND; i++) {
    const second = await sextant('index', '--ref', nextBranch());
    costs.push(second.cost);
    runs.push({ wallMs: second.report.duration_ms!, cpuMs: 0 });
    if (i === 0) added = bytes() - size;
  }
  console.log(
    `a second branch, its space: ${(added / 1024).toFixed(0)} KB (${percent(added, size)} of the first index)`,
  );
  console.log(`a second branch, by a command: ${told(median(costs))}`);
  const nothing: Cost[] = [];
  for (let i = 0; i < BY_COMMAND; i++) nothing.push((await timed('--version')).cost);
  console.log(`  of that, a command that does nothing: ${told(median(nothing))}`);
  const run = median(runs).wallMs;
  console.log(
    `  of that, the run as the command tells it: ${run} ms (${percent(run, report.duration_ms!)} of the first run)`,
  );
  await sextant('index');
  const changed: Cost[] = [];
  for (let i = 0; i < BY_COMMAND; i++) {
    appendFileSync(join(root, sources()[60 + i]!), '\n// one more line\n');
    changed.push((await sextant('index')).cost);
  }
  console.log(`a changed file, by a command: ${told(median(changed))}`);
}

/** A branch with three changed files, beside the one that is checked out. */
function makeBranch(name: string, from: number): void {
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD').trim();
  git('checkout', '-q', '-f', '-b', name);
  for (const path of sources().slice(from, from + 3)) appendFileSync(join(root, path), `\n// a line of ${name}\n`);
  git('commit', '-qam', name);
  git('checkout', '-q', branch);
}

/**
 * The same through a server: what an agent waits for. `before`: what happens before each, once the server is at rest.
 */
async function anotherBranch(server: Server, count: number, before: () => unknown, what: string): Promise<void> {
  const costs: Cost[] = [];
  for (let i = 0; i < count; i++) {
    const name = nextBranch();
    await sleep(3_000);
    await fresh(server);
    await before();
    const cpu = cpuSecondsOf(server.pid);
    const started = performance.now();
    const answer = await server.call('index_codebase', { ref: name });
    const wallMs = performance.now() - started;
    if (!answer.includes(name)) throw new Error(answer.slice(0, 400));
    // What is tidied up afterwards counts, too.
    await sleep(500);
    costs.push({ wallMs, cpuMs: (cpuSecondsOf(server.pid) - cpu) * 1000 });
  }
  console.log(`a second branch, asked of a server ${what}: ${told(median(costs))}`);
}

/** As after half an hour in which nothing happened. */
async function endParsers({ pid }: Server): Promise<void> {
  for (const child of parsersBelow(pid)) process.kill(child);
  await sleep(1000);
}

/** Small source files, the same ones every time. */
function sources(): string[] {
  return git('ls-files', '*.rs', '*.go', '*.ts', '*.py', '*.java', '*.c', '*.rb')
    .split('\n')
    .filter((path) => path !== '' && statSync(join(root, path)).size < 20_000)
    .sort();
}

interface Server {
  readonly pid: number;
  call(tool: string, args: Record<string, unknown>): Promise<string>;
  end(): Promise<unknown>;
}

function serve(): Server {
  const child = spawn(process.execPath, [launcher, 'serve-mcp', '--workspace', root], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (text: string) => void>();
  let text = '';
  let id = 0;
  child.stdout.on('data', (part) => {
    text += part;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      const message = JSON.parse(line) as { id?: number; method?: string };
      if (message.method === undefined && message.id !== undefined) waiting.get(message.id)?.(line);
    }
  });
  const send = (method: string, params: unknown) => {
    const own = ++id;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`);
    return new Promise<string>((resolve) => waiting.set(own, resolve));
  };
  const hello = send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  return {
    pid: child.pid!,
    call: async (name, args) => {
      await hello;
      return send('tools/call', { name, arguments: args });
    },
    end: () => {
      child.stdin.end();
      return new Promise((done) => child.once('exit', done));
    },
  };
}

async function fresh(server: Server): Promise<void> {
  while (!/"freshness":"fresh"/.test(await server.call('get_status', {}))) await sleep(50);
}

async function latency(server: Server): Promise<void> {
  await fresh(server);
  const times: number[] = [];
  const files = sources();
  for (let i = 0; i < Number(values.edits); i++) {
    const path = files[(i * 37) % files.length]!;
    const name = `bench_marker_${i}_${process.pid}`;
    appendFileSync(join(root, path), `\nfn ${name}() {}\nfunc ${name}() {}\n`);
    const written = performance.now();
    while (!(await server.call('search_code', { query: name, limit: 1 })).includes(`${name}()`)) await sleep(10);
    times.push(performance.now() - written);
    await sleep(700);
  }
  times.sort((a, b) => a - b);
  console.log(
    `a change is searchable after ${times[times.length >> 1]!.toFixed(0)} ms (median of ${times.length}), ${times.at(-1)!.toFixed(0)} ms at most`,
  );
}

async function memory(): Promise<void> {
  const servers: Server[] = [];
  const total = () => servers.reduce((sum, { pid }) => sum + memoryOf(pid).pssKb, 0) / 1024;
  let alone = 0;
  for (let i = 0; i < Number(values.servers); i++) {
    const server = serve();
    servers.push(server);
    await fresh(server);
    for (const query of ['open a connection', 'parse the configuration', 'error handling', 'TaskQueue'])
      await server.call('search_code', { query });
    // A worker that has read a whole project goes after thirty seconds.
    await sleep(Number(values.servers) > 1 ? 35_000 : 0);
    if (i === 0) alone = total();
  }
  const each = (total() - alone) / (servers.length - 1);
  console.log(
    `memory        ${alone.toFixed(0)} MB for one server, ${each.toFixed(0)} MB for each further one (proportional set size)`,
  );
  console.log(
    `              private: ${servers.map(({ pid }) => (memoryOf(pid).privateKb / 1024).toFixed(0)).join(', ')} MB`,
  );
  await Promise.all(servers.map((server) => server.end()));
}

try {
  copyRepository(values.repo, root);
  await secondBranch();
  const server = serve();
  await latency(server);
  await anotherBranch(server, 5, () => undefined, 'whose parser runs');
  await anotherBranch(server, 3, () => sleep(AT_REST_MS), 'that had nothing to do for a minute');
  await anotherBranch(server, 3, () => endParsers(server), 'whose parser is gone');
  await server.end();
  await memory();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
