/** After SIGKILL at any moment of indexing, merging or migrating, published trees are whole and the next run continues. */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, type Sandbox, sandbox, worked } from '../cli/sextant.ts';
import { EXTENSIONS, madeUpFile } from './made-up-code.ts';
import { descendants, isLinux, survivors } from './processes.ts';
import { onlyFull, Random, rounds } from './scale.ts';
import { dump, freshDump, sql, storeFolder } from './store.ts';

const KEPT = 'export function kept_through_everything() {\n  return 1;\n}\n';

function fill(box: Sandbox, random: Random, count: number): void {
  for (let i = 0; i < count; i++) {
    const extension = random.pick(EXTENSIONS);
    box.write({
      [`src/part${random.below(12)}/file${random.below(80)}.${extension}`]: madeUpFile(random, extension, 40),
    });
  }
}

/** Starts the command and kills it after a time. Asserts that none of its children outlives it. */
async function killed(box: Sandbox, args: readonly string[], delayMs: number): Promise<void> {
  const child = box.start(args);
  child.stdout.resume();
  child.stderr.resume();
  await sleep(delayMs);
  const below = isLinux && child.exitCode === null ? descendants(child.pid!) : [];
  child.kill('SIGKILL');
  await ended(child);
  const left = await survivors(below, 15_000);
  assert.deepEqual(left, [], 'processes outlive the one that was killed');
}

/** How long the command takes if it is not killed. */
function timed(box: Sandbox, ...args: string[]): number {
  const started = performance.now();
  worked(box.run(args));
  return performance.now() - started;
}

test('a kill while indexing leaves the last published tree or the next one', async () => {
  const box = sandbox();
  const random = new Random(71);
  box.write({ 'kept.ts': KEPT });
  fill(box, random, rounds(30, 80));
  // After a kill of the first run, the error has to say that nothing is indexed.
  await killed(box, ['index'], 250 + random.below(600));
  const typical = timed(box, 'index', '--quiet');
  for (let round = 0; round < rounds(1, 26); round++) {
    const before = dump(box.home, box.path());
    fill(box, random, 5 + random.below(40));
    const args = random.below(4) === 0 ? ['index', '--force'] : ['index'];
    const delayMs = Math.round(random.next() * Math.max(600, typical * 1.2));
    await killed(box, args, delayMs);
    const found = dump(box.home, box.path());
    assert.match(
      worked(box.run(['locate', 'kept_through_everything'])),
      /kept\.ts/,
      `round ${round}: an old answer is gone`,
    );
    worked(box.run(['index', '--quiet']));
    const after = dump(box.home, box.path());
    assert.ok(found === before || found === after, `round ${round}, killed after ${delayMs} ms: neither tree`);
    assert.match(worked(box.run(['verify'])), /sound and up to date/);
  }
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')), 'the same as a fresh index');
});

test('a kill while merging or deleting contents changes no answer', { skip: onlyFull }, async () => {
  const box = sandbox();
  const random = new Random(72);
  box.write({ 'kept.ts': KEPT });
  for (let i = 0; i < 8; i++) {
    fill(box, random, 20);
    worked(box.run(['index', '--quiet']));
  }
  const ready = join(box.folder, 'ready');
  cpSync(storeFolder(box.home), ready, { recursive: true });
  const typical = timed(box, 'refs', 'gc');
  const said = dump(box.home, box.path());
  for (let round = 0; round < 12; round++) {
    restore(box, ready);
    const delayMs = Math.round(random.next() * typical);
    await killed(box, ['refs', 'gc'], delayMs);
    assert.equal(dump(box.home, box.path()), said, `round ${round}, killed after ${delayMs} ms`);
  }
  worked(box.run(['refs', 'gc']));
  assert.equal(dump(box.home, box.path()), said);
});

test('a kill while migrating leaves the old store or the new one, with the same answers', {
  skip: onlyFull,
}, async () => {
  const box = sandbox();
  const random = new Random(73);
  box.write({ 'kept.ts': KEPT });
  fill(box, random, 200);
  worked(box.run(['index', '--quiet']));
  const said = dump(box.home, box.path());
  downgrade(box);
  const ready = join(box.folder, 'ready');
  cpSync(storeFolder(box.home), ready, { recursive: true });
  const typical = timed(box, 'locate', 'kept_through_everything');
  for (let round = 0; round < 12; round++) {
    restore(box, ready);
    await killed(box, ['locate', 'kept_through_everything'], Math.round((0.3 + 0.7 * random.next()) * typical));
    assert.match(worked(box.run(['locate', 'kept_through_everything'])), /kept\.ts/, `round ${round}`);
    assert.equal(dump(box.home, box.path()), said, `round ${round}`);
  }
});

/** Restores the store from a copy. */
function restore(box: Sandbox, copy: string): void {
  const folder = storeFolder(box.home);
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });
}

/** Turns the store into one of version 1: without the columns that versions 2 and 4 added. */
function downgrade(box: Sandbox): void {
  const columns = [
    ['body', 'text_sum'],
    ['body', 'detail_sum'],
    ['post', 'sum'],
    ['vec', 'sum'],
    ['segment', 'terms_sum'],
    ['segment', 'docs_sum'],
    ['tree', 'sum'],
    ['tree_paths', 'sum'],
    ['tree', 'packed'],
    ['tree_paths', 'packed'],
  ];
  sql(
    box.home,
    ...columns.map(([table, column]) => `ALTER TABLE ${table} DROP COLUMN ${column}`),
    'PRAGMA user_version = 1',
  );
}
