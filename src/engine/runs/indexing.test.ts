/**
 * The life of an index, through the engine's face: what a run costs, what it leaves, and what happens when it is
 * disturbed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { openWriter } from '../../store/index.ts';
import type { Engine } from '../engine.ts';
import { INDEX_DEFAULTS } from '../index.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/alpha.ts': 'export function alphaOriginal() {\n  return 1;\n}\n',
  'src/beta.ts':
    "import { alphaOriginal } from './alpha.ts';\n\nexport function betaThing() {\n  return alphaOriginal();\n}\n",
};
const open: Workspace[] = [];
const made = (files = FILES) => {
  const space = workspace(files);
  open.push(space);
  return space;
};
afterEach(async () => {
  for (const space of open.splice(0)) await space.close();
});
const many = (count: number, functions = 12) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `src/file${i}.ts`,
      Array.from(
        { length: functions },
        (_, n) => `export function f${i}_${n}(a: number) {\n  return a + ${n};\n}\n`,
      ).join('\n'),
    ]),
  );
const names = async ({ engine, root }: Workspace, name: string, ref?: string) =>
  (await engine.locate(root, { name, ...(ref ? { ref } : {}) })).symbols
    .filter(({ match }) => match === 'exact')
    .map(({ path }) => path);
/** Waits until nobody indexes any more. */
const ended = async ({ engine, root }: Workspace) => {
  while ((await engine.status(root)).indexing === 'indexing') await sleep(20);
};

test('a run does what changed and nothing else: edit, rename, revert, delete, force', async () => {
  const space = made();
  const { engine, root } = space;
  await assert.rejects(engine.search(root, { query: 'alpha' }), { code: 'not_indexed' });
  const run = async (force = false) => {
    const { mode, filesTotal, filesIndexed, filesUnchanged, filesRemoved } = await engine.index(root, { force });
    return { mode, filesTotal, filesIndexed, filesUnchanged, filesRemoved };
  };
  assert.deepEqual(await run(), { mode: 'full', filesTotal: 2, filesIndexed: 2, filesUnchanged: 0, filesRemoved: 0 });
  assert.deepEqual(await run(), {
    mode: 'incremental',
    filesTotal: 2,
    filesIndexed: 0,
    filesUnchanged: 2,
    filesRemoved: 0,
  });
  space.write('src/alpha.ts', 'export function alphaChanged() {\n  return 2;\n}\n');
  assert.equal((await run()).filesIndexed, 1);
  assert.deepEqual(await names(space, 'alphaOriginal'), []);
  assert.deepEqual(await names(space, 'alphaChanged'), ['src/alpha.ts']);
  space.write('src/alpha.ts', FILES['src/alpha.ts']!);
  assert.equal((await run()).filesIndexed, 0, 'a content that was known before costs nothing');
  assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
  renameSync(join(root, 'src/beta.ts'), join(root, 'src/gamma.ts'));
  assert.equal((await run()).filesIndexed, 0, 'nor does a rename');
  assert.deepEqual(await names(space, 'betaThing'), ['src/gamma.ts']);
  space.remove('src/gamma.ts');
  assert.equal((await run()).filesRemoved, 1);
  assert.deepEqual(await names(space, 'betaThing'), []);
  assert.deepEqual(await run(true), {
    mode: 'full',
    filesTotal: 1,
    filesIndexed: 1,
    filesUnchanged: 0,
    filesRemoved: 0,
  });
});

for (const kind of ['tracked', 'untracked', 'without git'])
  test(`a file that is written with the size and the time of the one before is another one: ${kind}`, async () => {
    const space = made();
    const { engine, root } = space;
    // Another file under the same name: to git, two writes of one file within a second look alike.
    const put = (path: string, text: string) => {
      space.write('whole', text);
      utimesSync(join(root, 'whole'), 1_000_000_000, 1_000_000_000);
      renameSync(join(root, 'whole'), join(root, path));
    };
    put('src/alpha.ts', 'export function firstName() {}\n');
    if (kind !== 'without git') space.git('init', '-q');
    if (kind === 'tracked') space.git('add', '.');
    await engine.index(root);
    put('src/alpha.ts', 'export function otherName() {}\n');
    const { freshness } = await space.anotherEngine().search(root, { query: 'firstName' });
    assert.deepEqual([freshness.status, freshness.pending], ['stale', ['src/alpha.ts']]);
    assert.equal((await engine.index(root)).filesIndexed, 1);
    assert.deepEqual(await names(space, 'otherName'), ['src/alpha.ts']);
  });

