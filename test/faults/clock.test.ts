/**
 * A clock that is set back. The real binary runs with its `Date.now` moved by a module that Node loads before it
 * (NODE_OPTIONS): once behind the last run by a day, once jumping back in the middle of a run.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ended, SAMPLE, type Sandbox, sandbox, waitFor } from '../cli/sextant.ts';
import { onlyFull } from './scale.ts';
import { dump, freshDump, storeFolder } from './store.ts';

const DAY_MS = 86_400_000;

/** The environment of a process whose clock is off by `shiftMs`, from the beginning or after `afterMs`. */
function clock(box: Sandbox, shiftMs: number, afterMs = 0): Record<string, string> {
  const file = join(box.folder, `clock${shiftMs}-${afterMs}.mjs`);
  writeFileSync(
    file,
    `const real = Date.now.bind(Date);
     const start = real();
     Date.now = () => { const now = real(); return now - start >= ${afterMs} ? now + ${shiftMs} : now; };\n`,
  );
  return { NODE_OPTIONS: `--import ${pathToFileURL(file).href}` };
}

function worked(box: Sandbox, args: readonly string[], env: Record<string, string> = {}): string {
  const { code, stdout, stderr } = box.run(args, { env });
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

test('with a clock a day behind the last run, changes are found and no time is wrong', () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box, ['index', '--quiet'], clock(box, DAY_MS));
  const checks = JSON.parse(worked(box, ['doctor', '--format', 'json'])).checks as { name: string; status: string }[];
  assert.equal(checks.find(({ name }) => name === 'clock')?.status, 'warn');
  box.write({ 'tools/report.py': 'def yearly_report(orders):\n    return max(orders)\n' });
  const yesterday = new Date(Date.now() - DAY_MS);
  utimesSync(box.path('tools/report.py'), yesterday, yesterday);
  assert.match(worked(box, ['status']), /stale/);
  worked(box, ['index', '--quiet']);
  assert.match(worked(box, ['locate', 'yearly_report']), /report\.py/);
  assert.match(worked(box, ['verify']), /sound and up to date/);
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
});

test('a run during which the clock jumps back ends, and the next one works', { skip: onlyFull }, () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box, ['index', '--quiet'], clock(box, -DAY_MS, 150));
  assert.match(worked(box, ['verify']), /sound and up to date/);
  box.write({ 'web/more.ts': 'export function afterTheJump() {\n  return 1;\n}\n' });
  worked(box, ['index', '--quiet'], clock(box, -DAY_MS, 150));
  assert.match(worked(box, ['locate', 'afterTheJump']), /more\.ts/);
  assert.equal(dump(box.home, box.path()), freshDump(box, join(box.folder, 'fresh')));
});

test('a living process keeps its lease when the clock changes', { skip: onlyFull }, async () => {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box, ['index', '--quiet']);
  const holder = fileURLToPath(new URL('../contracts/lease-holder.ts', import.meta.url));
  const other = spawn(process.execPath, ['--import', 'tsx', holder, storeFolder(box.home)]);
  try {
    await waitFor(other.stdout, /held/);
    for (const shiftMs of [-DAY_MS, DAY_MS]) {
      const { code, stderr } = box.run(['index'], { env: clock(box, shiftMs) });
      assert.equal(code, 4, stderr);
    }
  } finally {
    other.kill('SIGKILL');
    await ended(other);
  }
  worked(box, ['index', '--quiet'], clock(box, -DAY_MS));
});
