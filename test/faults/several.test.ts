/** Several agents use one store: one writes, all read, and a dead process blocks no other and leaves no children. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, SAMPLE, type Sandbox, sandbox, worked } from '../cli/sextant.ts';
import { type Agent, agent } from './agent.ts';
import { madeUpFile } from './made-up-code.ts';
import { descendants, isLinux, neverReaped, parserOf, parsersBelow, survivors } from './processes.ts';
import { onlyFull, Random } from './scale.ts';
import { dump, freshDump } from './store.ts';

function large(count = 200): Sandbox {
  const box = sandbox();
  const random = new Random(78);
  for (let i = 0; i < count; i++) box.write({ [`src/f${i}.ts`]: madeUpFile(random, 'ts', 120) });
  box.write(SAMPLE);
  return box;
}

const found = (name: string) => (answer: Record<string, unknown>) =>
  JSON.stringify(answer.results ?? '').includes(name);

test('a server ends with its client, also while it indexes, and its children end with it', {
  skip: !isLinux,
}, async () => {
  const box = large();
  const one = await agent(box);
  void one.call('get_status').catch(() => undefined);
  await parserOf(one.child.pid!);
  const below = descendants(one.child.pid!);
  assert.ok(below.length > 0, 'it was indexing');
  const started = performance.now();
  await one.leave();
  assert.deepEqual(await survivors(below, 10_000), []);
  assert.ok(performance.now() - started < 20_000, 'it did not wait for the end of its work');
  worked(box.run(['index', '--quiet']));
  assert.match(worked(box.run(['verify'])), /sound and up to date/);
});

test('when a server is killed its children end, and its lease passes on at once', {
  skip: !isLinux || onlyFull,
}, async () => {
  const box = large();
  const [one, two] = [await agent(box), await agent(box)];
  void one.call('get_status').catch(() => undefined);
  await parserOf(one.child.pid!);
  const below = descendants(one.child.pid!);
  one.child.kill('SIGKILL');
  await ended(one.child);
  assert.deepEqual(await survivors(below, 15_000), [], 'orphans');
  // The other one watches the same folder and takes over by itself.
  await two.until('locate_symbol', { name: 'NextDelay' }, found('policy.go'));
  await two.until('get_status', {}, ({ freshness }) => freshness === 'fresh');
  assert.equal(dump(box.home, box.path()), freshDump(box, `${box.folder}/fresh`));
  await two.leave();
});

test('five servers and a dozen command lines on one store: no error, and all of them see every change', {
  skip: onlyFull,
}, async () => {
  const box = large(40);
  worked(box.run(['index', '--quiet']));
  const agents: Agent[] = [];
  for (let i = 0; i < 5; i++) agents.push(await agent(box));
  await Promise.all(agents.map((each) => each.call('get_status')));
  for (let round = 0; round < 4; round++) {
    box.write({ [`web/round${round}.ts`]: `export function seenInRound${round}() {\n  return ${round};\n}\n` });
    const clis = Array.from({ length: 3 }, () => box.start(['search', 'addToCart']));
    const codes = Promise.all(
      clis.map((child) => {
        child.stdout.resume();
        child.stderr.resume();
        return ended(child);
      }),
    );
    await Promise.all(
      agents.map((each) => each.until('locate_symbol', { name: `seenInRound${round}` }, found(`round${round}.ts`))),
    );
    assert.deepEqual(
      (await codes).map(({ code }) => code),
      [0, 0, 0],
    );
  }
  const ends = await Promise.all(agents.map((each) => each.leave()));
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0, 0, 0, 0],
  );
  assert.deepEqual(
    agents.map((each) => each.stderr()).filter((text) => /error|locked|busy/i.test(text)),
    [],
  );
  assert.equal(dump(box.home, box.path()), freshDump(box, `${box.folder}/fresh`));
});

test('one of several servers that watch a folder makes the runs; the others need no parser until it is gone', {
  skip: !isLinux || onlyFull,
}, async () => {
  const box = large(40);
  worked(box.run(['index', '--quiet']));
  const agents = await Promise.all(Array.from({ length: 3 }, () => agent(box)));
  await Promise.all(agents.map((each) => each.call('get_status')));
  const changeSeenBy = async (name: string, all: readonly Agent[]) => {
    box.write({ 'web/changing.ts': `export function ${name}() {\n  return '${name}';\n}\n` });
    await Promise.all(all.map((each) => each.until('locate_symbol', { name }, found('changing.ts'))));
    // Within reach of those who would look again after they found the store taken.
    await sleep(1200);
  };
  const withParser = (all: readonly Agent[]) => all.filter(({ child }) => parsersBelow(child.pid!).length > 0);
  for (const name of ['seenFirst', 'seenSecond', 'seenThird', 'seenFourth']) await changeSeenBy(name, agents);
  const [leader, ...more] = withParser(agents);
  assert.ok(leader, 'somebody has read the changes');
  assert.equal(more.length, 0, 'one parser is enough for all');
  for (const { child } of agents) assert.deepEqual(await neverReaped(child.pid!), [], 'zombies');
  leader.child.kill('SIGKILL');
  await ended(leader.child);
  const rest = agents.filter((each) => each !== leader);
  await changeSeenBy('seenWithoutIt', rest);
  assert.equal(withParser(rest).length, 1);
  await Promise.all(rest.map((each) => each.leave()));
});

test('a second writer learns which process holds the lease, and continues when that process dies', {
  skip: !isLinux || onlyFull,
}, async () => {
  const box = large();
  const child = box.start(['index']);
  child.stdout.resume();
  child.stderr.resume();
  await parserOf(child.pid!);
  const { code, stdout } = box.run(['index', '--format', 'json']);
  assert.equal(code, 4);
  assert.equal(JSON.parse(stdout).error.data.pid, child.pid);
  child.kill('SIGSTOP');
  await sleep(100);
  assert.equal(box.run(['index']).code, 4, 'one that sleeps still holds it');
  child.kill('SIGKILL');
  await ended(child);
  worked(box.run(['index', '--quiet']));
});
