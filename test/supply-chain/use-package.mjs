// The installed package, used by one Node as people and agents use it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { check } from './scratch-npm.mjs';

const GREETING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

/** `place`: where the package is installed; `folder`: scratch, one for each Node; `node`: its program. */
export async function usePackage({ place, folder, node, label }) {
  const user = { place, folder, node, label, program: join(place, 'node_modules/sextant-mcp/bin/sextant') };
  user.env = { PATH: process.env.PATH, HOME: folder, SEXTANT_HOME: join(folder, 'home') };
  user.project = join(folder, 'project');
  mkdirSync(user.project, { recursive: true });
  writeFileSync(
    join(user.project, 'shop.ts'),
    '/** Adds up a cart. */\nexport function cartTotal() {\n  return 0;\n}\n',
  );
  runCommands(user);
  await importTools(user);
  await startAsBundle(user);
}

function run({ place, env, node, program }, args, options = {}) {
  return execFileSync(node, [program, ...args], { cwd: place, env, encoding: 'utf8', ...options });
}

function runCommands(user) {
  const doctor = JSON.parse(run(user, ['doctor', '--format', 'json']));
  const failed = doctor.checks
    .filter(({ status }) => status === 'fail')
    .map(({ name, detail }) => `${name}: ${detail}`);
  check(failed.length === 0, `${user.label}: the doctor finds no fault ${failed.join('; ')}`);
  const greeted = run(user, [], { input: `${JSON.stringify(GREETING)}\n` });
  const { serverInfo } = JSON.parse(greeted.split('\n')[0]).result;
  check(serverInfo.name === 'sextant', `${user.label}: without arguments it serves an agent`);
  const found = JSON.parse(run(user, ['search', 'cartTotal', '--path', user.project, '--yes', '--format', 'json']));
  check(found.hits[0]?.symbol?.name === 'cartTotal', `${user.label}: it indexes and finds`);
}

/** The server of docs/api.md as its reader would have it: its code from the page, the package as it was packed. */
async function importTools({ place, project, node, env, label }) {
  const page = readFileSync(join(place, 'node_modules/sextant-mcp/docs/api.md'), 'utf8');
  writeFileSync(join(place, 'server.mjs'), /```js server\.mjs\n([\s\S]+?)```/.exec(page)[1]);
  const client = new Client({ name: 't', version: '1' });
  const args = [join(place, 'server.mjs'), project];
  await client.connect(new StdioClientTransport({ command: node, args, cwd: place, env }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  check(names.join() === 'search_code,read_file,today', `${label}: imported, its tools are served beside others`);
  const answer = await client.callTool({ name: 'search_code', arguments: { query: 'cartTotal' } });
  check(JSON.stringify(answer.structuredContent).includes('shop.ts'), `${label}: imported, it answers`);
  await client.close();
}

/** An installation with the bundle's manifest beside it is what an .mcpb holds. */
async function startAsBundle({ place, folder, project, node, env, label }) {
  const path = join(place, 'node_modules/sextant-mcp/dist/manifests/mcpb/manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  check(existsSync(join(place, manifest.server.entry_point)), `${label}: the bundle's entry point is there`);
  const given = { '${__dirname}': place, '${user_config.project}': project };
  const filled = manifest.server.mcp_config.args.map((word) => word.replace(/\$\{[^}]+\}/g, (name) => given[name]));
  const host = new Client({ name: 't', version: '1' });
  await host.connect(new StdioClientTransport({ command: node, args: filled, cwd: folder, env }));
  const served = await host.callTool({ name: 'search_code', arguments: { query: 'cartTotal' } });
  check(
    JSON.stringify(served.structuredContent).includes('shop.ts'),
    `${label}: started as the bundle says, it answers`,
  );
  await host.close();
}
