// The official v1 and v2 clients and the inspector's command line drive every tool of every profile over stdio and
// HTTP. JavaScript, because the v1 client is installed on demand and the type check must not need it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SERVED_PROFILES } from '../../src/contracts/index.ts';
import { sandbox, tokenHeader } from '../contracts/real-engine.ts';
import { toolCalls } from './calls.ts';

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '../../dist/main.js');
const box = sandbox();
mkdirSync(join(box.folder, 'user'));
const env = { PATH: process.env.PATH ?? '', HOME: join(box.folder, 'user'), SEXTANT_HOME: box.home };
const calls = toolCalls(box.project);
const info = { name: 'conformance', version: '1' };
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const LONG = { timeout: 120_000 };
const LIMIT = { timeout: 240_000 };

let server;
let url;
/** The server asks for the token that it has made: every client sends it as its user would configure it. */
let headers;
before(async () => {
  await box.engine.index(box.project);
  server = spawn(process.execPath, [main, 'serve', '--port', '0', '--workspace', box.project], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /http:\/\/[\w.:[\]/-]+\/mcp/.exec(output)?.[0];
      if (found) resolve(found);
    });
    server.on('exit', (code) => reject(new Error(`serve ended with ${code}:\n${output}`)));
  });
  headers = tokenHeader(box.home);
});
after(async () => {
  // It may still write on its way out.
  const gone = once(server, 'exit');
  server.kill();
  await gone;
  await box.close();
});

const stdioArgs = (profile) => [main, 'serve-mcp', '--profile', profile, '--workspace', box.project];
const overHttp = (profile) => [new URL(`${url}/${profile}`), { requestInit: { headers } }];
const CLIENTS = [
  ['v1 over stdio', (p) => [new ClientV1(info), new StdioV1({ command: process.execPath, args: stdioArgs(p), env })]],
  ['v1 over HTTP', (p) => [new ClientV1(info), new HttpV1(...overHttp(p))]],
  ['v2 over stdio', (p) => [new ClientV2(info), new StdioV2({ command: process.execPath, args: stdioArgs(p), env })]],
  ['v2 over HTTP', (p) => [new ClientV2(info), new HttpV2(...overHttp(p))]],
  [
    'v2 of 2026-07-28 over stdio',
    (p) => [new ClientV2(info, MODERN), new StdioV2({ command: process.execPath, args: stdioArgs(p), env })],
  ],
  ['v2 of 2026-07-28 over HTTP', (p) => [new ClientV2(info, MODERN), new HttpV2(...overHttp(p))]],
];

const TARGETS = [
  ['stdio', (profile) => [process.execPath, ...stdioArgs(profile), '-e', `SEXTANT_HOME=${box.home}`]],
  [
    'HTTP',
    (profile) => [`${url}/${profile}`, '--transport', 'http', '--header', `Authorization: ${headers.authorization}`],
  ],
];

for (const profile of SERVED_PROFILES) {
  for (const [name, open] of CLIENTS)
    test(`${profile}: ${name}`, LIMIT, async () => {
      const [client, transport] = open(profile);
      await client.connect(transport);
      // A server that is left behind would keep this process, and a failed run, from ending.
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map((tool) => tool.name).filter((tool) => !calls[profile]?.some((call) => call.tool === tool)),
          [],
          'tools without a call in calls.ts',
        );
        for (const { tool, args, fails } of calls[profile]) {
          const call = () =>
            client instanceof ClientV1
              ? client.callTool({ name: tool, arguments: args }, undefined, LONG)
              : client.callTool({ name: tool, arguments: args }, LONG);
          const answer = await unlessBusy(() =>
            call().then(
              (result) => ({ outcome: result.isError ? 'isError' : undefined, output: JSON.stringify(result) }),
              (error) => ({ outcome: error.code, output: String(error) }),
            ),
          );
          assert.equal(answer.outcome, fails, `${tool}: ${answer.output.slice(0, 500)}`);
        }
      } finally {
        await client.close();
      }
    });

  for (const [name, target] of TARGETS)
    test(`${profile}: the inspector's command line over ${name}`, LIMIT, async () => {
      const call = async ({ tool, args, fails }) => {
        const words = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
        const { status, output } = await unlessBusy(() => inspect(target(profile), words));
        assert.equal(status, fails === undefined ? 0 : fails === 'isError' ? 5 : 1, `${tool}: ${output}`);
      };
      // Each tool once: a process for every call is slow, and refusals are tried by the other clients. The first call
      // may make the index that the others need.
      const [first, ...others] = calls[profile].filter(
        (one, i, all) => all.findIndex((c) => c.tool === one.tool) === i,
      );
      await call(first);
      await Promise.all(
        [0, 1].map((lane) => inTurn(others.filter((_, i) => i % 2 === lane).map((c) => () => call(c)))),
      );
      if (name !== 'stdio') return;
      const listed = await inspect(target(profile), ['--method', 'tools/list', '--strict']);
      assert.equal(listed.status, 0, `the schemas of ${profile} are not portable: ${listed.output}`);
    });
}

async function inTurn(steps) {
  for (const step of steps) await step();
}

/**
 * Each server keeps the index fresh by itself; a call that wants to write meanwhile is refused, as it should be, and
 * made again.
 */
async function unlessBusy(call) {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (attempt === 20 || !/index_in_progress|-32002|Indexing in progress|is indexing/.test(answer.output))
      return answer;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function inspect(target, args) {
  const bin = join(here, 'node_modules/.bin/mcp-inspector');
  const child = spawn(bin, ['--cli', ...target, ...args, '--format', 'json', '-q'], { env, cwd: here });
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}
