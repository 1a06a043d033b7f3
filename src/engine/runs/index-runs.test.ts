import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobRecord } from '../../store/store.ts';
import type { EngineConfig } from '../engine-config.ts';
import type { Models } from '../model-loader.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { IndexRuns } from './index-runs.ts';

const runs = new IndexRuns({} as EngineConfig, {} as Models, () => undefined);

/** A project of which only the jobs of its store are asked for. */
function projectAt(root: string, jobs: readonly Partial<JobRecord>[]): OpenedProject {
  return { resolved: { root }, reader: { jobs: () => jobs } } as unknown as OpenedProject;
}

const run = (root: string, pid: number): Partial<JobRecord> => ({
  root,
  pid,
  status: 'published',
  changedFiles: 1,
  createdAtMs: Date.now() + 1_000,
});

test('a server waits for a run of another process over this folder, not over another work tree', async (t) => {
  // The waits are for servers, which have something else to stay for.
  const staying = setInterval(() => undefined, 1_000);
  t.after(() => clearInterval(staying));
  const isCurrent = async () => true;
  // The process that started this one is there for certain.
  const other = process.ppid;
  const own = run('/here', process.pid);
  assert.equal(await runs.mustIndex(projectAt('/here', [run('/here', other), own]), isCurrent), false);
  assert.equal(await runs.mustIndex(projectAt('/here', [run('/there', other), own]), isCurrent), true);
  assert.equal(await runs.mustIndex(projectAt('/here', [run('/there', other)]), isCurrent), true);
});