test('a file that was left out for its size or for being a link is missed once it is neither', async () => {
  const space = made({
    ...FILES,
    'long.ts': '// long\n'.repeat(INDEX_DEFAULTS.maxFileBytes / 8 + 1),
    'notes.csv': '1,2\n',
  });
  const { root } = space;
  symlinkSync(space.home, join(root, 'linked.ts'));
  await space.engine.index(root);
  const pending = async () => (await space.anotherEngine().search(root, { query: 'alphaOriginal' })).freshness.pending;
  assert.deepEqual(await pending(), []);
  space.remove('linked.ts');
  for (const path of ['long.ts', 'linked.ts']) space.write(path, 'export function atLast() {}\n');
  assert.deepEqual(await pending(), ['linked.ts', 'long.ts']);
  assert.deepEqual((await space.engine.verify(root)).pending, ['linked.ts', 'long.ts']);
  await space.engine.index(root);
  assert.deepEqual((await space.engine.verify(root)).pending, []);
});

test('the bytes on disk decide what is fresh, even if git converts line endings', async () => {
  const crlf = 'export function alphaOriginal() {\r\n  return 1;\r\n}\r\n';
  const space = made({ ...FILES, '.gitattributes': '*.ts text eol=crlf\n', 'src/alpha.ts': crlf });
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  await space.engine.index(space.root);
  const freshness = async () => (await space.anotherEngine().search(space.root, { query: 'alphaOriginal' })).freshness;
  assert.equal((await freshness()).status, 'fresh');
  // The same to git, not to a reader.
  space.write('src/alpha.ts', crlf.replaceAll('\r', ''));
  assert.deepEqual((await freshness()).pending, ['src/alpha.ts']);
  await space.engine.index(space.root);
  assert.equal((await freshness()).status, 'fresh');
});

test('files that git has not checked since conversion was switched off are read, known blob id or not', async () => {
  const space = made();
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  await space.engine.index(space.root);
  space.git('config', 'core.autocrlf', 'true');
  space.remove('src/alpha.ts');
  space.git('checkout', '-q', '.');
  utimesSync(join(space.root, 'src/alpha.ts'), 1_000_000_000, 1_000_000_000);
  space.git('update-index', '--refresh');
  space.git('config', 'core.autocrlf', 'false');
  await space.engine.index(space.root);
  assert.deepEqual((await space.engine.verify(space.root)).pending, []);
});

for (const count of [3, 40])
  test(`among ${count} files that git keeps in another form, those that changed are found`, async () => {
    const files = Object.fromEntries(
      Object.entries(many(count, 1)).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
    );
    const space = made({ ...files, 'gone.py': 'x = 1\n', '.gitattributes': '*.ts text eol=crlf\n' });
    space.git('init', '-q');
    space.git('add', '.');
    space.git('commit', '-qm', 'first');
    await space.engine.index(space.root);
    const pending = async () => (await space.anotherEngine().search(space.root, { query: 'f1_0' })).freshness.pending;
    assert.deepEqual(await pending(), []);
    space.write('src/file1.ts', 'export const changed = 1;\r\n');
    space.write('src/new.py', 'y = 1\n');
    space.remove('gone.py');
    assert.deepEqual(await pending(), ['gone.py', 'src/file1.ts', 'src/new.py']);
  });

