/** A writer's connection between two runs of one process. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchOf, draftOf, indexFiles, LIVE, optionsFor, temporaryFolder } from '../fixtures/made-up.ts';
import { closeIdleWriter, leaseHolder, openReader, openWriter, SCHEMA_VERSION } from '../index.ts';
import { Database } from './database.ts';

const KEPT = { owner: 'server', keepMs: 60_000, graceMs: 0 } as const;

function space(t: { after(done: () => void): void }) {
  const options = optionsFor(temporaryFolder(t));
  t.after(() => closeIdleWriter(options.folder));
  const path = join(options.folder, 'index.sqlite');
  const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return { options, path, logBytes };
}

/** Publishes the files as the live tree from another process. */
function elsewhere(folder: string, files: Record<string, string>): void {
  const made = new URL('../fixtures/made-up.ts', import.meta.url).href;
  const store = new URL('../index.ts', import.meta.url).href;
  const script = `const { indexFiles, optionsFor } = await import(${JSON.stringify(made)});
    const { openWriter } = await import(${JSON.stringify(store)});
    const writer = openWriter(optionsFor(${JSON.stringify(folder)}), { owner: 'elsewhere', graceMs: 0 });
    indexFiles(writer, ${JSON.stringify(files)});
    writer.compact({ full: true });
    writer.release();`;
  execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio: 'inherit' });
}

const pathsOf = (options: ReturnType<typeof optionsFor>): string[] => {
  const reader = openReader(options);
  try {
    return reader.openTree(LIVE)!.files.map(({ path }) => path);
  } finally {
    reader.close();
  }
};

test('an idle connection holds no lease, and is checkpointed and closed on request or after its time', async (t) => {
  const { options, logBytes } = space(t);
  for (const end of ['told', 'alone'] as const) {
    const writer = openWriter(options, { ...KEPT, keepMs: end === 'told' ? 60_000 : 20 });
    indexFiles(writer, { a: `one ${end}` });
    writer.release();
    assert.equal(leaseHolder(options.folder), null);
    assert.ok(logBytes() > 0, `${end}: the log is not written back after each run`);
    if (end === 'told') closeIdleWriter(options.folder);
    else for (let i = 0; i < 200 && logBytes() > 0; i++) await sleep(20);
    assert.equal(logBytes(), 0, end);
  }
});

test('a run without keepMs uses the idle connection and closes it', (t) => {
  const { options, logBytes } = space(t);
  const first = openWriter(options, KEPT);
  indexFiles(first, { a: 'one' });
  first.release();
  const last = openWriter(options, { owner: 'command' });
  indexFiles(last, { a: 'two' });
  last.release();
  assert.equal(logBytes(), 0);
  assert.deepEqual(pathsOf(options), ['a']);
});

test('an idle connection sees what another process wrote, merged and deleted meanwhile', (t) => {
  const { options } = space(t);
  const files: Record<string, string> = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`f${i}`, `name${i} word${i}\nsecond${i}`]),
  );
  const first = openWriter(options, KEPT);
  indexFiles(first, files);
  first.release();
  for (let i = 0; i < 20; i++) files[`f${i}`] = `other${i} term${i}\nthird${i}`;
  files.g = 'new of elsewhere';
  elsewhere(options.folder, files);
  const second = openWriter(options, KEPT);
  files.f3 = 'last word';
  indexFiles(second, files);
  second.compact({ full: true });
  const found = [...second.reader.dump(LIVE)].join('\n');
  assert.deepEqual(second.reader.check(true), []);
  second.release();
  const fresh = openWriter(optionsFor(temporaryFolder(t)), { owner: 'fresh' });
  indexFiles(fresh, files);
  assert.equal(found, [...fresh.reader.dump(LIVE)].join('\n'));
  fresh.release();
});

test('an idle connection is not used for another file of the same name, nor by a forced run', (t) => {
  const { options, path } = space(t);
  const run = (text: string, force = false) => {
    const writer = openWriter(options, { ...KEPT, force });
    indexFiles(writer, { [text]: text });
    writer.release();
  };
  run('aside');
  for (const suffix of ['-wal', '-shm', '']) renameSync(path + suffix, `${path}.damaged-1${suffix}`);
  run('second');
  assert.deepEqual(pathsOf(options), ['second']);
  for (const suffix of ['-wal', '-shm', '']) rmSync(path + suffix, { force: true });
  elsewhere(options.folder, { third: 'third' });
  run('fourth');
  assert.deepEqual(pathsOf(options), ['fourth']);
  run('forced', true);
  assert.deepEqual(pathsOf(options), ['forced']);
});

test('a newer version of Sextant may migrate the file of an idle connection', (t) => {
  const { options, path } = space(t);
  const writer = openWriter(options, KEPT);
  indexFiles(writer, { a: 'one' });
  writer.release();
  const newer = Database.open(path, 'write');
  newer.exec(`ALTER TABLE job ADD COLUMN more TEXT; PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
  assert.throws(() => openWriter(options, KEPT), { code: 'store_newer' });
});

test('a connection on which a call has failed is closed instead of kept', (t) => {
  const { options, path, logBytes } = space(t);
  const writer = openWriter(options, KEPT);
  indexFiles(writer, { a: 'one' });
  const other = Database.open(path, 'write');
  other.exec('DROP TABLE vec');
  other.close();
  writer.write(batchOf(['two']));
  assert.throws(() => writer.publish(draftOf({ a: 'two' })));
  writer.release();
  assert.equal(logBytes(), 0);
});
