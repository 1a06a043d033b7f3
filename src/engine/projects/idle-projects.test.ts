/** Issue 26: a server lets go of projects that nobody asks about. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineConfig } from '../../../test/engine-config.ts';
import { workspace } from '../../../test/workspace.ts';
import { loadStaticModel } from '../../embed/index.ts';
import { openReader } from '../../store/index.ts';
import { OpenProjects } from './open-projects.ts';

const LIMITS = { idleMs: 600, maxOpen: 2, quietMs: 60 };

async function threeProjects(t: { after(done: () => Promise<void>): void }) {
  const spaces = ['one', 'two', 'three'].map((name) => workspace({ 'a.ts': `export function ${name}() {}\n` }));
  t.after(async () => {
    for (const space of spaces) await space.close();
  });
  const home = spaces[0]!.home;
  for (const { root } of spaces) await spaces[0]!.engine.index(root);
  const roots = spaces.map(({ root }) => root);
  const state = { nowMs: 0, busy: '' };
  const closed: string[] = [];
  const projects = new OpenProjects(home, () => ({ id: '', dims: 0 }), {
    limits: LIMITS,
    nowMs: () => state.nowMs,
    isBusy: (root) => root === state.busy,
    onClosed: (root) => closed.push(root),
  });
  t.after(async () => projects.close());
  return { projects, roots, state, closed };
}

test('a project without calls is closed, and the next call opens it again', async (t) => {
  const { projects, roots, state, closed } = await threeProjects(t);
  const before = await projects.around(roots[0]!);
  assert.equal(before.view().files.length, 1);
  state.nowMs = LIMITS.idleMs - 1;
  projects.closeIdle();
  assert.deepEqual(projects.roots, [roots[0]]);
  state.nowMs = LIMITS.idleMs;
  projects.closeIdle();
  assert.deepEqual(projects.roots, []);
  assert.deepEqual(closed, [roots[0]]);
  const again = await projects.around(roots[0]!);
  assert.notEqual(again, before);
  assert.equal(again.view().files[0]!.path, 'a.ts');
});

test('a reopened project gets a graph over its new reader, although another reader kept the view', async (t) => {
  const { projects, roots, state } = await threeProjects(t);
  const before = await projects.around(roots[0]!);
  const view = await before.find();
  const { graph } = await projects.graphContext(before, view);
  const other = openReader({ folder: before.resolved.storeFolder, modelId: '', dims: 0 });
  t.after(async () => other.close());
  other.openTree({ root: roots[0]!, ref: 'live' });
  state.nowMs = LIMITS.idleMs;
  projects.closeIdle();
  const again = await projects.around(roots[0]!);
  assert.equal(await again.find(), view);
  assert.notEqual((await projects.graphContext(again, view)).graph, graph);
});

test('with too many projects open, the least recently used are closed, but none that was queried a moment ago', async (t) => {
  const { projects, roots, state } = await threeProjects(t);
  const [one, two, three] = roots as [string, string, string];
  for (const root of roots) await projects.around(root);
  await projects.around(one);
  projects.closeIdle();
  assert.deepEqual(projects.roots, [two, three, one]);
  state.nowMs = LIMITS.quietMs;
  projects.closeIdle();
  assert.deepEqual(projects.roots, [three, one]);
});

test('a project with an active run is not closed', async (t) => {
  const { projects, roots, state } = await threeProjects(t);
  const [one, two] = roots as [string, string, string];
  state.busy = one;
  await projects.around(one);
  await projects.around(two);
  state.nowMs = 10 * LIMITS.idleMs;
  projects.closeIdle();
  assert.deepEqual(projects.roots, [one]);
});

test('a project stays open until an export of it has been read', async (t) => {
  const { FileCalls } = await import('../files/file-calls.ts');
  const space = workspace({ 'a.ts': 'export function one() {}\n' });
  t.after(() => space.close());
  await space.engine.index(space.root);
  const embedder = loadStaticModel(engineConfig(space.home).modelFolder);
  const projects = new OpenProjects(space.home, () => embedder);
  t.after(async () => projects.close());
  const parts = { config: { redact: true }, projects, models: { embedder } };
  const files = new FileCalls(parts as unknown as ConstructorParameters<typeof FileCalls>[0]);
  const { chunks } = await files.exportChunks(space.root);
  for (const chunk of chunks) {
    assert.ok(chunk);
    assert.ok(files.isExporting(space.root));
    break;
  }
  assert.ok(!files.isExporting(space.root));
});
