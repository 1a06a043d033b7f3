/** A server follows every kind of change in its folder, and many changes cause few runs. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE, type Sandbox, sandbox } from '../cli/sextant.ts';
import { type Agent, agent } from './agent.ts';
import { onlyFull } from './scale.ts';
import { dump, freshDump, withReader } from './store.ts';

function committed(): Sandbox {
  const box = sandbox();
  box.write(SAMPLE);
  box.git('init', '-q');
  commit(box, 'one');
  assert.equal(box.run(['index', '--quiet']).code, 0);
  return box;
}

function commit(box: Sandbox, message: string): void {
  box.git('add', '-A');
  box.git('commit', '-qm', message);
}

const code = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;
const has = (path: string) => (answer: Record<string, unknown>) => JSON.stringify(answer.results ?? '').includes(path);
const exact = (answer: Record<string, unknown>) =>
  (answer.results as { match?: string }[] | undefined)?.some(({ match }) => match === undefined) ?? false;

async function sees(one: Agent, name: string, path: string): Promise<void> {
  await one.until('locate_symbol', { name }, has(path));
}

async function misses(one: Agent, name: string): Promise<void> {
  await one.until('locate_symbol', { name }, (answer) => 'results' in answer && !exact(answer));
}

async function settled(one: Agent): Promise<void> {
  await one.until('get_status', {}, ({ freshness }) => freshness === 'fresh');
}

/** Runs so far, of any process. */
function runs(box: Sandbox): number {
  return withReader(box.home, (reader) => reader.jobs(50).filter(({ status }) => status === 'published').length);
}

test('edits, creations, deletions, renames, branches, rebases, stashes and ignore rules are followed', async () => {
  const box = committed();
  const one = await agent(box);
  await settled(one);
  box.write({ 'web/new.ts': code('createdLater') });
  await sees(one, 'createdLater', 'web/new.ts');
  box.write({ 'web/new.ts': code('editedLater') });
  await sees(one, 'editedLater', 'web/new.ts');
  renameSync(box.path('web/new.ts'), box.path('web/renamed.ts'));
  await sees(one, 'editedLater', 'web/renamed.ts');
  rmSync(box.path('web/renamed.ts'));
  await misses(one, 'editedLater');

  // Folders in folders that were not there before: made, renamed, brought by git.
  box.write({ 'web/deep/er/file.ts': code('createdDeep') });
  await sees(one, 'createdDeep', 'web/deep/er/file.ts');
  box.write({ 'web/deep/er/file.ts': code('editedDeep') });
  await sees(one, 'editedDeep', 'web/deep/er/file.ts');
  renameSync(box.path('web/deep'), box.path('web/deeper'));
  await sees(one, 'editedDeep', 'web/deeper/er/file.ts');
  box.write({ 'web/deeper/er/file.ts': code('editedAgain') });
  await sees(one, 'editedAgain', 'web/deeper/er/file.ts');
  commit(box, 'deep');
  box.git('checkout', '-q', 'HEAD~1');
  await misses(one, 'editedAgain');
  box.git('checkout', '-q', 'main');
  await sees(one, 'editedAgain', 'web/deeper/er/file.ts');
  box.write({ 'web/deeper/er/file.ts': code('afterCheckout') });
  await sees(one, 'afterCheckout', 'web/deeper/er/file.ts');

  box.git('checkout', '-q', '-b', 'topic');
  box.write({ 'web/topic.ts': code('onTopic') });
  commit(box, 'topic');
  await sees(one, 'onTopic', 'web/topic.ts');
  box.git('checkout', '-q', 'main');
  await misses(one, 'onTopic');
  box.write({ 'web/main.ts': code('onMain') });
  commit(box, 'main');
  box.git('checkout', '-q', 'topic');
  box.git('rebase', '-q', 'main');
  await sees(one, 'onMain', 'web/main.ts');
  await sees(one, 'onTopic', 'web/topic.ts');
  const status = await one.call('get_status');
  assert.equal(status.ref, 'topic', 'the branch is named as it is now');

  box.write({ 'web/topic.ts': code('notYetCommitted') });
  await sees(one, 'notYetCommitted', 'web/topic.ts');
  box.git('stash', '-q');
  await sees(one, 'onTopic', 'web/topic.ts');
  box.git('stash', 'pop', '-q');
  await sees(one, 'notYetCommitted', 'web/topic.ts');

  writeFileSync(box.path('.gitignore'), 'web/main.ts\n');
  box.git('rm', '-q', '--cached', 'web/main.ts');
  await misses(one, 'onMain');
  rmSync(box.path('.gitignore'));
  await sees(one, 'onMain', 'web/main.ts');
  await settled(one);
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
  await one.leave();
});

test('a server whose first index an agent makes by a tool follows changes from then on', async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const one = await agent(box, { profile: 'gocontext' });
  const path = box.path();
  assert.equal((await one.call('get_status', { path })).indexed, false);
  await one.call('index_codebase', { path });
  box.write({ 'web/new.ts': code('createdLater') });
  await one.until('search_code', { path, query: 'createdLater' }, has('web/new.ts'));
  await one.leave();
});

