/** A change and the history of several repositories that are asked as one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

const ROUND = 'export function round(value: number) {\n  return value;\n}\n';
const FILES: Readonly<Record<string, string>> = {
  'money/package.json': '{ "name": "@acme/money", "main": "src/round.ts" }\n',
  'money/src/round.ts': ROUND,
  "shop's/package.json": '{ "name": "shop", "devDependencies": { "vitest": "1" } }\n',
  "shop's/src/cart.ts": "import { round } from '@acme/money';\n\nexport function total() {\n  return round(1);\n}\n",
  "shop's/test/cart.test.ts": "import { total } from '../src/cart.ts';\n\ntotal();\n",
  'plain/notes.ts': 'export const note = 1;\n',
};
const SCOPE = 'workspace:all';

let space: Workspace;
const git = (name: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(space.root, name) });
before(async () => {
  space = workspace(FILES);
  for (const name of ['money', "shop's"]) {
    git(name, 'init', '-q');
    git(name, 'add', '-A');
    git(name, 'commit', '-qm', `Round prices of ${name}`);
  }
  const roots = ['money', "shop's", 'plain'].map((name) => join(space.root, name));
  for (const root of roots) await space.engine.index(root);
  await space.engine.addToWorkspace('all', roots);
});
after(() => space.close());

test('a symbol of one repository has its users and tests in another, which run in their own folder', async () => {
  const answer = await space.engine.impact(SCOPE, { target: 'round' });
  const places = answer.modules.flatMap((module) => module.places.map(({ path, line }) => `${path}:${line}`));
  assert.deepEqual(places, ['shop-s/src/cart.ts:4']);
  assert.deepEqual(
    answer.tests.map(({ path }) => path),
    ['shop-s/test/cart.test.ts'],
  );
  const folder = join(space.root, "shop's").replaceAll("'", "'\\''");
  assert.deepEqual(answer.commands, [
    { runner: 'vitest', line: `(cd '${folder}' && npx vitest run test/cart.test.ts)` },
  ]);
});

test('what differs in any repository is the change, and a folder without git is named', async () => {
  space.write('money/src/round.ts', ROUND.replace('value;', 'Math.round(value);'));
  await space.engine.index(join(space.root, 'money'));
  const answer = await space.engine.impact(SCOPE);
  assert.deepEqual(
    answer.symbols.map(({ name, path, change }) => `${path} ${name} ${change}`),
    ['money/src/round.ts round changed'],
  );
  assert.ok(answer.modules.some(({ places }) => places.some(({ path }) => path === 'shop-s/src/cart.ts')));
  assert.match(answer.notices.join('\n'), /^plain: /m);
  git('money', 'checkout', '-q', '.');
  await space.engine.index(join(space.root, 'money'));
});

test('the history of words is that of all repositories, of a symbol that of its own', async () => {
  const spoken = await space.engine.commits(SCOPE, { query: 'round prices' });
  assert.deepEqual(
    new Set(spoken.commits.map(({ repository, subject }) => `${repository}: ${subject}`)),
    new Set(['money: Round prices of money', "shop-s: Round prices of shop's"]),
  );
  const own = await space.engine.commits(SCOPE, { query: 'total' });
  assert.deepEqual(
    own.commits.map(({ repository, found }) => `${repository} ${found}`),
    ['shop-s lines'],
  );
  await assert.rejects(space.engine.commits('workspace:all/plain', { query: 'note' }), { code: 'not_a_repository' });
});