test('a job is named by the branch that was checked out then', async () => {
  const space = made();
  const { engine, root } = space;
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  await engine.index(root);
  space.git('checkout', '-q', '-b', 'topic');
  space.write('src/topic.ts', 'export const topic = 1;\n');
  await engine.index(root);
  assert.deepEqual(
    (await engine.status(root)).recentJobs.map(({ ref }) => ref),
    ['topic', 'main'],
  );
  space.git('checkout', '-q', '--detach');
  assert.equal((await engine.startIndex(root)).ref, 'live');
  await ended(space);
  space.git('checkout', '-q', 'main');
  assert.equal((await engine.index(root, { ref: 'HEAD' })).ref, 'main');
  assert.deepEqual(
    (await engine.status(root)).recentJobs.map(({ ref }) => ref),
    ['main', 'live', 'topic', 'main'],
  );
});

test('a job is there as soon as it is started; one whose process was killed runs no more', async () => {
  const space = made();
  const { engine, root } = space;
  await engine.index(root);
  const { storeFolder } = await engine.project(root);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const [job] = (await engine.status(root)).recentJobs;
  const writer = openWriter({ folder: storeFolder, modelId: '', dims: 1 }, { owner: 'test' });
  writer.startJob({ ...job!, jobId: 'killed', root, status: 'running', createdAtMs: job!.createdAtMs + 1, pid });
  // This process holds the lease, but that job is not its own.
  const meanwhile = await engine.status(root);
  assert.deepEqual([meanwhile.indexing, meanwhile.activeJob], ['indexing', null]);
  assert.deepEqual(
    meanwhile.recentJobs.map(({ jobId, status }) => [jobId, status]),
    [
      ['killed', 'failed'],
      [job!.jobId, 'published'],
    ],
  );
  writer.release();
  const started = await engine.startIndex(root);
  assert.deepEqual((await engine.status(root)).activeJob, started);
  await ended(space);
  const { recentJobs } = await engine.status(root);
  assert.deepEqual(
    recentJobs.map(({ jobId, status }) => [jobId, status]),
    [
      [started.jobId, 'published'],
      ['killed', 'failed'],
      [job!.jobId, 'published'],
    ],
  );
  assert.match(recentJobs[1]!.error!, /ended/);
});

test('an answer from before a forced run is not given after it', async () => {
  const space = made();
  const { engine, root } = space;
  await engine.index(root, { force: true });
  const ask = async () => (await engine.search(root, { query: 'alpha function', mode: 'keyword' })).hits[0]?.content;
  assert.match((await ask())!, /return 1/);
  space.write('src/alpha.ts', 'export function alphaOriginal() {\n  return 42;\n}\n');
  await engine.index(root, { force: true });
  assert.match((await ask())!, /return 42/);
});

test('a ref that has moved is stale, whatever kind of ref it is; one that is gone, too', async (t) => {
  const space = workspace({ 'a.ts': 'export function first() {}\n' });
  t.after(() => space.close());
  const { root, git, engine } = space;
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  space.write('a.ts', 'export function second() {}\n');
  git('commit', '-qam', 'two');
  git('tag', 'v1', 'HEAD~1');
  // Git takes a name that both have for the tag.
  git('branch', 'both', 'HEAD');
  git('tag', 'both', 'HEAD~1');
  const refs = ['v1', 'both', 'HEAD~1'];
  for (const ref of refs) await engine.index(root, { ref });
  const states = async (asked: Engine) =>
    Promise.all(refs.map(async (ref) => (await asked.search(root, { query: 'first', ref })).freshness.status));
  assert.deepEqual(await states(engine), ['fresh', 'fresh', 'fresh']);
  git('tag', '-f', 'v1', 'HEAD');
  git('tag', '-d', 'both');
  git('branch', '-D', 'both');
  space.write('a.ts', 'export function third() {}\n');
  git('commit', '-qam', 'three');
  assert.deepEqual(await states(space.anotherEngine()), ['stale', 'stale', 'stale']);
});

