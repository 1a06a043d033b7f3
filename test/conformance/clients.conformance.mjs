// The official v1 and v2 clients and the inspector's command line drive every tool of every profile over stdio and HTTP.
// JavaScript, because the v1 client is installed on demand and the type check must not need it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
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
import { sandbox } from '../contracts/real-engine.ts';
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

let server;
let url;
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
      const found = /http:\/\/[\w.:[\]]+\/mcp/.exec(output)?.[0];
      if (found) resolve(found);
    });
    server.on('exit', (code) => reject(new Error(`serve ended with ${code}:\n${output}`)));
  });
});
after(async () => {
  server.kill();
  await box.close();
});

const stdioArgs = (profile) => [main, 'serve-mcp', '--profile', profile, '--workspace', box.project];
const CLIENTS = [
  ['v1 over stdio', (p) => [new ClientV1(info), new StdioV1({ command: process.execPath, args: stdioArgs(p), env })]],
  ['v1 over HTTP', (p) => [new ClientV1(info), new HttpV1(new URL(`${url}/${p}`))]],
  ['v2 over stdio', (p) => [new ClientV2(info), new StdioV2({ command: process.execPath, args: stdioArgs(p), env })]],
  ['v2 over HTTP', (p) => [new ClientV2(info), new HttpV2(new URL(`${url}/${p}`))]],
  [
    'v2 of 2026-07-28 over stdio',
    (p) => [new ClientV2(info, MODERN), new StdioV2({ command: process.execPath, args: stdioArgs(p), env })],
  ],
  ['v2 of 2026-07-28 over HTTP', (p) => [new ClientV2(info, MODERN), new HttpV2(new URL(`${url}/${p}`))]],
];

for (const profile of SERVED_PROFILES) {
  for (const [name, open] of CLIENTS)
    test(`${profile}: ${name}`, async () => {
      const [client, transport] = open(profile);
      await client.connect(transport);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name).filter((tool) => !calls[profile]?.some((call) => call.tool === tool)),
        [],
        'tools without a call in calls.ts',
      );
      for (const { tool, args, fails, mayBeBusy } of calls[profile]) {
        const call = () =>
          client instanceof ClientV1
            ? client.callTool({ name: tool, arguments: args }, undefined, LONG)
            : client.callTool({ name: tool, arguments: args }, LONG);
        if (typeof fails === 'number') await assert.rejects(call, { code: fails }, tool);
        else check(await call(), fails === 'isError', tool, mayBeBusy);
      }
      await client.close();
    });

  test(`${profile}: the inspector's command line`, () => {
    for (const { tool, args, fails, mayBeBusy } of calls[profile]) {
      const { status, stdout, stderr } = inspect(profile, tool, args);
      if (mayBeBusy && isBusy(stdout)) continue;
      const expected = fails === undefined ? 0 : fails === 'isError' ? 5 : 1;
      assert.equal(status, expected, `${tool}: ${stdout}${stderr}`);
    }
  });
}

function isBusy(text) {
  return text.includes('index_in_progress');
}

function check(result, isError, tool, mayBeBusy) {
  if (mayBeBusy && isBusy(JSON.stringify(result))) return;
  assert.equal(result.isError ?? false, isError, `${tool}: ${JSON.stringify(result).slice(0, 500)}`);
  assert.ok(result.content.length > 0);
}

function inspect(profile, tool, args) {
  const bin = join(here, 'node_modules/.bin/mcp-inspector');
  const target = ['--cli', process.execPath, ...stdioArgs(profile), '-e', `SEXTANT_HOME=${box.home}`];
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    tool,
    '--tool-args-json',
    JSON.stringify(args),
    '--format',
    'json',
    '-q',
  ];
  return spawnSync(bin, [...target, ...call], { env, encoding: 'utf8', cwd: here });
}
