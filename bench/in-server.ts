/** The engine inside one running process, as in a server: how soon it answers, and what one changed file costs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineConfig } from '../test/engine-config.ts';
import { builtEngine } from './built-engine.ts';
import { victim, withChange } from './changed-file.ts';
import { cpuSecondsSoFar } from './measure.ts';

const { createEngine } = await builtEngine();

const CHANGES = 9;
/** Questions before the first that counts: what is measured is a process that is running, not one that starts. */
export const WARM_UP = 20;
/** Questions a round. There are several rounds, since a machine may be twice as slow for a minute. */
export const QUESTIONS = 120;
export const ROUNDS = 5;
const WORDS =
  'connection timeout buffer parser request response cache token file error handler queue thread lock memory config option header socket stream event writer reader encode decode hash index table signal process'.split(
    ' ',
  );

export interface Round {
  readonly p50: number;
  readonly p95: number;
}

export interface Running {
  readonly chunks: number;
  readonly lines: number;
  readonly rounds: readonly Round[];
  readonly linesPerS: number;
  /** One changed file, from the moment the server looks until it is published; CPU of the server and its worker. */
  readonly changeMs: number;
  readonly changeCpuS: number;
}

/**
 * Inside one process, as in a server: answers (the middle and the 95th of a hundred in time, over words and sentences)
 * and one changed file.
 */
export async function inServer(folder: string): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const engine = createEngine(engineConfig(home));
  try {
    const report = await engine.index(folder);
    const stop = await engine.watch(folder);
    const questions = differentQuestions();
    for (const query of questions.splice(0, WARM_UP)) await engine.search(folder, { query, waitFreshMs: 60_000 });
    const rounds: Round[] = [];
    while (questions.length > 0) {
      const times: number[] = [];
      for (const query of questions.splice(0, QUESTIONS)) {
        const started = performance.now();
        await engine.search(folder, { query });
        times.push(performance.now() - started);
      }
      times.sort((a, b) => a - b);
      rounds.push({ p50: times[times.length >> 1]!, p95: times[Math.floor(times.length * 0.95)]! });
    }
    await stop();
    const file = victim(folder);
    const changes: { ms: number; cpuS: number }[] = [];
    for (let round = 1; round <= CHANGES; round++)
      await withChange(file, round, async () => {
        const cpu = cpuSecondsSoFar();
        const started = performance.now();
        await engine.index(folder);
        changes.push({ ms: performance.now() - started, cpuS: cpuSecondsSoFar() - cpu });
      });
    const middleOf = (of: (change: { ms: number; cpuS: number }) => number) =>
      changes.map(of).sort((a, b) => a - b)[CHANGES >> 1]!;
    return {
      chunks: report.chunkCount,
      lines: report.linesIndexed,
      rounds,
      linesPerS: report.linesIndexed / (report.durationMs / 1000),
      changeMs: middleOf(({ ms }) => ms),
      changeCpuS: middleOf(({ cpuS }) => cpuS),
    };
  } finally {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * An answer that was given before is given again at once: so no question comes twice. Words stand beside others in
 * every turn.
 */
function differentQuestions(): string[] {
  const count = WORDS.length;
  return Array.from({ length: (WARM_UP + ROUNDS * QUESTIONS) / 2 }, (_, i) => {
    const turn = Math.floor(i / count);
    const word = (place: number) => WORDS[(place + 1) % count];
    return [
      `how does ${word(i)} ${word(i + 1 + ((turn * 7) % (count - 1)))} work`,
      `${word(i * 7)} ${word(i * 7 + 1 + ((turn * 11) % (count - 1)))} when ${word(i * 7 + 1 + ((turn * 5 + 3) % (count - 1)))} fails`,
    ];
  }).flat();
}
