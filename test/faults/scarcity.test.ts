/**
 * Runs without enough space, permission, memory or file descriptors: the old answers stay, the error says what to do, and
 * `index` repairs the index.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, launcher, type Result, SAMPLE, type Sandbox, sandbox, waitFor, worked } from '../cli/sextant.ts';
import { agent } from './agent.ts';
import { madeUpFile } from './made-up-code.ts';
import { isLinux } from './processes.ts';
import { onlyFull, Random } from './scale.ts';
import { dump, freshDump, storeFolder } from './store.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const random = new Random(76);
const LARGE = Object.fromEntries(
  Array.from({ length: 150 }, (_, i) => [`large/f${i}.ts`, madeUpFile(random, 'ts', 120)]),
);

/** Runs the binary behind a prefix of the command line: a shell with limits, another user. */
function behind(box: Sandbox, prefix: readonly string[], args: readonly string[]): Result {
  const [command, ...rest] = [...prefix, process.execPath, launcher, ...args];
  const { status, stdout, stderr } = spawnSync(command!, rest, {
    cwd: box.path(),
    env: box.environment(),
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: status, stdout, stderr };
}

const limited = (limits: string) => ['sh', '-c', `trap '' XFSZ; ${limits}; exec "$@"`, 'sh'];
const asNobody = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];

function refusedWithFix(result: Result, what: RegExp): void {
  assert.ok(result.code !== 0 && result.code !== null, `it went on: ${result.stdout}`);
  assert.match(result.stderr, what);
  assert.match(result.stderr, /fix:\s+\S/);
}

test('on a full disk the old answers stay, an error says so, and the next run works once there is space', (t) => {
  const made = indexedOnSmallDisk(t);
  if (!made) return t.skip('no permission to mount a small file system');
  const { mount, box, env } = made;
  const said = dump(mount, box.path());
  box.write(LARGE);
  refusedWithFix(box.run(['index'], { env }), /The disk is full/);
  assert.match(worked(box.run(['locate', 'NextDelay'], { env })), /policy\.go/);
  assert.match(worked(box.run(['search', 'addToCart'], { env })), /cart\.ts/);
  assert.equal(dump(mount, box.path()), said, 'the index is what it was');
  const checks = JSON.parse(box.run(['doctor', '--format', 'json'], { env }).stdout).checks as {
    name: string;
    status: string;
  }[];
  assert.notEqual(checks.find(({ name }) => name === 'data folder')?.status, 'ok', 'the doctor sees the disk');
  execFileSync('mount', ['-o', 'remount,size=64m', mount]);
  worked(box.run(['index', '--quiet'], { env }));
  assert.equal(dump(mount, box.path()), freshDump(box, join(box.folder, 'fresh')));
});

test('on a full disk a server’s status says what is pending and why, until there is space', async (t) => {
  const made = indexedOnSmallDisk(t);
  if (!made) return t.skip('no permission to mount a small file system');
  const { mount, box, env } = made;
  const one = await agent(box, { env });
  await one.until('get_status', {}, ({ freshness }) => freshness === 'fresh');
  box.write(LARGE);
  await one.until('get_status', {}, ({ last_update_failed: failure }) => /The disk is full/.test(failure ?? ''));
  const answer = await one.call('search_code', { query: 'addToCart' });
  assert.notEqual(answer.index, undefined);
  assert.match(String(answer.not_yet_indexed), /large/);
  assert.match(answer.last_update_failed, /The disk is full/);
  execFileSync('mount', ['-o', 'remount,size=64m', mount]);
  await one.until('get_status', {}, ({ freshness }) => freshness === 'fresh');
  assert.equal((await one.call('get_status')).last_update_failed, undefined);
  await one.leave();
});

/** A project whose index nearly fills its disk; null where none can be mounted. */
function indexedOnSmallDisk(t: TestContext) {
  const mount = smallDisk(t, 1);
  if (!mount) return null;
  const box = sandbox();
  const env = { SEXTANT_HOME: mount };
  box.write(SAMPLE);
  worked(box.run(['index', '--quiet'], { env }));
  return { mount, box, env };
}

function smallDisk(t: TestContext, megabytes: number): string | null {
  const mount = mkdtempSync(join(tmpdir(), 'sextant-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', mount], { stdio: 'ignore' });
  } catch {
    rmdirSync(mount);
    return null;
  }
  t.after(() => {
    execFileSync('umount', ['-l', mount]);
    rmdirSync(mount);
  });
  return mount;
}

