/** The program where it is installed: without its sources, with packages that are missing, for users without a home. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launcher, sandbox } from './sextant.ts';

const root = join(dirname(launcher), '..');
const box = sandbox();
box.write({ 'main.ts': 'export function parseConfig(text: string) {\n  return JSON.parse(text);\n}\n' });

/** What a package holds, with these packages beside it and no others. */
function install(...packages: string[]): (...args: string[]) => SpawnSyncReturns<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-installed-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'dist'));
  for (const name of ['bin', 'package.json', 'dist/command.cjs', 'dist/parser.cjs', 'dist/worker.cjs'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['dist/grammars', 'dist/queries', 'models', ...packages.map((name) => `node_modules/${name}`)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, name), join(folder, name));
  }
  return (...args) =>
    spawnSync(process.execPath, [join(folder, 'bin/sextant'), ...args], {
      cwd: box.path(),
      env: box.environment(),
      encoding: 'utf8',
    });
}

const checksOf = (answer: SpawnSyncReturns<string>): { name: string; status: string; fix: string | null }[] =>
  JSON.parse(answer.stdout).checks;

test('npm start tells of a folder that is not there before it installs and builds', () => {
  const clone = mkdtempSync(join(tmpdir(), 'sextant-clone-'));
  after(() => rmSync(clone, { recursive: true, force: true }));
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true });
  for (const path of ['nowhere', 'scripts/start.mjs', 'scripts/start.mjs/below']) {
    const start = spawnSync(process.execPath, ['scripts/start.mjs', path], {
      cwd: clone,
      env: box.environment({ INIT_CWD: clone }),
      encoding: 'utf8',
    });
    assert.equal(start.status, 2);
    assert.equal(start.stdout, '');
    assert.match(start.stderr, /^error: There is no folder .*\nfix: {3}.*npm start -- PATH\n$/);
  }
});

test('a clone that somebody else owns and has not built says so', { skip: process.platform === 'win32' }, () => {
  const clone = mkdtempSync(join(tmpdir(), 'sextant-clone-'));
  after(() => rmSync(clone, { recursive: true, force: true }));
  for (const name of ['scripts', 'bin', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  const run = (...line: string[]) =>
    spawnSync(process.execPath, line, {
      cwd: clone,
      env: box.environment({ INIT_CWD: clone }),
      encoding: 'utf8',
      // Root may write anywhere.
      ...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
    });
  chmodSync(clone, 0o555);
  try {
    for (const line of [['scripts/start.mjs', '.'], ['bin/sextant']]) {
      const { status, stderr } = run(...line);
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^error: Packages cannot be installed: .*\nfix: {3}Run the command once as the owner of .*\n$/,
      );
    }
  } finally {
    chmodSync(clone, 0o755);
  }
});

test('a package is built before it is packed', () => {
  const { scripts, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.ok(files.includes('dist'));
  assert.equal(scripts.prepack, 'node scripts/prepare.mjs');
  assert.doesNotMatch(readFileSync(join(root, '.npmrc'), 'utf8'), /ignore-scripts/);
  const { status, stdout } = spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: root, encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, '']);
});

test('a build is out of date when sources, models, packages or the build itself are newer', async () => {
  const { newestSource } = await import(pathToFileURL(join(root, 'scripts/build.mjs')).href);
  const folder = mkdtempSync(join(tmpdir(), 'sextant-sources-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const files = [
    'src/model/records/ids.ts',
    'models/ranker.json',
    'scripts/build.mjs',
    'supply-chain/pins.json',
    'package.json',
    'package-lock.json',
  ];
  for (const [at, name] of files.entries()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 1000 + at, 1000 + at);
  }
  for (const [at, name] of files.entries()) {
    utimesSync(join(folder, name), 2000 + at, 2000 + at);
    assert.equal(await newestSource(folder), (2000 + at) * 1000, name);
  }
});

test('what a stopped build left behind goes with the next one, what a running one makes stays', async () => {
  const { removeLeftovers } = await import(pathToFileURL(join(root, 'scripts/build.mjs')).href);
  const folder = mkdtempSync(join(tmpdir(), 'sextant-leftovers-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const kept = ['dist', `dist.building-${process.pid}`, 'dist.notes'];
  for (const name of [...kept, `dist.building-${gone}`, `dist.old-${gone}`]) mkdirSync(join(folder, name));
  await removeLeftovers(folder);
  assert.deepEqual(readdirSync(folder).sort(), kept.sort());
});

test('everything but grep works without ripgrep, and doctor names the fix', () => {
  const sextant = install('@photostructure/sqlite');
  assert.match(sextant('search', 'parseConfig', '--yes').stdout, /main\.ts/);
  const grep = sextant('grep', 'parse');
  assert.equal(grep.status, 1);
  assert.match(grep.stderr, /no ripgrep for .* is installed\nfix: {3}Run `sextant doctor`/);
  const doctor = sextant('doctor', '--format', 'json');
  assert.equal(doctor.status, 1);
  const failed = checksOf(doctor).filter(({ status }) => status === 'fail');
  assert.deepEqual(
    failed.map(({ name }) => name),
    ['ripgrep'],
  );
  assert.match(failed[0]!.fix!, /npm ci/);
});

test('every command without the database points to doctor, which names the fix', () => {
  const sextant = install();
  const search = sextant('search', 'parseConfig', '--yes');
  assert.equal(search.status, 1);
  assert.match(search.stderr, /^error: The index is not available here: .*\nfix: {3}Run `sextant doctor`/);
  const [, packages, ...rest] = checksOf(sextant('doctor', '--format', 'json'));
  assert.equal(packages!.name, 'packages');
  assert.match(packages!.fix!, /npm ci/);
  assert.deepEqual(rest, []);
});

test('a provider that is not set up right is a line of the doctor, among all others', () => {
  const env = { SEXTANT_LLM_PROVIDER: 'openai' };
  const { code, stdout } = box.run(['doctor', '--format', 'json'], { env });
  assert.equal(code, 1);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string }[] };
  assert.deepEqual(
    checks.filter(({ status }) => status === 'fail').map(({ name }) => name),
    ['language model'],
  );
  assert.ok(checks.some(({ name }) => name === 'sqlite'));
});

test('a user without a home folder gets no data in the current folder', () => {
  const before = readdirSync(box.path());
  const { code, stdout } = box.run(['status'], { env: { HOME: '', XDG_DATA_HOME: '', SEXTANT_HOME: '' } });
  assert.equal(code, 0);
  assert.match(stdout, /disk .* in \//);
  assert.deepEqual(readdirSync(box.path()), before);
});

test('a Node that is too old is refused with a message', () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });";
  const preload = join(box.folder, 'old-node.cjs');
  writeFileSync(preload, old);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', preload, launcher, 'status'], {
    cwd: box.path(),
    env: box.environment(),
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^error: Sextant needs Node 20\.15 or newer; .*\nfix: {3}Install a newer Node/);
});

test('a user whom the system does not know can use it', { skip: process.getuid?.() !== 0 }, (t) => {
  const { HOME: _, ...env } = box.environment();
  const unknown = { uid: 54321, gid: 54321, cwd: '/', env, encoding: 'utf8' } as const;
  if (spawnSync('test', ['-r', launcher], unknown).status !== 0) return t.skip('nobody else may read this folder');
  const { status, stderr } = spawnSync(process.execPath, [launcher, '--version'], unknown);
  assert.equal(status, 0, stderr);
});