test('what is remembered for a moment is not kept for an hour when the clock is set back by one', async (t) => {
  const space = made();
  const { engine, root, git } = space;
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('tag', 'v1');
  await engine.index(root);
  await engine.index(root, { ref: 'v1' });
  const look = async () => {
    const [live, tagged] = await Promise.all([engine.status(root), engine.status(root, 'v1')]);
    return [live.ref, live.pending, tagged.freshness];
  };
  assert.deepEqual(await look(), ['main', [], 'fresh']);
  const now = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => now() - 3_600_000);
  git('checkout', '-q', '-b', 'topic');
  space.write('src/alpha.ts', 'export function alphaChanged() {}\n');
  git('commit', '-qam', 'two');
  git('tag', '-f', 'v1');
  await sleep(2_200);
  assert.deepEqual(await look(), ['main', ['src/alpha.ts'], 'stale']);
  await engine.index(root);
  assert.deepEqual(await look(), ['topic', [], 'stale']);
});

test('a branch is indexed from its objects, beside the files as they are', async () => {
  const space = made();
  const { engine, root } = space;
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  space.git('checkout', '-q', '-b', 'topic');
  space.write('src/topic.ts', 'export function onlyOnTopic() {\n  return 1;\n}\n');
  space.git('add', '.');
  space.git('commit', '-qm', 'two');
  space.git('checkout', '-q', 'main');
  const live = await engine.index(root);
  assert.equal(live.ref, 'main');
  await assert.rejects(engine.search(root, { query: 'x', ref: 'topic' }), { code: 'not_indexed' });
  const topic = await engine.index(root, { ref: 'topic' });
  assert.equal(topic.ref, 'topic');
  assert.equal(topic.filesIndexed, 1, 'what both share is derived once');
  assert.deepEqual(await names(space, 'onlyOnTopic'), []);
  assert.deepEqual(await names(space, 'onlyOnTopic', 'topic'), ['src/topic.ts']);
  const found = await engine.search(root, { query: 'onlyOnTopic', ref: 'topic' });
  assert.equal(found.hits[0]?.path, 'src/topic.ts');
  assert.equal(found.freshness.ref, 'topic');
  assert.equal((await engine.search(root, { query: 'alphaOriginal', ref: 'main' })).hits[0]?.path, 'src/alpha.ts');
  const unknown = { ref: 'no-such-branch' };
  for (const asked of [
    () => engine.index(root, unknown),
    () => engine.search(root, { query: 'x', ...unknown }),
    () => engine.locate(root, { name: 'x', ...unknown }),
    () => engine.research(root, { query: 'what calls x', ...unknown }),
    () => engine.status(root, unknown.ref),
  ])
    await assert.rejects(asked, { code: 'ref_not_found' });
  const { refs } = await engine.status(root);
  assert.deepEqual(refs.map(({ ref }) => ref).sort(), ['main', 'topic']);
});

test('a branch leaves out files by its own rules and the settings of now, not by those of the folder', async () => {
  const space = made();
  const { root } = space;
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  space.git('branch', 'same');
  space.git('checkout', '-q', '-b', 'ignoring');
  space.write('.sextantignore', 'src/beta.ts\n');
  space.git('add', '.');
  space.git('commit', '-qm', 'two');
  space.git('checkout', '-q', 'main');
  await space.engine.index(root);
  await space.engine.index(root, { ref: 'ignoring' });
  assert.deepEqual(await names(space, 'betaThing', 'ignoring'), []);
  assert.deepEqual(await names(space, 'alphaOriginal', 'ignoring'), ['src/alpha.ts']);
  const index = { ...INDEX_DEFAULTS, exclude: ['src/beta.ts'] };
  await space.anotherEngine({ index }).index(root, { ref: 'same' });
  assert.deepEqual(await names(space, 'betaThing', 'same'), []);
  assert.deepEqual(await names(space, 'betaThing'), ['src/beta.ts']);
});

const onTwoBranches = () => {
  const space = made();
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  space.git('branch', 'topic');
  /** Resolved branches are remembered for a moment; another engine has none to remember. */
  const ask = async (name: string, ref: string) => {
    const engine = space.anotherEngine();
    const { symbols, freshness } = await engine.locate(space.root, { name, ref });
    return { found: symbols.some((symbol) => symbol.name === name), ref: freshness.ref, status: freshness.status };
  };
  return { ...space, ask };
};

