/**
 * `npm run bench:projects -- [FOLDER…]`: memory of one server with many projects open (issue 26: ten of 100,000 lines,
 * at most 600 MB). Without folders on ten made-up projects of 100,000 lines. Each is indexed by the command line, then
 * asked over HTTP: a search, a definition, its callers. Ends with 1 past the limit.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Extension, madeUpFile } from '../test/faults/made-up-code.ts';
import { descendants, memoryOf } from '../test/faults/processes.ts';
import { Random } from '../test/faults/scale.ts';

const LIMIT_MB = 600;
const ENDINGS = ['ts', 'py', 'go', 'rs'] as const satisfies readonly Extension[];
const CALLS = [
  { name: 'search_code', arguments: { query: 'load and merge the order', limit: 5 } },
  { name: 'locate_symbol', arguments: { name: 'load' } },
  { name: 'code_research', arguments: { query: 'who calls load' } },
];
const launcher = fileURLToPath(new URL('../bin/sextant', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sextant-projects-'));
const env = { ...process.env, SEXTANT_HOME: join(folder, 'home') };

function makeProject(number: number): string {
  const random = new Random(number);
  const root = join(folder, `project${number}`);
  for (let i = 0, lines = 0; lines < 100_000; i++) {
    const ending = ENDINGS[i % ENDINGS.length]!;
    const text = madeUpFile(random, ending, 100);
    lines += text.split('\n').length;
    const path = join(root, `src/part${i % 40}/file${i}.${ending}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

async function listening(server: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of server.stdout!) {
    text += part;
    const url = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(text)?.[1];
    if (url && /Ctrl-C/.test(text)) {
      server.stdout!.resume();
      return url;
    }
  }
  throw new Error(`the server did not start: ${text}`);
}

async function ask(url: string): Promise<void> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  for (const call of CALLS) {
    const { isError, content } = await client.callTool(call);
    if (isError) throw new Error(`${url} ${call.name}: ${JSON.stringify(content).slice(0, 300)}`);
  }
  await client.close();
}

function megabytes(pid: number): number {
  const below = descendants(pid).flatMap((child) => {
    try {
      return [memoryOf(child).pssKb];
    } catch {
      return [];
    }
  });
  return below.reduce((sum, kb) => sum + kb, memoryOf(pid).pssKb) / 1024;
}

let peakMb = 0;
try {
  const given = process.argv.slice(2);
  const roots = given.length > 0 ? given : Array.from({ length: 10 }, (_, i) => makeProject(i));
  for (const root of roots) execFileSync(process.execPath, [launcher, 'index', root, '-q'], { env });
  const names = JSON.parse(
    execFileSync(process.execPath, [launcher, 'projects', 'list', '--format', 'json'], { env, encoding: 'utf8' }),
  ) as { readonly projects: readonly { readonly name: string }[] };
  const server = spawn(process.execPath, [launcher, 'serve', roots[0]!, '--port', '0', '--no-token'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const url = await listening(server);
    for (const [i, { name }] of names.projects.entries()) {
      await ask(`${url}/p/${encodeURIComponent(name)}/mcp`);
      peakMb = Math.max(peakMb, megabytes(server.pid!));
      console.log(`${i + 1} open  ${megabytes(server.pid!).toFixed(0)} MB  ${name}`);
    }
  } finally {
    server.kill('SIGTERM');
    await new Promise((done) => server.once('exit', done));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${peakMb <= LIMIT_MB ? '✓' : '✗'} at most ${peakMb.toFixed(0)} MB, ${LIMIT_MB} MB wanted`);
process.exit(peakMb <= LIMIT_MB ? 0 : 1);