test('a project that was deleted and is there again is followed', async () => {
  const box = committed();
  const one = await agent(box);
  await settled(one);
  cpSync(box.path(), join(box.folder, 'copy'), { recursive: true });
  rmSync(box.path(), { recursive: true });
  await one.until('get_status', {}, ({ freshness }) => freshness !== 'fresh');
  renameSync(join(box.folder, 'copy'), box.path());
  await settled(one);
  box.write({ 'web/again.ts': code('createdAgain') });
  await sees(one, 'createdAgain', 'web/again.ts');
  await one.leave();
});

test('ignore files above a workspace are followed', async () => {
  const box = committed();
  const one = await agent(box, { workspace: box.path('web') });
  box.write({ 'web/hidden.ts': code('hiddenLater') });
  await sees(one, 'hiddenLater', 'hidden.ts');
  await settled(one);
  box.write({ '.gitignore': 'hidden.ts\n' });
  await misses(one, 'hiddenLater');
  await one.leave();
});

test('the ignore file of the user is followed, whether or not its folder is there', async () => {
  const box = committed();
  const rules = join(box.folder, 'rules');
  const config = join(box.folder, 'gitconfig');
  box.git('config', '--file', config, 'core.excludesFile', join(rules, 'ignore'));
  const env = { GIT_CONFIG_GLOBAL: config };
  const early = await agent(box, { env });
  box.write({ 'web/hidden.ts': code('hiddenLater') });
  await sees(early, 'hiddenLater', 'web/hidden.ts');
  assert.equal((await early.call('get_status')).watching, 'events');
  await early.leave();
  mkdirSync(rules);
  const one = await agent(box, { env });
  // So that its first look, which needs no event, is over.
  box.write({ 'web/seen.ts': code('seenLater') });
  await sees(one, 'seenLater', 'web/seen.ts');
  await settled(one);
  writeFileSync(join(rules, 'ignore'), 'hidden.ts\n');
  // Half a minute later it would be found without an event, too.
  await one.until('locate_symbol', { name: 'hiddenLater' }, (answer) => 'results' in answer && !exact(answer), 25_000);
  await one.leave();
});

test('a storm of events, from a checkout of many files or an install, causes few runs', {
  skip: onlyFull,
}, async () => {
  const box = committed();
  const count = 10_000;
  box.git('checkout', '-q', '-b', 'many');
  for (let i = 0; i < count; i++)
    box.write({ [`gen/d${i % 100}/f${i}.py`]: `def generated_${i}():\n    return ${i}\n` });
  commit(box, 'many');
  box.git('checkout', '-q', 'main');
  assert.equal(box.run(['index', '--quiet']).code, 0);
  const one = await agent(box);
  await settled(one);
  // The first look of the server is a run of its own.
  for (let tries = 0; tries < 100 && runs(box) < 3; tries++) await sleep(100);
  const before = runs(box);
  box.git('checkout', '-q', 'many');
  await one.until('locate_symbol', { name: `generated_${count - 1}` }, exact, 240_000);
  await settled(one);
  const checkout = runs(box) - before;
  assert.ok(checkout >= 1 && checkout <= 3, `${checkout} runs for a checkout of ${count} files`);
  for (let i = 0; i < 3_000; i++) box.write({ [`node_modules/p${i % 60}/f${i}.js`]: `module.exports = ${i};\n` });
  await sleep(3_000);
  await settled(one);
  assert.ok(runs(box) - before - checkout <= 1, `${runs(box) - before - checkout} runs for an install`);
  await one.leave();
});

test('under steady change, changes are searchable while others follow', { skip: onlyFull }, async () => {
  const box = committed();
  const one = await agent(box);
  await settled(one);
  let writes = 0;
  const writing = setInterval(
    () => appendFileSync(box.path('steady.py'), `def steady_${writes++}():\n    pass\n\n`),
    100,
  );
  try {
    await sees(one, 'steady_1', 'steady.py');
  } finally {
    clearInterval(writing);
  }
  await sees(one, `steady_${writes - 1}`, 'steady.py');
  await one.leave();
});

test('a server polls, and says so, if there are no file events', async () => {
  const box = committed();
  // As on a system that has no watch to give, or a platform for which the library has no binary: neither a server,
  // which imports it, nor a command, which requires it, finds one.
  const missing = `if (name === '@parcel/watcher') throw new Error('no watcher here');`;
  writeFileSync(
    join(box.folder, 'hook.mjs'),
    `export async function resolve(name, context, next) { ${missing} return next(name, context); }\n`,
  );
  const hooks = `import Module, { register, syncBuiltinESMExports } from 'node:module';
    register(${JSON.stringify(`file://${join(box.folder, 'hook.mjs')}`)});
    import fs from 'node:fs';
    fs.watch = () => { throw new Error('no watcher here'); };
    syncBuiltinESMExports();
    const load = Module._load;
    Module._load = (name, ...rest) => { ${missing} return load(name, ...rest); };`;
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hooks)}` };
  const one = await agent(box, { env });
  const status = await one.call('get_status');
  assert.equal(status.watching, 'polling');
  assert.match(one.stderr(), /No file events for .*: changes are looked for every two seconds/);
  box.write({ 'web/polled.ts': code('foundByPolling') });
  await sees(one, 'foundByPolling', 'web/polled.ts');
  const { stdout } = box.run(['doctor', '--format', 'json'], { env });
  const check = (JSON.parse(stdout).checks as { name: string; status: string }[]).find(
    ({ name }) => name === 'watcher',
  );
  assert.equal(check?.status, 'warn');
  await one.leave();
});
