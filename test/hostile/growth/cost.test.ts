/**
 * What a scan costs at most. Work in proportion to a text, times the most bytes that the scan takes, is its budget of
 * time; `npm run test:hostile` prints the dearest ones. Measured in CPU time, so that a busy machine changes nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenTexts } from './hostile-texts.ts';
import { languageScanners } from './language-scanners.ts';
import { cpuMs } from './measure-growth.ts';
import { otherScanners } from './other-scanners.ts';
import type { Scanner } from './scanner.ts';

const isFull = process.env.HOSTILE === 'full' || process.env.HOSTILE === 'all';
/** Largest file that is read (`index.max_file_bytes`); manifests, settings and questions are smaller. */
const MEGABYTE = 1 << 20;
const TEXTS = 24;
const SIZE = 1 << 15;
const ROUNDS = 3;
const SHOWN = 12;
/** Half of what a parser process may work on a file before it is killed (worker-process.ts). */
const BUDGET_MS = 10_000;

test('every scan stays within its time limit for the most bytes that it accepts', { skip: !isFull }, (t) => {
  const costs = [...languageScanners(), ...otherScanners()].map((scanner) => ({ scanner, ms: dearest(scanner) }));
  costs.sort((a, b) => b.ms - a.ms);
  for (const { scanner, ms } of costs.slice(0, SHOWN)) t.diagnostic(`${Math.round(ms)} ms of CPU: ${scanner.name}`);
  const over = costs
    .filter(({ ms }) => ms > BUDGET_MS)
    .map(({ scanner, ms }) => `${scanner.name}: ${Math.round(ms)} ms`);
  assert.deepEqual(over, []);
});

/** For as many bytes as it takes, on the text that costs it most. */
function dearest(scanner: Scanner): number {
  const { run, limit = MEGABYTE } = scanner;
  const size = Math.min(limit, SIZE);
  const costs = chosenTexts(scanner, TEXTS).map(({ make }) => {
    const text = make(size);
    return { text, ms: cpuMs(run, text) };
  });
  const { text } = costs.reduce((one, other) => (other.ms > one.ms ? other : one));
  // Compiling and collecting garbage are no part of it.
  const ms = Math.min(...Array.from({ length: ROUNDS }, () => cpuMs(run, text)));
  return (ms * limit) / size;
}
