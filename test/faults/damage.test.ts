/** Index files that are damaged, truncated, replaced, or of another version: errors say so, and `index` repairs them. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { SCHEMA_VERSION } from '../../src/store/index.ts';
import { ended, SAMPLE, type Sandbox, sandbox, worked } from '../cli/sextant.ts';
import { madeUpFile } from './made-up-code.ts';
import { onlyFull, Random } from './scale.ts';
import { dump, freshDump, sql, storeFile, storeFolder } from './store.ts';

const stores = fileURLToPath(new URL('./stores/', import.meta.url));
const QUESTIONS = [
  ['locate', 'NextDelay'],
  ['search', 'monthly report'],
  ['search', 'addToCart'],
  ['read', 'web/cart.ts'],
];

function indexed(files: Readonly<Record<string, string>> = SAMPLE): Sandbox {
  const box = sandbox();
  box.write(files);
  worked(box.run(['index', '--quiet']));
  return box;
}

function untimed(answer: string): string {
  return answer.replace(/ in \d+ ms/, '');
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly fix: string | null;
}

function doctor(box: Sandbox): readonly Check[] {
  return JSON.parse(box.run(['doctor', '--format', 'json']).stdout).checks;
}

function isSound(box: Sandbox): boolean {
  return doctor(box).find(({ name }) => name === 'index')?.status === 'ok';
}

/** Asserts that the doctor names the damage and the fix, and that --force restores the index. */
function mended(box: Sandbox, said: string): void {
  const check = doctor(box).find(({ name }) => name === 'index')!;
  assert.equal(check.status, 'fail', `the doctor found nothing: ${check.detail}`);
  assert.match(check.fix ?? '', /index --force/);
  worked(box.run(['index', '--force', '--quiet']));
  assert.equal(dump(box.home, box.path()), said);
  assert.match(worked(box.run(['verify'])), /sound and up to date/);
  assert.ok(
    readdirSync(storeFolder(box.home)).some((name) => name.includes('damaged')),
    'the damaged file is kept',
  );
}

test('after the corruption of any page, answers are the same or an error says what to do', { skip: onlyFull }, () => {
  const box = indexed();
  const random = new Random(74);
  const file = storeFile(box.home);
  const whole = readFileSync(file);
  const said = dump(box.home, box.path());
  const answers = QUESTIONS.map((question) => untimed(worked(box.run(question))));
  const pages = whole.length / 8192;
  let told = 0;
  for (let round = 0; round < 24; round++) {
    const page = random.below(pages);
    const bytes = Buffer.from(whole);
    const length = 1 + random.below(600);
    const at = page * 8192 + random.below(8192 - length);
    for (let i = at; i < at + length; i++) bytes[i]! ^= 1 + random.below(255);
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, bytes);
    QUESTIONS.forEach((question, i) => {
      const { code, stdout, stderr } = box.run(question);
      if (code === 0)
        assert.equal(
          untimed(stdout),
          answers[i],
          `page ${page}, offset ${at}: another answer to ${question.join(' ')}`,
        );
      else {
        assert.equal(code, 5, `page ${page}: ${stderr}`);
        assert.match(stderr, /is damaged[\s\S]*index --force/);
      }
    });
    if (isSound(box))
      assert.equal(
        dump(box.home, box.path()),
        said,
        `page ${page}, offset ${at}: changed, and the doctor did not see it`,
      );
    else {
      if (told++ === 0) mended(box, said);
    }
  }
  assert.ok(told > 2, `damage was reported ${told} times`);
});

test('repairing a damaged store indexes its other refs again, too', () => {
  const box = sandbox();
  box.write(SAMPLE);
  box.git('init', '-q', '-b', 'main');
  box.git('add', '.');
  box.git('commit', '-qm', 'one');
  box.git('branch', 'topic');
  worked(box.run(['index', '--quiet']));
  worked(box.run(['index', '--ref', 'topic', '--quiet']));
  const before = worked(box.run(['refs', 'list']));
  // Damage the text of one content, so that trees can still be read.
  sql(box.home, 'UPDATE body SET text = zeroblob(length(text)) WHERE content = (SELECT min(content) FROM body)');
  assert.ok(!isSound(box));
  worked(box.run(['index', '--force', '--quiet']));
  assert.ok(isSound(box));
  const names = (list: string) => ['main', 'topic'].filter((name) => list.includes(name));
  assert.deepEqual(names(worked(box.run(['refs', 'list']))), names(before));
  assert.match(worked(box.run(['locate', 'NextDelay', '--ref', 'topic'])), /NextDelay/);
});

test('a truncated file is reported, and made again by force', { skip: onlyFull }, () => {
  const box = indexed();
  const file = storeFile(box.home);
  const whole = readFileSync(file);
  const said = dump(box.home, box.path());
  for (const length of [whole.length - 5000, 8192 * 2, 700]) {
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, whole.subarray(0, length));
    const { code, stderr } = box.run(['search', 'monthly report']);
    assert.ok(code === 0 || code === 5, `${length} bytes: ${code} ${stderr}`);
    // If the last page was free, nothing is missing.
    if (isSound(box))
      assert.equal(dump(box.home, box.path()), said, `cut to ${length} bytes, and the doctor did not see it`);
    else mended(box, said);
  }
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  writeFileSync(file, '');
  const empty = box.run(['search', 'monthly report']);
  assert.deepEqual([empty.code, /No index for[\s\S]*sextant index/.test(empty.stderr)], [3, true], empty.stderr);
  worked(box.run(['index', '--quiet']));
  assert.equal(dump(box.home, box.path()), said);
});

