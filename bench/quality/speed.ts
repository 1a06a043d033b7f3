/**
 * How long a question takes in a project of a given size: repositories of the benchmark laid side by side until they
 * have so many chunks.
 */
import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../src/engine/index.ts';
import type { Question } from './set.ts';

export interface Speed {
  readonly wanted: number;
  readonly chunks: number;
  readonly files: number;
  readonly p50: number;
  readonly p95: number;
}

const QUESTIONS = 300;
const WARM_UP = 20;
/**
 * Each with an engine that has this project open and no other, as a server has, and remembers no answer; the middle one
 * counts.
 */
const ROUNDS = 3;

export async function measureSpeed(
  makeEngine: () => Engine,
  layout: string,
  work: string,
  questions: readonly Question[],
  chunksOf: ReadonlyMap<string, number>,
  wanted: number,
): Promise<Speed> {
  const folder = join(work, `side-by-side-${wanted}`);
  const picked = pick(chunksOf, wanted);
  layOut(layout, folder, picked);
  // Questions that have their answer there: what is refused is another road, and a rarer one.
  const names = new Set(picked.map(({ name }) => name));
  const own = questions.filter(({ repository }) => names.has(repository));
  const step = Math.max(1, Math.floor(own.length / QUESTIONS));
  const asked = own.filter((_, i) => i % step === 0).slice(0, QUESTIONS);
  const rounds: Speed[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const engine = makeEngine();
    const { chunkCount, filesTotal } = await engine.index(folder);
    const times = await ask(engine, folder, asked);
    await engine.close();
    rounds.push({
      wanted,
      chunks: chunkCount,
      files: filesTotal,
      p50: times[times.length >> 1]!,
      p95: times[Math.floor(times.length * 0.95)]!,
    });
  }
  rmSync(folder, { recursive: true, force: true });
  return rounds.sort((a, b) => a.p50 - b.p50)[ROUNDS >> 1]!;
}

/** Milliseconds, the shortest first. */
async function ask(engine: Engine, folder: string, asked: readonly Question[]): Promise<number[]> {
  const stop = await engine.watch(folder);
  for (const { query } of asked.slice(0, WARM_UP))
    await engine.search(folder, { query, limit: 9, waitFreshMs: 60_000 });
  const times: number[] = [];
  for (const { query } of asked) times.push((await engine.search(folder, { query, limit: 10 })).durationMs);
  await stop();
  return times.sort((a, b) => a - b);
}

/**
 * Repositories, the larger ones first, as long as they fit; a second round of copies where all of them are not enough.
 */
function pick(chunksOf: ReadonlyMap<string, number>, wanted: number): { name: string; copy: boolean }[] {
  const bySize = [...chunksOf].sort((a, b) => b[1] - a[1]);
  const picked: { name: string; copy: boolean }[] = [];
  let sum = 0;
  for (const copy of [false, true]) {
    for (const [name, count] of bySize) {
      if (sum >= wanted) return picked;
      if (sum + count > wanted * 1.05) continue;
      picked.push({ name, copy });
      sum += count;
    }
  }
  return picked;
}

function layOut(layout: string, folder: string, picked: readonly { name: string; copy: boolean }[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, copy } of picked) {
    const target = join(folder, copy ? `${name}-again` : name);
    cpSync(join(layout, name), target, { recursive: true, filter: (path) => !/(?:^|\/)\.git$/.test(path) });
    if (copy) makeDifferent(target);
  }
}

/** The same content twice is indexed once: a line more makes it another one. */
function makeDifferent(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (statSync(path).size < 1_000_000) appendFileSync(path, '\n');
  }
}
