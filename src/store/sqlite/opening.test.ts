/** Opening store files that are missing, foreign, old, new, damaged or inaccessible. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { draftOf, indexFiles, LIVE, optionsFor, temporaryFolder } from '../fixtures/made-up.ts';
import { openReader, openWriter, readSchemaStatus, SCHEMA_VERSION } from '../index.ts';
import type { StoreReader } from '../store.ts';
import { Database } from './database.ts';

function built(t: { after(done: () => void): void }) {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'test' });
  indexFiles(
    writer,
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, `word${i} other${i}\nthird${i}`])),
  );
  writer.release();
  return { options, path: join(options.folder, 'index.sqlite') };
}

test('opening a missing file throws not_indexed', (t) => {
  const options = optionsFor(join(temporaryFolder(t), 'nowhere'));
  assert.throws(() => openReader(options), { code: 'not_indexed' });
  assert.deepEqual(readSchemaStatus(options.folder), { status: 'not_indexed', found: 0, required: SCHEMA_VERSION });
  assert.equal(existsSync(options.folder), false, 'asking creates nothing');
});

test('a file without tables is not_indexed for a reader, and a writer creates its tables', (t) => {
  const options = optionsFor(temporaryFolder(t));
  writeFileSync(join(options.folder, 'index.sqlite'), '');
  assert.throws(() => openReader(options), { code: 'not_indexed' });
  openWriter(options, { owner: 'test' }).release();
  openReader(options).close();
});

test('a store of a newer schema is refused and stays unchanged', (t) => {
  const { options, path } = built(t);
  const db = Database.open(path, 'write');
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 5}`);
  db.close();
  for (const open of [() => openReader(options), () => openWriter(options, { owner: 'test', force: true })])
    assert.throws(open, { code: 'store_newer' });
  assert.deepEqual(readSchemaStatus(options.folder), {
    status: 'store_newer',
    found: SCHEMA_VERSION + 5,
    required: SCHEMA_VERSION,
  });
});

test('wrong tables are damage, a schema too old is reported, and a forced run sets both files aside', (t) => {
  for (const [version, code, words] of [
    [0, 'reindex_required', /schema/],
    [1, 'store_corrupt', /is not what schema 1 says \((?:table meta|duplicate column)/],
  ] as const) {
    const { options, path } = built(t);
    const db = Database.open(path, 'write');
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    for (const open of [() => openReader(options), () => openWriter(options, { owner: 'test' })])
      assert.throws(open, { code, message: words });
    if (version === 0) assert.equal(readSchemaStatus(options.folder).status, 'reindex_required');
    openWriter(options, { owner: 'test', force: true }).release();
    openReader(options).close();
    assert.ok(existsSync(`${path}.damaged-1`));
  }
});

test('a file that is no database is reported, and a forced run sets it aside without deleting it', (t) => {
  const options = optionsFor(temporaryFolder(t));
  const path = join(options.folder, 'index.sqlite');
  for (const n of [1, 2]) {
    writeFileSync(path, `garbage ${n} `.repeat(2000));
    assert.throws(() => openReader(options), { code: 'store_corrupt' });
    assert.equal(readSchemaStatus(options.folder).status, 'store_corrupt');
    assert.throws(() => openWriter(options, { owner: 'test' }), { code: 'store_corrupt' });
    openWriter(options, { owner: 'test', force: true }).release();
    openReader(options).close();
    assert.match(readFileSync(`${path}.damaged-${n}`, 'latin1'), new RegExp(`^garbage ${n} `));
  }
});

test('damage at any byte is found by the check or changes no answer, and never ends the process', (t) => {
  const { options, path } = built(t);
  const whole = readFileSync(path);
  const sound = openReader(options);
  const said = [...sound.dump(LIVE)];
  sound.close();
  let reported = 0;
  for (let page = 0; page < whole.length / 8192; page++) {
    const bytes = Buffer.from(whole);
    const at = page * 8192 + (page % 3) * 2700;
    bytes.fill(0xa5, at + 8, at + 2000);
    writeFileSync(path, bytes);
    let reader: StoreReader | undefined;
    try {
      reader = openReader(options);
      if (reader.check(true).length > 0) reported++;
      else assert.deepEqual([...reader.dump(LIVE)], said, `page ${page}`);
      for (const _ of reader.dump(LIVE));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      assert.equal((error as { code?: string }).code, 'store_corrupt', (error as Error).stack);
      reported++;
    } finally {
      reader?.close();
    }
  }
  assert.ok(reported > 3, `${reported} pages were reported`);
});

test('a truncated file is reported, and a forced run sets it aside', (t) => {
  const { options, path } = built(t);
  truncateSync(path, 3 * 8192);
  assert.throws(
    () => {
      const reader = openReader(options);
      try {
        reader.openTree(LIVE);
      } finally {
        reader.close();
      }
    },
    { code: 'store_corrupt' },
  );
  const writer = openWriter(options, { owner: 'test', force: true });
  t.after(() => writer.release());
  assert.equal(writer.reader.openTree(LIVE), null);
  assert.ok(readdirSync(options.folder).includes('index.sqlite.damaged-1'));
});

test('a file in place of the store’s folder throws store_unwritable', (t) => {
  const folder = join(temporaryFolder(t), 'file');
  writeFileSync(folder, '');
  assert.throws(() => openWriter(optionsFor(folder), { owner: 'test' }), { code: 'store_unwritable' });
});

test('a read-only folder can be read and not written', (t) => {
  const { options, path } = built(t);
  const outer = temporaryFolder(t);
  chmodSync(outer, 0o755);
  const folder = join(outer, 'locked');
  mkdirSync(folder);
  copyFileSync(path, join(folder, 'index.sqlite'));
  chmodSync(join(folder, 'index.sqlite'), 0o444);
  chmodSync(folder, 0o555);
  // Root may write everywhere, so the child changes to another user.
  const script = `
    if (process.getuid?.() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
    const { openReader, openWriter } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    const options = ${JSON.stringify({ ...options, folder })};
    const reader = openReader(options);
    const { files } = reader.openTree({ root: '/project', ref: 'live' });
    process.stdout.write(files.length + ' ' + reader.postings('text', 'word7').docs.length + ' ');
    reader.close();
    try { openWriter(options, { owner: 'test' }); } catch (error) { process.stdout.write(error.code); }`;
  const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  chmodSync(folder, 0o755);
  assert.equal(child.stdout, '200 1 store_unwritable', child.stderr);
});

test('a full disk throws disk_full and loses no committed data', (t) => {
  const mount = mkdtempSync(join(tmpdir(), 'sextant-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mount], { stdio: 'ignore' });
  } catch {
    rmdirSync(mount);
    t.skip('no permission to mount a small file system');
    return;
  }
  t.after(() => {
    execFileSync('umount', ['-l', mount]);
    rmdirSync(mount);
  });
  const options = optionsFor(mount);
  const writer = openWriter(options, { owner: 'test' });
  t.after(() => writer.release());
  indexFiles(writer, { a: 'one' });
  const before = [...writer.reader.dump(LIVE)];
  const large = Object.fromEntries(
    Array.from({ length: 600 }, (_, i) => [
      `f${i}`,
      Array.from({ length: 60 }, (_, k) => `w${(i * 7919 + k * 104729) % 1e6}`).join('\n'),
    ]),
  );
  assert.throws(() => indexFiles(writer, large), { code: 'disk_full' });
  assert.deepEqual([...writer.reader.dump(LIVE)], before);
  assert.deepEqual(writer.reader.check(true), []);
  assert.throws(() => writer.publish(draftOf(large)), { code: /disk_full|internal_error/ });
  writer.release();
  const reader = openReader(options);
  t.after(() => reader.close());
  assert.deepEqual([...reader.dump(LIVE)], before);
  assert.ok(statSync(join(mount, 'index.sqlite')).size > 0);
});