test('a folder in place of the file is reported as damage', () => {
  const box = indexed();
  const said = dump(box.home, box.path());
  const file = storeFile(box.home);
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  mkdirSync(file);
  for (const args of [['search', 'delay'], ['index'], ['verify']]) {
    const { code, stderr } = box.run(args);
    assert.equal(code, 5, stderr);
    assert.match(stderr, /it is not a file[\s\S]*index --force/);
  }
  mended(box, said);
});

test('a log that is cut or torn anywhere, as by a power loss, gives the state before or after', {
  skip: onlyFull,
}, async () => {
  const random = new Random(75);
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`src/f${i}.ts`, madeUpFile(random, 'ts', 60)]),
  );
  const box = indexed({ ...SAMPLE, ...files });
  const before = dump(box.home, box.path());
  box.write(Object.fromEntries(Object.keys(files).map((path) => [path, madeUpFile(random, 'ts', 60)])));
  const log = `${storeFile(box.home)}-wal`;
  const child = box.start(['index', '--quiet']);
  child.stdout.resume();
  child.stderr.resume();
  for (let i = 0; i < 20_000 && child.exitCode === null; i++) {
    if (existsSync(log) && statSync(log).size > 100_000) break;
    await sleep(1);
  }
  child.kill('SIGKILL');
  await ended(child);
  const copy = join(box.folder, 'copy');
  cpSync(storeFolder(box.home), copy, { recursive: true });
  const written = statSync(join(copy, 'index.sqlite-wal')).size;
  assert.ok(written > 0, 'the killed run left a log');
  worked(box.run(['index', '--quiet']));
  const after = dump(box.home, box.path());
  for (let round = 0; round < 20; round++) {
    rmSync(storeFolder(box.home), { recursive: true });
    cpSync(copy, join(box.home, 'projects', copyName(box)), { recursive: true });
    rmSync(`${storeFile(box.home)}-shm`, { force: true });
    if (round % 2 === 0) truncateSync(log, random.below(written));
    else tear(log, random);
    const found = dump(box.home, box.path());
    assert.ok(found === before || found === after, `round ${round}: neither the state before nor the one after`);
    assert.match(worked(box.run(['locate', 'NextDelay'])), /policy\.go/);
    worked(box.run(['index', '--quiet']));
    assert.equal(dump(box.home, box.path()), after);
  }
});

const names = new Map<string, string>();
function copyName(box: Sandbox): string {
  const name =
    names.get(box.home) ??
    JSON.parse(worked(box.run(['status', '--format', 'json'])))
      .project.store_folder.split('/')
      .at(-1)!;
  names.set(box.home, name);
  return name;
}

function tear(file: string, random: Random): void {
  const bytes = readFileSync(file);
  const at = random.below(bytes.length);
  bytes.fill(0, at, Math.min(bytes.length, at + 4096));
  writeFileSync(file, bytes);
}

test('a store of a newer version is not changed by a byte', () => {
  const box = indexed();
  sql(box.home, `PRAGMA user_version = ${SCHEMA_VERSION + 3}`);
  const file = storeFile(box.home);
  const bytes = readFileSync(file);
  for (const args of [['search', 'delay'], ['index'], ['index', '--force'], ['verify'], ['refs', 'gc']]) {
    const { code, stderr } = box.run(args);
    assert.equal(code, 5, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /newer Sextant[\s\S]*Upgrade/);
  }
  const check = doctor(box).find(({ name }) => name === 'index')!;
  assert.deepEqual([check.status, /Upgrade/.test(check.fix ?? '')], ['fail', true]);
  assert.ok(readFileSync(file).equals(bytes), 'nobody touched it');
});

const versions = readdirSync(stores)
  .filter((name) => name.endsWith('.gz'))
  .map((name) => Number(/^schema-(\d+)\.sqlite\.gz$/.exec(name)?.[1]));

test('the test data has a store of every older version', () => {
  assert.deepEqual(
    versions.sort((a, b) => a - b),
    Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1),
    'a release that raises the schema keeps a store of the one before: see test/faults/stores/README.md',
  );
});

for (const version of versions) {
  test(`a store of version ${version} answers, and is migrated`, () => {
    const box = sandbox();
    const { '.env': _secret, 'retry/policy_test.go': _test, ...files } = SAMPLE;
    box.write(files);
    box.git('init', '-q');
    box.git('add', '.');
    box.git('commit', '-qm', 'one');
    const folder = JSON.parse(worked(box.run(['status', '--format', 'json']))).project.store_folder as string;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.sqlite'), gunzipSync(readFileSync(join(stores, `schema-${version}.sqlite.gz`))));
    copyFileSync(join(folder, 'index.sqlite'), join(box.folder, 'kept'));
    sql(box.home, `UPDATE tree SET root = '${box.path()}'`, `UPDATE job SET root = '${box.path()}'`);
    assert.match(worked(box.run(['locate', 'NextDelay'])), /retry\/policy\.go/);
    assert.match(worked(box.run(['search', 'only_in_release', '--ref', 'release'])), /tools\/release\.py/);
    assert.equal(doctor(box).find(({ name }) => name === 'index')!.status, 'ok');
    worked(box.run(['index', '--quiet']));
    assert.match(worked(box.run(['verify'])), /sound and up to date/);
    assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
  });
}
