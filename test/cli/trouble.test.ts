/**
 * Unusual repositories, damaged and busy indexes, killed processes: each failure is one sentence with a fix, and no data
 * is lost.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from '../faults/store.ts';
import { ended, refused, SAMPLE, type Sandbox, sandbox, waitFor, worked } from './sextant.ts';

function committed(files: Readonly<Record<string, string>>): Sandbox {
  const box = sandbox();
  box.write(files);
  box.git('init', '-q');
  box.git('add', '-A');
  box.git('commit', '-qm', 'first');
  return box;
}

const storeOf = (box: Sandbox): string => {
  const [key] = readdirSync(join(box.home, 'projects'));
  return join(box.home, 'projects', key!);
};

test('index refuses an empty repository and one without indexable files', () => {
  const box = sandbox();
  box.git('init', '-q');
  refused(box.run(['index']), 3, /Nothing to index/);
  box.write({ 'a.py': Buffer.from('x\0y') });
  refused(box.run(['index']), 3, /left out: 1 binary/);
  assert.match(worked(box.run(['status'])), /the last run failed: Nothing to index/);
});

test('index of a bare repository indexes the branch of HEAD, and search answers from it', () => {
  const box = committed({ 'a.py': 'def kept_in_git():\n    pass\n' });
  box.git('clone', '-q', '--bare', '.', '../bare.git');
  const at = ['--path', '../bare.git'];
  refused(box.run(['search', 'kept', ...at]), 3, /sextant index/);
  assert.match(worked(box.run(['status', ...at])), /not indexed; run `sextant index`/);
  worked(box.run(['index', '--quiet', ...at]));
  assert.match(worked(box.run(['search', 'kept_in_git', ...at])), /a\.py:1/);
  for (const question of [
    ['read', 'a.py'],
    ['read', 'config'],
    ['grep', 'bare'],
  ])
    refused(box.run([...question, ...at]), 2, /bare git repository and has no files of its own: search/);
  box.git('commit', '-q', '--allow-empty', '-m', 'two');
  box.git('push', '-q', '../bare.git', 'main');
  assert.match(worked(box.run(['status', ...at])), /stale: main has moved since\. Run `sextant index --ref main`/);
  worked(box.run(['sync', '--quiet', '--workspace', '../bare.git']));
  assert.match(worked(box.run(['status', ...at])), /ready, fresh/);
  box.git('init', '-q', '--bare', '../empty.git');
  refused(box.run(['index', '--path', '../empty.git']), 2, /bare git repository.*pass a ref/);
});

test('an unknown ref and a ref without an index are different errors, and the second names its command', () => {
  const box = committed({ 'a.py': 'def kept_in_git():\n    pass\n' });
  box.git('branch', 'feat');
  worked(box.run(['index', '--quiet']));
  for (const args of [['search', 'kept'], ['locate', 'kept'], ['map'], ['verify'], ['status'], ['index']])
    refused(box.run([...args, '--ref', 'nope']), 2, /The ref "nope" is not known/);
  for (const args of [['search', 'kept'], ['map'], ['verify']])
    refused(
      box.run([...args, '--ref', 'feat']),
      3,
      /No index for .* at feat\.\nfix: {3}Run `sextant index --ref feat`/,
    );
  // The run for the other ref failed; this ref was never indexed.
  assert.match(worked(box.run(['status', '--ref', 'feat'])), /not indexed; run `sextant index --ref feat`/);
  assert.match(worked(box.run(['search', 'kept', '--ref', 'feat', '--yes'])), /a\.py:1/);
  const plain = sandbox();
  plain.write(SAMPLE);
  refused(plain.run(['verify']), 3, /\nfix: {3}Run `sextant index` there\.\n/);
  worked(plain.run(['index', '--quiet']));
  refused(plain.run(['search', 'delay', '--ref', 'main']), 2, /not inside a git repository/);
});

test('index takes files with merge conflicts as they are', () => {
  const box = committed({ 'a.py': 'def first():\n    pass\n' });
  box.git('checkout', '-qb', 'other');
  box.write({ 'a.py': 'def theirs_here():\n    pass\n' });
  box.git('commit', '-qam', 'theirs');
  box.git('checkout', '-q', 'main');
  box.write({ 'a.py': 'def ours_here():\n    pass\n' });
  box.git('commit', '-qam', 'ours');
  assert.throws(() => box.git('merge', 'other'));
  worked(box.run(['index', '--quiet']));
  for (const name of ['ours_here', 'theirs_here']) assert.match(worked(box.run(['locate', name])), /a\.py/);
});

test('index ignores the environment variables of a calling git', () => {
  const other = committed({ 'wrong.py': 'def wrong_place():\n    pass\n' });
  const box = committed({ 'right.py': 'def right_place():\n    pass\n' });
  const env = { GIT_DIR: other.path('.git'), GIT_WORK_TREE: other.path(), GIT_INDEX_FILE: '/nowhere' };
  worked(box.run(['index', '--quiet'], { env }));
  assert.match(worked(box.run(['locate', 'right_place'], { env })), /right\.py/);
});

test('index skips a file of two gigabytes and states the reason', () => {
  const box = sandbox();
  box.write({ 'huge.py': '', 'small.py': 'def small_one():\n    pass\n' });
  truncateSync(box.path('huge.py'), 2 ** 31);
  worked(box.run(['index', '--quiet']));
  assert.match(worked(box.run(['status', '--skipped'])), /too large\s+huge\.py/);
  refused(box.run(['read', 'huge.py']), 2, /2147483648 bytes/);
});

test('sync in a subfolder of a project without git updates the project', () => {
  const box = sandbox();
  box.write({ 'top.py': 'def top():\n    pass\n', 'sub/deep/x.py': 'def below():\n    pass\n' });
  worked(box.run(['index', '--quiet']));
  const cwd = box.path('sub', 'deep');
  assert.equal(JSON.parse(worked(box.run(['sync', '--format', 'json'], { cwd }))).files_total, 2);
  assert.match(worked(box.run(['search', 'top'], { cwd })), /top\.py:1/);
  assert.equal(readdirSync(join(box.home, 'projects')).length, 1);
});

test('every command that needs the data folder fails at once if the folder cannot be created', {
  skip: process.platform !== 'linux',
}, () => {
  const box = sandbox();
  box.write(SAMPLE);
  const env = { SEXTANT_HOME: '/proc/nope' };
  for (const args of [['index'], ['init'], ['serve', '--port', '0'], ['remember', 'Known functions stay known']])
    refused(box.run(args, { env }), 5, /Cannot write to .*\/proc\/nope/);
  const { checks } = JSON.parse(box.run(['doctor', '--format', 'json'], { env }).stdout);
  const found = checks.find((check: { name: string }) => check.name === 'data folder');
  assert.deepEqual([found.status, /SEXTANT_HOME/.test(found.fix)], ['fail', true]);
});

test('a file in the place of the data folder fails with a message that says so', () => {
  const box = sandbox();
  box.write(SAMPLE);
  const env = { SEXTANT_HOME: box.path('README.md') };
  refused(box.run(['index'], { env }), 5, /Cannot write to the data folder/);
  const { checks } = JSON.parse(box.run(['doctor', '--format', 'json'], { env }).stdout);
  const failed = checks.filter((check: { status: string }) => check.status === 'fail');
  assert.deepEqual(
    failed.map((check: { name: string }) => check.name),
    ['data folder'],
  );
});

test('search reports a damaged index, and index --force sets it aside and makes a new one', () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box.run(['index', '--quiet']));
  const folder = storeOf(box);
  writeFileSync(join(folder, 'index.sqlite'), 'no database at all'.repeat(500));
  for (const name of ['index.sqlite-wal', 'index.sqlite-shm'])
    if (existsSync(join(folder, name))) truncateSync(join(folder, name));
  for (const args of [['search', 'delay'], ['index'], ['verify'], ['refs', 'drop', 'live']])
    refused(box.run(args), 5, /is damaged/);
  assert.match(worked(box.run(['status'])), /damaged; run `sextant index --force`/);
  worked(box.run(['index', '--force', '--quiet']));
  assert.ok(readdirSync(folder).some((name) => name.includes('damaged')));
  assert.match(worked(box.run(['locate', 'NextDelay'])), /policy\.go/);
});

test('index exits with 4 and the project’s name while another process indexes, and questions are answered', async () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box.run(['index', '--quiet']));
  const holder = fileURLToPath(new URL('../contracts/lease-holder.ts', import.meta.url));
  const other = spawn(process.execPath, ['--import', 'tsx', holder, storeOf(box)]);
  try {
    await waitFor(other.stdout, /held/);
    for (const args of [['index'], ['sync'], ['refs', 'drop', 'live']])
      refused(box.run(args), 4, new RegExp(`Another process is indexing ${box.path()}\\.`));
    assert.match(worked(box.run(['search', 'NextDelay'])), /policy\.go/);
    box.write({ 'late.py': 'def came_late():\n    pass\n' });
    const waited = JSON.parse(worked(box.run(['search', 'NextDelay', '--wait-fresh', '1', '--format', 'json'])));
    assert.deepEqual([waited.freshness.status, waited.hits[0].path], ['stale', 'retry/policy.go']);
  } finally {
    other.stdin.end();
    await ended(other);
  }
  worked(box.run(['sync', '--quiet']));
});

test('after a kill during indexing, the next run completes and verify finds no fault', async () => {
  const box = sandbox();
  for (let i = 0; i < 150; i++)
    box.write({ [`many/file${i}.ts`]: `export function made${i}() { return ${i}; }\n`.repeat(60) });
  const child = box.start(['index']);
  child.stdout.resume();
  await waitFor(child.stderr, /Reading/);
  child.kill('SIGKILL');
  await ended(child);
  assert.equal(JSON.parse(worked(box.run(['index', '--format', 'json']))).files_total, 150);
  assert.match(worked(box.run(['verify'])), /sound and up to date/);
});

test('verify, refs drop and init --team print what they have done', () => {
  const box = committed({ 'a.py': 'def known():\n    pass\n' });
  box.git('branch', 'old');
  worked(box.run(['index', '--quiet']));
  worked(box.run(['index', '--quiet', '--ref', 'old']));
  worked(box.run(['verify', '--ref', 'old']));
  refused(box.run(['refs', 'drop', 'nothing-like-it']), 3, /No index for .* at nothing-like-it/);
  worked(box.run(['refs', 'drop', 'old']));
  assert.doesNotMatch(worked(box.run(['refs', 'list'])), /old/);
  refused(box.run(['search', 'known', '--ref', 'old']), 3, /No index/);
  box.write({ 'b.py': 'def added():\n    pass\n' });
  const differs = box.run(['verify']);
  assert.deepEqual([differs.code, /~ b\.py/.test(differs.stdout)], [1, true]);
  worked(box.run(['init', '--team']));
  worked(box.run(['remember', 'Known functions stay known']));
  assert.equal(readdirSync(box.path('.sextant/memory')).filter((name) => name.endsWith('.md')).length, 1);
  mkdirSync(box.path('..', 'second'));
  writeFileSync(box.path('..', 'second', '.sextant'), '');
  for (const flag of ['--team', '--write-config']) {
    // The failure does not concern the data folder.
    const failed = box.run(['init', flag, '../second']);
    refused(failed, 5, /Cannot write to \S*second/);
    assert.doesNotMatch(failed.stderr, /data folder|SEXTANT_HOME/);
  }
});

test('an index of another version answers but is never fresh; verify and doctor name the version', () => {
  const box = committed({ 'a.py': 'def kept_in_git():\n    pass\n' });
  worked(box.run(['index', '--quiet']));
  const makeOld = () => sql(box.home, "UPDATE tree SET info = json_set(info, '$.options.extractor', 'earlier')");
  makeOld();
  const found = box.run(['search', 'kept_in_git']);
  assert.match(found.stdout, /a\.py:1/);
  assert.match(found.stdout + found.stderr, /stale: another version of Sextant made it\. Run `sextant sync`/);
  assert.match(worked(box.run(['status'])), /stale: another version of Sextant made it/);
  worked(box.run(['sync', '--quiet']));
  assert.match(worked(box.run(['status'])), /ready, fresh/);
  makeOld();
  const waited = JSON.parse(worked(box.run(['search', 'kept_in_git', '--wait-fresh', '20', '--format', 'json'])));
  assert.equal(waited.freshness.status, 'fresh');
  makeOld();
  const { code, stdout } = box.run(['verify']);
  assert.deepEqual([code, /another version of Sextant[\s\S]*Run `sextant index`/.test(stdout)], [1, true], stdout);
  assert.match(box.run(['doctor']).stdout, /version +another version of Sextant made the index/);
  worked(box.run(['index', '--quiet']));
  assert.match(worked(box.run(['verify'])), /sound and up to date/);
  assert.doesNotMatch(worked(box.run(['doctor'])), /another version/);
});

test('the data folder is created for its owner only; doctor warns about an open one', {
  skip: process.platform === 'win32',
}, () => {
  const box = sandbox();
  box.write(SAMPLE);
  for (const [i, args] of [['init'], ['doctor'], ['remember', '--type', 'rule', 'Prices are in cents']].entries()) {
    const home = join(box.folder, `private-home-${i}`);
    const dataFolder = () => {
      const { checks } = JSON.parse(box.run(['doctor', '--format', 'json'], { env: { SEXTANT_HOME: home } }).stdout);
      return checks.find((check: { name: string }) => check.name === 'data folder');
    };
    box.run(args, { env: { SEXTANT_HOME: home } });
    assert.equal(statSync(home).mode & 0o777, 0o700, args.join(' '));
    assert.equal(dataFolder().status, 'ok');
    chmodSync(home, 0o755);
    assert.deepEqual([dataFolder().status, dataFolder().fix], ['warn', `Run \`chmod 700 ${home}\`.`]);
  }
});
