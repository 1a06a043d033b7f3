import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { batchOf, draftOf, indexFiles, optionsFor, temporaryFolder } from '../fixtures/made-up.ts';
import { leaseHolder, openWriter } from '../index.ts';
import { Database } from './database.ts';
import { processStart } from './lease.ts';

/** Rewrites the lease row as if another process held the lease. */
function pretend(folder: string, changes: Record<string, string | number>): void {
  const db = Database.open(join(folder, 'index.sqlite'), 'write');
  for (const [column, value] of Object.entries(changes)) db.run(`UPDATE lease SET ${column} = ?`, value);
  db.close();
}

test('a second writer is refused, and the error names the holder of the lease', (t) => {
  const options = optionsFor(temporaryFolder(t));
  assert.equal(leaseHolder(options.folder), null);
  const writer = openWriter(options, { owner: 'first' });
  assert.throws(
    () => openWriter(options, { owner: 'second' }),
    (error: { code: string; data: { pid: number; owner: string } }) => {
      assert.deepEqual([error.code, error.data.pid, error.data.owner], ['index_in_progress', process.pid, 'first']);
      return true;
    },
  );
  assert.equal(leaseHolder(options.folder)?.owner, 'first');
  writer.heartbeat();
  writer.release();
  writer.release();
  assert.equal(leaseHolder(options.folder), null);
  openWriter(options, { owner: 'second' }).release();
});

test('the lease of a dead process is taken over, even if its pid is in use again', async (t) => {
  const options = optionsFor(temporaryFolder(t));
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const first = openWriter(options, { owner: 'dead' });
  t.after(() => first.release());
  pretend(options.folder, { pid: child.pid! });
  const second = openWriter(options, { owner: 'next' });
  t.after(() => second.release());
  assert.equal(leaseHolder(options.folder)?.owner, 'next');
  if (processStart(process.pid) === '') return;
  pretend(options.folder, { started: 'long before', pid: process.pid });
  const third = openWriter(options, { owner: 'third' });
  t.after(() => third.release());
  assert.equal(leaseHolder(options.folder)?.owner, 'third');
});

test('a living process keeps the lease, whatever the clock says', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'first' });
  t.after(() => writer.release());
  if (processStart(process.pid) === '') return;
  for (const heartbeat_ms of [0, Date.now() + 1e12]) {
    pretend(options.folder, { heartbeat_ms });
    assert.throws(() => openWriter(options, { owner: 'second' }), { code: 'index_in_progress' });
  }
});

test('for a holder on another host only the heartbeat counts', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'far' });
  t.after(() => writer.release());
  pretend(options.folder, { host: 'elsewhere', heartbeat_ms: Date.now() - 10_000 });
  assert.throws(() => openWriter(options, { owner: 'near' }), { code: 'index_in_progress' });
  pretend(options.folder, { heartbeat_ms: Date.now() - 600_000 });
  openWriter(options, { owner: 'near' }).release();
});

test('a writer that has lost the lease cannot write', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const lost = openWriter(options, { owner: 'lost' });
  t.after(() => lost.release());
  indexFiles(lost, { a: 'one' });
  pretend(options.folder, { host: 'elsewhere', heartbeat_ms: 0 });
  const holder = openWriter(options, { owner: 'holder' });
  t.after(() => holder.release());
  lost.write(batchOf(['two']));
  for (const attempt of [
    () => lost.flush(),
    () => lost.publish(draftOf({ b: 'two' })),
    () => lost.heartbeat(),
    () => lost.compact({ full: true }),
  ])
    assert.throws(attempt, { code: 'index_in_progress' });
  lost.release();
  assert.equal(leaseHolder(options.folder)?.owner, 'holder');
  indexFiles(holder, { c: 'three' });
});