test('a branch indexed by name is followed while it is checked out, then kept as it was left', async () => {
  const { root, git, write, anotherEngine, ask } = onTwoBranches();
  await anotherEngine().index(root);
  await anotherEngine().index(root, { ref: 'topic' });
  git('checkout', '-q', 'topic');
  write('src/topic.ts', 'export const editedOnTopic = 1;\n');
  git('add', '.');
  git('commit', '-qm', 'two');
  write('src/later.ts', 'export const notCommitted = 1;\n');
  assert.deepEqual(await ask('alphaOriginal', 'topic'), { found: true, ref: 'topic', status: 'stale' });
  await anotherEngine().index(root, { ref: 'topic' });
  assert.deepEqual(await ask('editedOnTopic', 'topic'), { found: true, ref: 'topic', status: 'fresh' });
  assert.deepEqual(await ask('notCommitted', 'topic'), { found: true, ref: 'topic', status: 'fresh' });
  git('checkout', '-q', 'main');
  await anotherEngine().index(root);
  assert.deepEqual(await ask('editedOnTopic', 'main'), { found: false, ref: 'main', status: 'fresh' });
  assert.deepEqual(await ask('editedOnTopic', 'topic'), { found: true, ref: 'topic', status: 'fresh' });
  assert.deepEqual(await ask('notCommitted', 'topic'), { found: false, ref: 'topic', status: 'fresh' });
});

test('a branch that was asked for by name outlasts its checkout, without what was not committed', async () => {
  const { root, git, write, anotherEngine, ask } = onTwoBranches();
  write('src/alpha.ts', 'export const notCommitted = 1;\n');
  const report = await anotherEngine().index(root, { ref: 'main', force: true });
  assert.deepEqual([report.ref, report.filesIndexed], ['main', 2]);
  const status = await anotherEngine().status(root);
  assert.deepEqual([status.recentJobs.length, status.refs.map(({ ref }) => ref)], [1, ['main']]);
  assert.deepEqual(await ask('notCommitted', 'main'), { found: true, ref: 'main', status: 'fresh' });
  git('stash', '-q');
  git('checkout', '-q', 'topic');
  for (const stage of ['before the next run', 'after it']) {
    assert.deepEqual(await ask('alphaOriginal', 'main'), { found: true, ref: 'main', status: 'fresh' }, stage);
    assert.deepEqual(await ask('notCommitted', 'main'), { found: false, ref: 'main', status: 'fresh' }, stage);
    await anotherEngine().index(root);
  }
  const refs = async () => (await anotherEngine().status(root)).refs.map(({ ref }) => ref).sort();
  assert.deepEqual(await refs(), ['main', 'topic']);
  git('checkout', '-q', 'main');
  await anotherEngine().index(root);
  assert.deepEqual(await refs(), ['main']);
  await anotherEngine().dropRef(root, 'main');
  assert.deepEqual(await refs(), []);
});

test('the live tree answers for the branch that it was made of until another run is made', async () => {
  const { root, git, anotherEngine, ask } = onTwoBranches();
  await anotherEngine().index(root);
  git('checkout', '-q', 'topic');
  assert.equal((await ask('alphaOriginal', 'main')).ref, 'main');
  await anotherEngine().index(root);
  await assert.rejects(ask('alphaOriginal', 'main'), { code: 'not_indexed' });
});

test('a run in the background can be followed to its end; a second engine has to wait', async () => {
  const space = made(many(60));
  const { engine, root } = space;
  const job = await engine.startIndex(root);
  assert.equal(job.status, 'running');
  await assert.rejects(space.anotherEngine().index(root), { code: 'index_in_progress' });
  await assert.rejects(engine.index(root), { code: 'index_in_progress' });
  let status = await engine.status(root);
  assert.equal(status.indexing, 'indexing');
  for (let i = 0; i < 600 && status.activeJob; i++) {
    await sleep(50);
    status = await engine.status(root);
  }
  assert.equal(status.indexing, 'ready');
  assert.equal(status.recentJobs.find(({ jobId }) => jobId === job.jobId)?.status, 'published');
  assert.equal(status.fileCount, 60);
});

