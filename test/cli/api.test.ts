/** The package as a program imports it: the built entry, its types, and the server of docs/api.md with a real client. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type * as Api from '../../src/public-api.d.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

describe('the importable package', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-api-')));
  const project = join(folder, 'project');
  const dataFolder = join(folder, 'home');
  let api: typeof Api;

  before(async () => {
    mkdirSync(project);
    writeFileSync(join(project, 'shop.ts'), '/** Adds up a cart. */\nexport function cartTotal() {\n  return 0;\n}\n');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/sextant-mcp'));
    for (const scope of ['@modelcontextprotocol', '@types'])
      symlinkSync(join(root, 'node_modules', scope), join(folder, 'node_modules', scope));
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(join(folder, 'entry.mjs'), "export * from 'sextant-mcp';\n");
    api = (await import(pathToFileURL(join(folder, 'entry.mjs')).href)) as typeof Api;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('createEngine indexes, searches and keeps its data in the folder that it is given', async () => {
    const engine = await api.createEngine({ dataFolder, project });
    try {
      assert.equal((await engine.index(project)).filesTotal, 1);
      const { hits } = await engine.search(project, { query: 'cartTotal' });
      assert.equal(hits[0]?.symbol?.name, 'cartTotal');
      const failure = await engine.search(project, { query: '' }).catch((error: unknown) => error);
      assert.ok(failure instanceof api.EngineError);
      assert.equal(failure.code, 'empty_query');
    } finally {
      await engine.close();
    }
  });

  test('createEngine takes settings by name and refuses one that does not exist or does not fit', async () => {
    const settings = { 'index.exclude': ['shop.ts'] };
    const engine = await api.createEngine({ dataFolder: join(folder, 'other'), project, settings });
    try {
      const failure = await engine.index(project).catch((error: unknown) => error);
      assert.ok(failure instanceof api.EngineError, 'the only file is excluded');
    } finally {
      await engine.close();
    }
    for (const wrong of [{ 'index.exlude': [] }, { 'index.exclude': 'shop.ts' }, { constructor: 'x' }])
      await assert.rejects(
        api.createEngine({ dataFolder, settings: wrong as unknown as Record<string, string> }),
        (error: unknown) => error instanceof api.EngineError && error.code === 'invalid_input',
      );
  });

  test('every profile offers its tools, answers a call and words a failure in its own form', async () => {
    const engine = await api.createEngine({ dataFolder, project });
    try {
      await engine.index(project);
      for (const [name, open] of Object.entries(api.profiles)) {
        const profile = await open({ engine, workspace: project, dataFolder });
        assert.equal(profile.name, name);
        assert.ok(profile.tools.every((tool) => tool.inputSchema.type === 'object' && tool.description !== ''));
        const unknown = await profile.call('no_such_tool').catch((error: { code: number; isError?: true }) => error);
        assert.ok(unknown.code === -32602 || unknown.isError === true, name);
        await profile.close();
      }
      const sextant = await api.profiles.sextant({ engine, workspace: project, dataFolder });
      const found = await sextant.call('search_code', { query: 'cartTotal' });
      assert.match(JSON.stringify(found.structuredContent), /shop\.ts/);
      assert.equal((await sextant.call('search_code', { query: 7 })).isError, true);
    } finally {
      await engine.close();
    }
  });

  test('the server of docs/api.md serves our tools beside its own', async () => {
    const code = /```js server\.mjs\n([\s\S]+?)```/.exec(readFileSync(join(root, 'docs/api.md'), 'utf8'))![1]!;
    writeFileSync(join(folder, 'server.mjs'), code);
    const client = new Client({ name: 't', version: '1' });
    const env = { PATH: process.env.PATH ?? '', HOME: folder, SEXTANT_HOME: dataFolder };
    const args = [join(folder, 'server.mjs'), project];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: folder }));
    try {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['search_code', 'read_file', 'today'],
      );
      const found = await client.callTool({ name: 'search_code', arguments: { query: 'cartTotal' } });
      assert.match(JSON.stringify(found.structuredContent), /shop\.ts/);
      const today = await client.callTool({ name: 'today', arguments: {} });
      assert.match(JSON.stringify(today.content), /\d{4}-\d\d-\d\d/);
    } finally {
      await client.close();
    }
  });

  test('the types of the package hold for a program that imports it', () => {
    const program = `import { createEngine, EngineError, profiles, type Hit } from 'sextant-mcp';
const engine = await createEngine({ settings: { 'index.exclude': ['x'] } });
const first: Hit | undefined = (await engine.search('.', { query: 'x' })).hits[0];
const { tools } = await profiles['context-tool']({ engine });
if (first === undefined) throw new Error(tools[0]?.name ?? EngineError.name);
// @ts-expect-error a query is needed
await engine.search('.', {});
`;
    writeFileSync(join(folder, 'program.mts'), program);
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags, 'program.mts'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });
});