test('too little memory is reported as such, and a sound index stays in its place, also with --force', {
  skip: !isLinux,
}, () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box.run(['index', '--quiet']));
  const said = dump(box.home, box.path());
  // WebAssembly reserves more address space than this, and Node itself starts.
  const scarce = limited('ulimit -v 4000000');
  for (const command of [
    ['search', 'delay'],
    ['index', '--force'],
  ])
    refusedWithFix(behind(box, scarce, command), /^error: There is not enough memory \(WebAssembly[^()]*\(\): /m);
  assert.deepEqual(
    readdirSync(storeFolder(box.home)).filter((name) => name.includes('damaged')),
    [],
  );
  assert.equal(dump(box.home, box.path()), said);
});

test('with a limit on file sizes the old answers stay, too', { skip: !isLinux || onlyFull }, () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box.run(['index', '--quiet']));
  const said = dump(box.home, box.path());
  box.write(LARGE);
  refusedWithFix(behind(box, limited('ulimit -f 800'), ['index']), /disk is full|Cannot write to the data folder/);
  assert.equal(dump(box.home, box.path()), said);
  assert.match(worked(box.run(['locate', 'NextDelay'])), /policy\.go/);
  worked(box.run(['index', '--quiet']));
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
});

/** A sandbox that belongs to nobody, so that permissions mean something even where the tests run as root. */
function ownedByNobody(t: TestContext): Sandbox | null {
  const box = sandbox();
  chmodSync(box.folder, 0o755);
  if (!isRoot) return box;
  mkdirSync(box.home, { recursive: true });
  for (const folder of [box.folder, box.home, box.path()]) chownSync(folder, NOBODY, NOBODY);
  if (behind(box, asNobody, ['version']).code === 0) return box;
  t.skip('the other user may not read this checkout');
  return null;
}

function everythingBelow(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
}

test('a read-only data folder answers, and is not written to', { skip: !isLinux || onlyFull }, (t) => {
  const box = ownedByNobody(t);
  if (!box) return;
  box.write(SAMPLE);
  worked(behind(box, asNobody, ['index', '--quiet']));
  const paths = everythingBelow(box.home);
  for (const path of paths) chmodSync(path, path.endsWith('.json') || path.includes('sqlite') ? 0o444 : 0o555);
  assert.match(worked(behind(box, asNobody, ['locate', 'NextDelay'])), /policy\.go/);
  box.write({ 'late.py': 'def came_late():\n    pass\n' });
  const waited = behind(box, asNobody, ['search', 'NextDelay', '--wait-fresh', '60', '--format', 'json']);
  assert.equal(JSON.parse(worked(waited)).freshness.status, 'stale');
  refusedWithFix(behind(box, asNobody, ['index']), /Cannot write to the data folder/);
  const { stdout } = behind(box, asNobody, ['doctor', '--format', 'json']);
  const check = (JSON.parse(stdout).checks as { name: string; status: string }[]).find(
    ({ name }) => name === 'data folder',
  );
  assert.equal(check?.status, 'fail');
  for (const path of paths) chmodSync(path, path.includes('sqlite') || path.endsWith('.json') ? 0o644 : 0o755);
  worked(behind(box, asNobody, ['index', '--quiet']));
  assert.match(worked(behind(box, asNobody, ['verify'])), /sound and up to date/);
});