test('a server: few files and then many, all of them arrive', async () => {
  const space = made();
  const { root } = space;
  const engine = space.anotherEngine({ inline: false });
  await engine.index(root);
  space.write('src/gamma.ts', 'export const gamma = 1;\n');
  assert.equal((await engine.index(root)).filesIndexed, 1);
  for (const [path, text] of Object.entries(many(120, 1))) space.write(path, text);
  assert.equal((await engine.index(root)).filesIndexed, 120);
  space.write('src/delta.ts', 'export const delta = 1;\n');
  assert.equal((await engine.index(root)).filesTotal, 124);
  assert.deepEqual(await names(space, 'f119_0'), ['src/file119.ts']);
});

test('a cancelled run leaves what was there, and the way free', async () => {
  const space = made();
  const { engine, root } = space;
  await engine.index(root);
  for (const [path, text] of Object.entries(many(80))) space.write(path, text);
  const abort = new AbortController();
  const run = engine.index(root, {
    signal: abort.signal,
    onProgress: ({ phase }) => {
      if (phase === 'parse') abort.abort();
    },
  });
  await assert.rejects(run, { code: 'cancelled' });
  assert.equal((await engine.search(root, { query: 'alphaOriginal' })).hits[0]?.path, 'src/alpha.ts');
  assert.equal((await engine.status(root)).recentJobs[0]?.status, 'cancelled');
  await assert.rejects(engine.index(root, { signal: AbortSignal.abort() }), { code: 'cancelled' });
  const late = await engine.startIndex(root, { signal: AbortSignal.abort() });
  let status = await engine.status(root);
  const outcome = () => status.recentJobs.find(({ jobId }) => jobId === late.jobId)?.status ?? 'running';
  for (let i = 0; i < 600 && outcome() === 'running'; i++) {
    await sleep(50);
    status = await engine.status(root);
  }
  assert.equal(outcome(), 'cancelled');
  assert.equal((await engine.index(root)).filesTotal, 82);
});

test('a killed worker costs at most the file it had in hand', { skip: process.platform !== 'linux' }, async () => {
  const space = made(many(60, 40));
  const { engine, root } = space;
  const before = children();
  let killed = 0;
  const run = engine.index(root);
  for (let i = 0; i < 4_000 && killed === 0; i++) {
    for (const pid of children()) {
      if (before.has(pid) || !/worker\.cjs/.test(commandOf(pid))) continue;
      // Give it time to have a file in hand; killing it earlier must be survived as well.
      await sleep(30);
      process.kill(pid, 'SIGKILL');
      killed = pid;
      break;
    }
    await sleep(5);
  }
  assert.ok(killed > 0, 'no worker was seen');
  const report = await run;
  assert.ok(report.filesFailed <= 1);
  assert.equal(report.filesTotal + report.filesFailed, 60);
  const again = await engine.index(root);
  assert.equal(again.filesTotal, 60, 'the next run takes up what was lost');
});

