/**
 * `npm run bench:greetings -- [--clients 200,1000] [--rounds N]`: so many clients send `initialize` to one server at
 * the same moment. Prints how long they waited, what the server computed for each, and its memory. Says whether p99 is
 * under 500 ms at 200 clients and 2 s at 1,000.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryOf } from '../test/faults/processes.ts';
import { cpuSecondsOf } from './measure.ts';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '200,1000' }, rounds: { type: 'string', default: '5' } },
});
const LIMITS_MS: Readonly<Record<number, number>> = { 200: 500, 1000: 2_000 };
const launcher = fileURLToPath(new URL('../bin/sextant', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sextant-greetings-'));
const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

/** Milliseconds until the answer is there; NaN where it is another one than 200. */
function greet(url: string, agent: Agent, sessions: string[]): Promise<number> {
  const begun = performance.now();
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': BODY.length,
  };
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      sessions.push(String(response.headers['mcp-session-id']));
      response.resume().on('end', () => resolve(response.statusCode === 200 ? performance.now() - begun : Number.NaN));
    });
    sent.on('error', () => resolve(Number.NaN));
    sent.end(BODY);
  });
}

/** Each client says goodbye, so that the next round finds room. */
function leave(url: string, agent: Agent, session: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'DELETE', agent, headers: { 'mcp-session-id': session } }, (response) => {
      response.resume().on('end', resolve);
    });
    sent.on('error', () => resolve());
    sent.end();
  });
}

async function addressOf(server: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of server.stdout!) {
    text += part;
    const url = /(http:\/\/127\.0\.0\.1:\d+)\/(?:p\/[^/]+\/)?mcp/.exec(text)?.[1];
    if (url && /Ctrl-C/.test(text)) return `${url}/mcp`;
  }
  throw new Error(`the server did not start: ${text}`);
}

mkdirSync(join(folder, 'project'));
writeFileSync(join(folder, 'project', 'a.ts'), 'export const a = 1;\n');
const server = spawn(process.execPath, [launcher, 'serve', join(folder, 'project'), '--port', '0', '--no-token'], {
  env: { ...process.env, SEXTANT_HOME: join(folder, 'home') },
  stdio: ['ignore', 'pipe', 'ignore'],
});
let ok = true;
try {
  const url = await addressOf(server);
  for (const clients of values.clients.split(',').map(Number)) {
    const waits: number[] = [];
    let cpuS = 0;
    for (let round = 0; round < Number(values.rounds); round++) {
      const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
      const sessions: string[] = [];
      const before = cpuSecondsOf(server.pid!);
      waits.push(...(await Promise.all(Array.from({ length: clients }, () => greet(url, agent, sessions)))));
      cpuS += cpuSecondsOf(server.pid!) - before;
      await Promise.all(sessions.map((session) => leave(url, agent, session)));
      agent.destroy();
    }
    const sorted = waits.filter((ms) => !Number.isNaN(ms)).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const cpuMs = (cpuS * 1000) / waits.length;
    const failed = waits.length - sorted.length;
    const limit = LIMITS_MS[clients];
    ok &&= failed === 0 && (limit === undefined || at(0.99) < limit);
    console.log(
      `${clients} clients at once: p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, failed ${failed}; ` +
        `${cpuMs.toFixed(2)} ms of computing each; server ${(memoryOf(server.pid!).pssKb / 1024).toFixed(0)} MB`,
    );
  }
  console.log(ok ? '✓ within the limits' : '✗ over the limits, or somebody was refused');
} finally {
  server.kill('SIGTERM');
  await new Promise((done) => server.once('exit', done));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(ok ? 0 : 1);
