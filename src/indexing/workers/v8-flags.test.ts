import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Workload, workerFlags } from './v8-flags.ts';
import { WorkerPool } from './worker-pool.ts';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));

/** Derives one file in a pool whose workers start with these flags; returns the workloads for which the pool asked. */
async function deriveOne(flags: readonly string[]): Promise<{ symbols: number; asked: Workload[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-flags-'));
  writeFileSync(join(folder, 'a.go'), 'package a\n\nfunc Open() {}\n');
  const asked: Workload[] = [];
  const pool = new WorkerPool({
    entry: join(dist, 'worker.cjs'),
    setup: {
      grammarFolder: join(dist, 'grammars'),
      queryFolder: join(dist, 'queries'),
      modelFolder: null,
      maxFileBytes: 1e6,
      includeGenerated: false,
      redact: true,
    },
    flags: (workload) => {
      asked.push(workload);
      return flags;
    },
  });
  try {
    let symbols = 0;
    const jobs = [{ path: 'a.go', root: folder, gitBlob: null, flags: 0 }];
    await pool.run([jobs], { workers: 1, workload: 'few' }, ({ files, batch }) => {
      assert.equal(files.length, 1);
      symbols += batch.contents.length;
    });
    return { symbols, asked };
  } finally {
    pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a worker starts with the table’s flags on this version of Node', async () => {
  assert.deepEqual(await deriveOne(workerFlags('few')), { symbols: 1, asked: ['few'] });
});

test('if Node refuses a flag, the worker is started without flags', async () => {
  assert.deepEqual(await deriveOne(['--no-such-flag-of-any-node']), { symbols: 1, asked: ['few'] });
});

test('workerFlags returns the flags of each version of Node', () => {
  const tiering = '--no-wasm-tier-up';
  assert.ok(workerFlags('few', '22.3.1').includes(tiering));
  assert.ok(!workerFlags('many', '22.3.1').includes(tiering));
  assert.ok(workerFlags('many', '24.0.0').includes(tiering), 'the Swift grammar ends this V8');
  assert.ok(!workerFlags('many', '26.0.0').includes(tiering));
  assert.ok(workerFlags('many', '20.11.0').includes('--interrupt-budget=600000'));
  assert.ok(!workerFlags('many', '22.0.0').includes('--interrupt-budget=600000'));
});