function children(): Set<number> {
  const text = readdirSync('/proc/self/task')
    .map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'))
    .join(' ');
  return new Set(text.split(/\s+/).filter(Boolean).map(Number));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

for (const format of ['sha1', 'sha256'])
  test(`a run in a repository with ${format} ids derives the changes and nothing else`, async () => {
    const space = made();
    const { engine, root } = space;
    space.git('init', '-q', `--object-format=${format}`);
    space.git('add', '.');
    space.git('commit', '-qm', 'first');
    const run = async () => {
      const { filesIndexed, filesUnchanged, filesRemoved } = await engine.index(root);
      return [filesIndexed, filesUnchanged, filesRemoved];
    };
    assert.deepEqual(await run(), [2, 0, 0]);
    assert.deepEqual(await run(), [0, 2, 0]);
    space.write('src/alpha.ts', 'export function alphaChanged() {}\n');
    assert.deepEqual(await run(), [1, 1, 0]);
    assert.deepEqual(await run(), [0, 2, 0]);
    space.git('commit', '-qam', 'second');
    assert.deepEqual(await run(), [0, 2, 0]);
    space.git('checkout', '-q', 'HEAD~');
    assert.deepEqual(await run(), [0, 2, 0], 'a content that was known before');
    assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
    space.remove('src/beta.ts');
    space.write('src/gamma.ts', 'export function gammaNew() {}\n');
    assert.deepEqual(await run(), [1, 1, 1]);
    assert.deepEqual(await names(space, 'gammaNew'), ['src/gamma.ts']);
    assert.deepEqual((await engine.verify(root)).pending, []);
  });

test('a file that was changed while it was read and changed back afterwards is read again', async () => {
  const space = made();
  const { engine, root } = space;
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  // After git has listed the folder, before the file is read.
  await engine.index(root, {
    onProgress: ({ phase }) => {
      if (phase === 'parse') space.write('src/alpha.ts', 'export function alphaMeanwhile() {}\n');
    },
  });
  assert.deepEqual(await names(space, 'alphaMeanwhile'), ['src/alpha.ts']);
  space.git('checkout', '-q', '.');
  await engine.index(root);
  assert.deepEqual(await names(space, 'alphaMeanwhile'), []);
  assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
});

test('a question before the first index can wait for it if this process makes it', async () => {
  const space = made();
  const { engine, root } = space;
  const isThere = (timeoutMs: number, signal = new AbortController().signal) =>
    engine.firstIndex(root, { timeoutMs, signal });
  assert.equal(await isThere(60_000), false, 'nobody makes one');
  assert.equal((await engine.status(root)).indexing, 'not_indexed');
  space.git('init', '-q');
  // Somebody is at work in the folder: the run stays due until they have done.
  space.write('.git/index.lock', '');
  const stop = await engine.watch(root);
  try {
    assert.equal((await engine.status(root)).indexing, 'indexing');
    assert.equal((await engine.status(join(root, 'src'))).indexing, 'indexing');
    await assert.rejects(isThere(0), { code: 'index_not_ready' });
    await assert.rejects(isThere(60_000, AbortSignal.abort()), { code: 'cancelled' });
    const waiting = engine.firstIndex(join(root, 'src'), { timeoutMs: 60_000 });
    space.remove('.git/index.lock');
    assert.equal(await waiting, true);
    assert.deepEqual(await names(space, 'alphaOriginal'), ['src/alpha.ts']);
  } finally {
    await stop();
  }
});

test('a first index that was asked for is waited for as well', async () => {
  const { engine, root } = made();
  let waiting: Promise<boolean> | undefined;
  await engine.index(root, {
    onProgress: () => {
      waiting ??= engine.firstIndex(root, { timeoutMs: 60_000 });
    },
  });
  assert.equal(await waiting, true);
});

test('a forced run leaves even a damaged index in its place until a parser runs', async () => {
  const { engine, root, anotherEngine } = made();
  await engine.index(root);
  const { storeFolder } = await engine.project(root);
  await engine.close();
  const file = join(storeFolder, 'index.sqlite');
  writeFileSync(file, 'no database');
  const workerEntry = join(storeFolder, 'worker-that-ends.cjs');
  writeFileSync(workerEntry, 'process.exit(3);\n');
  const refused = { code: 'internal_error', message: /a worker process cannot start/ };
  for (const inline of [true, false]) {
    const broken = anotherEngine({ inline, workerEntry });
    await assert.rejects(broken.index(root, { force: true }), refused);
    await assert.rejects(broken.startIndex(root, { force: true }), refused);
    assert.equal(readFileSync(file, 'utf8'), 'no database');
  }
  assert.equal((await anotherEngine().index(root, { force: true })).filesIndexed, 2);
});