test('a folder of the project that may not be read is left out, and the doctor asks for no run', {
  skip: !isLinux || onlyFull,
}, (t) => {
  const box = ownedByNobody(t);
  if (!box) return;
  box.write({ ...SAMPLE, 'closed/a.py': 'def behind_the_door():\n    pass\n' });
  chmodSync(box.path('closed'), 0o000);
  worked(behind(box, asNobody, ['index', '--quiet']));
  assert.match(worked(behind(box, asNobody, ['status', '--skipped'])), /unreadable\s+closed\//);
  const { checks } = JSON.parse(worked(behind(box, asNobody, ['doctor', '--format', 'json'])));
  chmodSync(box.path('closed'), 0o755);
  assert.ok(!checks.some((check: { name: string }) => check.name === 'up to date'), JSON.stringify(checks));
});

test('permission that is lost on the data folder or on a source file is reported, and a later run recovers', {
  skip: !isLinux || onlyFull,
}, async (t) => {
  const box = ownedByNobody(t);
  if (!box) return;
  box.write(SAMPLE);
  worked(behind(box, asNobody, ['index', '--quiet']));
  box.write(LARGE);
  const [command, ...rest] = [...asNobody, process.execPath, launcher, 'index'];
  const { spawn } = await import('node:child_process');
  const child = spawn(command!, rest, { cwd: box.path(), env: box.environment() });
  child.stdout.resume();
  await waitFor(child.stderr, /Reading/);
  chmodSync(storeFolder(box.home), 0o000);
  chmodSync(box.path('large/f7.ts'), 0o000);
  await ended(child);
  for (const args of [['search', 'delay'], ['status']])
    refusedWithFix(behind(box, asNobody, args), /No permission|Cannot/);
  chmodSync(storeFolder(box.home), 0o700);
  assert.match(worked(behind(box, asNobody, ['locate', 'NextDelay'])), /policy\.go/);
  worked(behind(box, asNobody, ['index', '--quiet']));
  assert.match(worked(behind(box, asNobody, ['status', '--skipped'])), /unreadable\s+large\/f7\.ts/);
  chmodSync(box.path('large/f7.ts'), 0o644);
  const differs = behind(box, asNobody, ['verify']);
  assert.deepEqual(
    [differs.code, /~ large\/f7\.ts/.test(differs.stdout)],
    [1, true],
    'readable again, and not yet read',
  );
  worked(behind(box, asNobody, ['index', '--quiet']));
  assert.match(worked(behind(box, asNobody, ['verify'])), /sound and up to date/);
});

test('without file descriptors there is an error or an answer, never a broken index', {
  skip: !isLinux || onlyFull,
}, () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box.run(['index', '--quiet']));
  const said = dump(box.home, box.path());
  box.write(LARGE);
  let failed = 0;
  for (const limit of [20, 23, 26, 29, 32, 36]) {
    const result = behind(box, limited(`ulimit -n ${limit}`), ['index', '--quiet']);
    if (result.code === 0) continue;
    failed++;
    // Below a certain number Node itself cannot start; it says so in its own words.
    if (result.code !== null && result.code < 128 && !/node::|Node\.js v/.test(result.stderr))
      refusedWithFix(result, /error:/);
    assert.equal(dump(box.home, box.path()), said, `with ${limit} descriptors`);
    assert.match(worked(box.run(['locate', 'NextDelay'])), /policy\.go/);
  }
  assert.ok(failed > 0, 'no limit was tight enough');
  // Too few to start git, or to open the store: said in a sentence, whichever it hits first.
  for (const limit of [20, 21, 22, 23, 24, 26]) {
    for (const command of [['search', 'anything'], ['status'], ['index', '--quiet']]) {
      const { code, stderr } = behind(box, limited(`ulimit -n ${limit}`), command);
      assert.ok(code === 0 || /ulimit -n/.test(stderr), `${command[0]} with ${limit} descriptors: ${stderr}`);
    }
  }
  const { stdout } = behind(box, limited('ulimit -n 64'), ['doctor', '--format', 'json']);
  const check = (JSON.parse(stdout).checks as { name: string; status: string; fix: string }[]).find(
    ({ name }) => name === 'open files',
  );
  assert.deepEqual([check?.status, /ulimit -n/.test(check?.fix ?? '')], ['warn', true]);
  worked(box.run(['index', '--quiet']));
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
  assert.ok(existsSync(storeFolder(box.home)), 'the store is there');
});

test('of a file that changes while it is read, the bytes that were read are stored, and the last state wins', {
  skip: onlyFull,
}, async () => {
  const box = sandbox();
  box.write({ ...SAMPLE, ...LARGE });
  const busy = ['large/f3.ts', 'large/f90.ts', 'web/cart.ts'];
  let writes = 0;
  const writing = setInterval(() => {
    for (const path of busy) box.write({ [path]: madeUpFile(random, 'ts', 1 + (writes++ % 90)) });
  }, 3);
  try {
    for (let run = 0; run < 4; run++) {
      const child = box.start(['index', '--quiet']);
      child.stdout.resume();
      child.stderr.resume();
      const { code } = await ended(child);
      assert.equal(code, 0);
      await sleep(20);
    }
  } finally {
    clearInterval(writing);
  }
  assert.ok(writes > 100, 'the files did change');
  worked(box.run(['index', '--quiet']));
  assert.match(worked(box.run(['verify'])), /sound and up to date/);
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
});
