/** Freshness, watching, which folder is which project, files that are not read, the doctor. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { IndexReport } from './engine.ts';

const ALPHA =
  'export function alpha() {\n  return 1;\n}\n\nexport class Gamma {\n  run() {\n    return alpha();\n  }\n}\n';
let space: Workspace;
before(async () => {
  space = workspace({
    'package.json': '{"name": "toy", "engines": {"node": ">=20"}}\n',
    'src/alpha.ts': ALPHA,
    'src/beta.ts':
      "import { readFileSync } from 'node:fs';\nimport { alpha } from './alpha.ts';\n\n" +
      'export const beta = () => alpha();\n',
    'src/empty.ts': '',
    '.env': 'TOKEN=1\n',
    'big.txt': 'x'.repeat(2 * 1024 * 1024),
  });
  writeFileSync(join(space.root, 'image.bin'), Buffer.from([0, 1, 2, 3, 0]));
  symlinkSync('/etc/hostname', join(space.root, 'link.txt'));
  await space.engine.index(space.root);
});
after(() => space.close());

const exact = async (name: string, waitFreshMs?: number) => {
  const { engine, root } = space;
  if (waitFreshMs) await engine.search(root, { query: name, waitFreshMs });
  return (await engine.locate(root, { name })).symbols.some((symbol) => symbol.name === name);
};

test('an edit makes the index stale, a run makes it fresh', async () => {
  const { engine, root } = space;
  assert.equal((await engine.status(root)).freshness, 'fresh');
  space.write('src/delta.ts', 'export const delta = 1;\n');
  space.write('src/alpha.ts', `${ALPHA}export const more = 1;\n`);
  // Another engine has no recent look to rely on.
  const { freshness, pending } = await space.anotherEngine().status(root);
  assert.equal(freshness, 'stale');
  assert.deepEqual(pending, ['src/alpha.ts', 'src/delta.ts']);
  await engine.index(root);
  assert.equal((await engine.status(root)).freshness, 'fresh');
  space.remove('src/delta.ts');
  assert.deepEqual((await space.anotherEngine().status(root)).pending, ['src/delta.ts']);
  space.write('src/alpha.ts', ALPHA);
  await engine.index(root);
});

test("before the watcher's first check, a walk decides whether an answer is fresh", async () => {
  const { root } = space;
  const server = space.anotherEngine({ inline: false });
  const stop = await server.watch(root);
  const look = async () => {
    const { status, pending } = (await server.search(root, { query: 'alpha' })).freshness;
    return { status, pending };
  };
  try {
    assert.deepEqual(await look(), { status: 'fresh', pending: [] });
    assert.deepEqual(await look(), { status: 'fresh', pending: [] });
  } finally {
    await stop();
  }
});

test('waitFreshMs yields a fresh answer, even right after another answer', async () => {
  const { engine, root } = space;
  assert.equal((await engine.search(root, { query: 'waited' })).freshness.status, 'fresh');
  space.write('src/waited.ts', 'export function waitedFor() {\n  return 1;\n}\n');
  const answer = await engine.search(root, { query: 'waitedFor', waitFreshMs: 30_000 });
  assert.equal(answer.hits[0]?.path, 'src/waited.ts');
  assert.equal(answer.freshness.status, 'fresh');
  assert.deepEqual(answer.freshness.pending, []);
});

test('readFile() with waitFreshMs returns the current imports, also in a project without an index', async () => {
  const { engine, root } = space;
  const imports = async (path: string, waitFreshMs: number, folder = root) => {
    const { indexed, dependencies } = await engine.readFile(folder, { path, includeDependencies: true, waitFreshMs });
    return { indexed, dependencies: dependencies.map((file) => file.path) };
  };
  space.write('src/importing.ts', "import './alpha.ts';\n");
  assert.deepEqual(await imports('src/importing.ts', 0), { indexed: false, dependencies: [] });
  assert.deepEqual(await imports('src/importing.ts', 30_000), { indexed: true, dependencies: ['src/alpha.ts'] });
  space.write('src/importing.ts', "import './waited.ts';\n");
  assert.deepEqual(await imports('src/importing.ts', 0), { indexed: false, dependencies: [] });
  assert.deepEqual(await imports('src/importing.ts', 30_000), { indexed: true, dependencies: ['src/waited.ts'] });
  const fresh = join(root, '../fresh');
  space.write('../fresh/a.ts', "import './b.ts';\n");
  space.write('../fresh/b.ts', 'export const b = 1;\n');
  assert.deepEqual(await imports('a.ts', 30_000, fresh), { indexed: false, dependencies: [] });
  const stop = await engine.watch(fresh);
  try {
    assert.deepEqual(await imports('a.ts', 30_000, fresh), { indexed: true, dependencies: ['b.ts'] });
  } finally {
    await stop();
  }
});

test('a watch indexes an edit and notifies all listeners; it ends with the last listener', async () => {
  const { engine, root } = space;
  const told: string[] = [];
  const heard = (name: string) => (report: IndexReport | null) =>
    void told.push(`${name} ${report ? report.filesIndexed : 'by another'}`);
  const [stopA, stopB] = await Promise.all([engine.watch(root, heard('a')), engine.watch(root, heard('b'))]);
  try {
    space.write('src/watched.ts', 'export function watchedThing() {\n  return 1;\n}\n');
    assert.ok(await exact('watchedThing', 30_000), 'right after the edit');
    for (let i = 0; i < 400 && told.length < 2; i++) await sleep(25);
    assert.deepEqual(told.splice(0).sort(), ['a 1', 'b 1']);
    space.write('src/copied.ts', 'export function watchedThing() {\n  return 1;\n}\n');
    for (let i = 0; i < 400 && told.length < 2; i++) await sleep(25);
    assert.deepEqual(told.splice(0).sort(), ['a 0', 'b 0'], 'a file that has come, though its content was known');
    await stopA();
    await stopA();
    assert.notEqual((await engine.status(root)).watching, 'off');
    space.write('src/watched.ts', 'export function watchedAgain() {\n  return 1;\n}\n');
    for (let i = 0; i < 400 && !(await exact('watchedAgain')); i++) await sleep(25);
    assert.ok(await exact('watchedAgain'), 'without being asked');
  } finally {
    await stopA();
    await stopB();
  }
  assert.equal((await engine.status(root)).watching, 'off');
});

test('a watched folder inside an indexed project is a project of its own before its first index', async () => {
  const { engine, root } = space;
  const inner = join(root, 'src/inner');
  space.write('src/inner/kept.ts', 'export function keptInside() {\n  return 1;\n}\n');
  await engine.index(root);
  assert.equal(await engine.root(inner), root);
  const stop = await engine.watch(inner);
  try {
    assert.equal(await engine.root(inner), inner);
    await engine.firstIndex(inner, { timeoutMs: 30_000 });
    assert.equal(await engine.root(inner), inner);
    const { hits } = await engine.search(inner, { query: 'keptInside' });
    assert.deepEqual(
      hits.map(({ path }) => path),
      ['kept.ts'],
    );
  } finally {
    await stop();
  }
});

test("the status of a folder inside an indexed project shows that folder's job, also a failed one", async () => {
  const { engine, root } = space;
  mkdirSync(join(root, 'src/empty'));
  space.write('src/part/kept.ts', 'export function keptInPart() {\n  return 1;\n}\n');
  await engine.index(root);
  for (const [folder, outcome] of [
    ['src/part', 'published'],
    ['src/empty', 'failed'],
  ] as const) {
    const job = await engine.startIndex(join(root, folder));
    const found = async () => (await engine.status(join(root, folder))).recentJobs.map(({ jobId }) => jobId);
    assert.deepEqual(await found(), [job.jobId], 'while it runs');
    while ((await engine.status(join(root, folder))).indexing === 'indexing') await sleep(10);
    const { recentJobs, project } = await engine.status(join(root, folder));
    assert.deepEqual([recentJobs[0]?.status, project.root], [outcome, join(root, folder)]);
  }
});

test('a folder inside an indexed project means that project', async () => {
  const { engine, root } = space;
  const inside = join(root, 'src');
  assert.equal((await engine.search(inside, { query: 'alpha' })).hits[0]?.path, 'src/alpha.ts');
  assert.equal((await engine.status(inside)).project.root, root);
  assert.equal((await engine.readFile(inside, { path: 'src/alpha.ts' })).content, ALPHA);
});

test('project() describes a project from its manifest and refuses invalid paths', async () => {
  const { engine, root } = space;
  const info = await engine.project(root);
  assert.equal(info.moduleName, 'toy');
  assert.equal(info.registered, true);
  assert.equal(info.isGit, false);
  assert.match(info.projectId, /^[0-9a-f]{16}$/);
  await assert.rejects(engine.project(join(root, 'nowhere')), { code: 'path_not_found' });
  await assert.rejects(engine.project(join(root, 'package.json')), { code: 'not_a_directory' });
  await assert.rejects(engine.project(join(root, 'package.json/x')), { code: 'not_a_directory' });
  const everything = { code: 'invalid_input', message: /whole file system/ };
  for (const begin of ['index', 'startIndex'] as const)
    await assert.rejects(engine[begin](parse(root).root), everything);
  await assert.rejects(engine.project(''), { code: 'invalid_input' });
  await assert.rejects(engine.index(root, { ref: 'main' }), { code: 'not_a_repository' });
  await assert.rejects(engine.search(root, { query: 'alpha', ref: 'main' }), { code: 'not_a_repository' });
  await assert.rejects(engine.status(root, 'main'), { code: 'not_a_repository' });
});

test('readFile() shows an edited file as it is on disk, without its old outline', async () => {
  const { engine, root } = space;
  space.write('src/beta.ts', 'export const changed = 1;\n');
  const { content, outline } = await engine.readFile(root, { path: 'src/beta.ts' });
  assert.equal(content, 'export const changed = 1;\n');
  assert.deepEqual(outline, []);
});

test('readFile() refuses files outside the project, secrets, binaries and huge files', async () => {
  const { engine, root } = space;
  for (const [path, code] of [
    ['../home/x', 'path_forbidden'],
    ['/etc/passwd', 'path_forbidden'],
    ['src/../../x', 'path_forbidden'],
    ['link.txt', 'path_forbidden'],
    ['.env', 'path_forbidden'],
    ['image.bin', 'path_forbidden'],
    ['big.txt', 'file_too_large'],
    ['src/none.ts', 'file_not_found'],
  ] as const)
    await assert.rejects(engine.readFile(root, { path }), { code }, path);
});

test('the doctor reports every part, and a fix for each that fails', async () => {
  const lines = await space.engine.doctor(space.root);
  const status = Object.fromEntries(lines.map((line) => [line.name, line.status]));
  for (const name of ['node', 'sqlite', 'grammars', 'ripgrep', 'model', 'git', 'data folder'])
    assert.equal(status[name], 'ok', name);
  for (const { status: state, fix } of lines) assert.equal(fix === null, state === 'ok');
  const nowhere = join(space.root, 'src');
  const broken = await space.anotherEngine({ modelFolder: nowhere, grammarFolder: nowhere }).doctor(null);
  for (const name of ['model', 'grammar go']) {
    const line = broken.find((each) => each.name === name);
    assert.equal(line?.status, 'fail', name);
    assert.ok(line?.fix, name);
  }
});

test('a damaged model: the doctor reports it and continues, a search names the fix', async () => {
  const shipped = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'models');
  const modelFolder = join(space.home, '..', 'models');
  const damage: Record<string, () => void> = {
    'some bytes of the vectors': () => {
      const bytes = readFileSync(join(modelFolder, 'static.bin'));
      writeFileSync(join(modelFolder, 'static.bin'), bytes.fill(7, 100_000, 104_000));
    },
    'vectors that end early': () => truncateSync(join(modelFolder, 'static.bin'), 1_000),
    'no vectors': () => rmSync(join(modelFolder, 'static.bin')),
    'no weights': () => writeFileSync(join(modelFolder, 'ranker.json'), '{}'),
  };
  for (const [what, make] of Object.entries(damage)) {
    cpSync(shipped, modelFolder, { recursive: true });
    make();
    // Without grammars, which the doctor would compile each time.
    const lines = await space.anotherEngine({ modelFolder, grammarFolder: modelFolder }).doctor(space.root);
    const model = lines.find(({ name }) => name === 'model');
    assert.deepEqual([model?.status, model?.fix?.startsWith('Reinstall')], ['fail', true], what);
    for (const name of ['ignore rules', 'index'])
      assert.equal(lines.find((line) => line.name === name)?.status, 'ok', `${what}: ${name}`);
  }
  const poor = space.anotherEngine({ modelFolder });
  await assert.rejects(poor.search(space.root, { query: 'alpha' }), { code: 'model_damaged' });
  writeFileSync(join(modelFolder, 'ranker.json'), 'null');
  await assert.rejects(poor.search(space.root, { query: 'alpha' }), { code: 'model_damaged' });
});
