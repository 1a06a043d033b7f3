/** If a parser process is killed, hangs or runs out of memory, at most its file is missing for one run, and reported. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ended, type Sandbox, sandbox, worked } from '../cli/sextant.ts';
import { madeUpFile } from './made-up-code.ts';
import { descendants, isLinux, parserOf, survivors } from './processes.ts';
import { onlyFull, Random } from './scale.ts';
import { dump, freshDump } from './store.ts';

function large(): Sandbox {
  const box = sandbox();
  const random = new Random(77);
  for (let i = 0; i < 160; i++) box.write({ [`src/f${i}.ts`]: madeUpFile(random, 'ts', 120) });
  return box;
}

/**
 * Indexes while `harm` is done to its first parser process; what is then known is everything but a file or two, and
 * soon everything.
 */
async function indexHarmed(box: Sandbox, harm: (pid: number) => void): Promise<void> {
  const child = box.start(['index', '--format', 'json']);
  let stdout = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.resume();
  harm(await parserOf(child.pid!));
  const below = descendants(child.pid!);
  const { code } = await ended(child);
  assert.equal(code, 0, 'one bad file never stops a run');
  assert.deepEqual(await survivors(below, 5_000), [], 'no parser is left behind');
  const report = JSON.parse(stdout) as { files_total: number; files_failed: number };
  assert.equal(report.files_total + report.files_failed, 160);
  assert.ok(report.files_failed <= 2, `${report.files_failed} files were lost`);
  if (report.files_failed > 0) {
    const differs = box.run(['verify']);
    assert.equal(differs.code, 1, 'what is missing is not called up to date');
    const { checks } = JSON.parse(box.run(['doctor', '--format', 'json']).stdout) as {
      checks: { name: string; status: string }[];
    };
    assert.equal(checks.find(({ name }) => name === 'up to date')?.status, 'warn');
  }
  worked(box.run(['index', '--quiet']));
  assert.match(worked(box.run(['verify'])), /sound and up to date/);
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
}

test('a run survives a parser that aborts', { skip: !isLinux || onlyFull }, () =>
  indexHarmed(large(), (pid) => process.kill(pid, 'SIGABRT')),
);

test('a run survives a parser that hangs', { skip: !isLinux || onlyFull }, () =>
  indexHarmed(large(), (pid) => process.kill(pid, 'SIGSTOP')),
);

test('a run survives a parser that runs out of memory', { skip: !isLinux || onlyFull }, (t) => {
  if (spawnSync('prlimit', ['--version']).status !== 0) return t.skip('prlimit is not installed');
  // The system then refuses further memory, so the parser ends when its heap grows.
  return indexHarmed(large(), (pid) => {
    spawnSync('prlimit', ['--pid', String(pid), '--as=1000000', '--data=1000000']);
  });
});
