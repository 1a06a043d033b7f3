import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { guardChild } from './child-guard.ts';

const SLEEPER = ['-e', 'setInterval(() => {}, 1000); process.stdout.write("up")'];

/** Signal 0 asks whether the process is there. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 500 && isThere(pid); tries++) await sleep(20);
  return !isThere(pid);
}

async function startedBy(script: string): Promise<{ parent: ChildProcess; children: number[] }> {
  const module = new URL('./child-guard.ts', import.meta.url).href;
  const code = `import { spawn } from 'node:child_process'; import { guardChild, startGuard } from ${JSON.stringify(module)};
    const stdio = ['ignore', 'pipe', 'ignore'];
    const start = () => guardChild(spawn(process.execPath, ${JSON.stringify(SLEEPER)}, { stdio }));
    ${script}`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(parent.stdout!, 'data')) as [Buffer];
  return { parent, children: said.toString().trim().split(' ').map(Number) };
}

/** `startFirst` runs before the first child starts. */
async function killTheParent(startFirst: string): Promise<void> {
  const { parent, children } = await startedBy(`${startFirst}
    const all = [start(), start(), start()];
    await Promise.all(all.map((child) => new Promise((up) => child.stdout.once('data', up))));
    all[1].once('exit', () => console.log(all.map((child) => child.pid).join(' ')));
    all[1].kill('SIGKILL');
    setInterval(() => {}, 1000);`);
  assert.equal(children.length, 3);
  assert.deepEqual(children.map(isThere), [true, false, true]);
  parent.kill('SIGKILL');
  assert.deepEqual(await Promise.all(children.map(gone)), [true, true, true]);
}

test('children are killed when their parent is killed, also after another child has ended', () => killTheParent(''));

test('children are killed by a watcher without a shell, as on Windows', () => killTheParent('startGuard(false);'));

test('no watcher is started for a child that ended while this process was busy', {
  skip: process.platform !== 'linux',
}, async () => {
  const { parent, children } = await startedBy(`const { readFileSync } = await import('node:fs');
    const child = guardChild(spawn('true'));
    for (const until = performance.now() + 200; performance.now() < until; );
    await new Promise((ended) => child.once('exit', ended));
    await new Promise((done) => setImmediate(done));
    const own = readFileSync('/proc/' + process.pid + '/task/' + process.pid + '/children', 'utf8').trim().split(' ');
    const isShell = (pid) => readFileSync('/proc/' + pid + '/comm', 'utf8').trim() === 'sh';
    console.log(own.filter((pid) => pid !== '' && isShell(pid)).length);`);
  await once(parent, 'exit');
  assert.deepEqual(children, [0]);
});

test('a process group is killed when its parent is killed, and when its time is over', {
  skip: process.platform === 'win32',
}, async () => {
  const LEADER = ['-c', `sleep 1000 & echo $!; wait`];
  const { parent, children } = await startedBy(`startGuard();
    const leader = guardChild(spawn('/bin/sh', ${JSON.stringify(LEADER)}, { detached: true }), { group: true });
    leader.stdout.once('data', (text) => console.log(leader.pid + ' ' + text));
    setInterval(() => {}, 1000);`);
  assert.deepEqual(children.map(isThere), [true, true]);
  parent.kill('SIGKILL');
  assert.deepEqual(await Promise.all(children.map(gone)), [true, true]);
  const leader = guardChild(spawn('/bin/sh', LEADER, { detached: true }), { group: true, timeoutMs: 300 });
  const [said] = (await once(leader.stdout, 'data')) as [Buffer];
  assert.ok(await gone(Number(said)));
});

test('the watcher does not keep a process alive', async () => {
  const { parent } = await startedBy(`
    const child = start();
    child.stdout.once('data', () => { console.log(child.pid); child.kill('SIGKILL'); });`);
  const [code] = parent.exitCode === null ? await once(parent, 'exit') : [parent.exitCode];
  assert.equal(code, 0);
});

test('a child is killed when its time is over, and output extends the time', async () => {
  let timedOut = 0;
  const onTimeout = () => timedOut++;
  const silent = guardChild(spawn(process.execPath, SLEEPER, { stdio: 'ignore' }), { timeoutMs: 50, onTimeout });
  const [, signal] = await once(silent, 'exit');
  assert.deepEqual([signal, timedOut], ['SIGKILL', 1]);
  const talker = 'let n = 0; setInterval(() => { process.stdout.write("."); if (++n > 60) process.exit(0); }, 50)';
  const talking = guardChild(spawn(process.execPath, ['-e', talker]), { timeoutMs: 2_000, idle: true, onTimeout });
  talking.stdout.resume();
  const [code] = await once(talking, 'exit');
  assert.deepEqual([code, timedOut], [0, 1]);
});

test('every child process of the program is guarded or has a time limit', () => {
  const source = fileURLToPath(new URL('../../', import.meta.url));
  const starters = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(path))
    .filter((path) => !path.endsWith(join('runtime', 'child-guard.ts')))
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
    .filter(({ text }) => /import \{[^}]*\b(?:spawn|fork|exec|execFile)\b[^}]*\} from 'node:child_process'/.test(text));
  assert.ok(starters.length > 3, 'git, ripgrep and parsers are started somewhere');
  const unguarded = starters.filter(({ text }) => !/guardChild\(|\{ timeout: /.test(text));
  assert.deepEqual(
    unguarded.map(({ path }) => path),
    [],
  );
});
