/**
 * Tells work that grows faster than its input, on a machine that is busy with other things. The measure is CPU time of this process, which
 * waiting for a core does not add to; the verdict is the slope over four doublings, never a duration. What looks too steep is measured
 * again, by the fastest of several runs, and only what is too steep each time is reported.
 */
import { Session } from 'node:inspector';

/** A text of about so many characters. */
export type MakeText = (size: number) => string;

export interface Growth {
  /** Work is about size to the power of this: 1 is linear, 2 is quadratic. */
  readonly exponent: number;
  /** The same over the last two doublings. */
  readonly lastExponent: number;
  readonly sizes: readonly number[];
  readonly costs: readonly number[];
}

const LARGEST = 1 << 15;
const DOUBLINGS = 4;
/** Half way between linear and quadratic; n log n over these sizes is at 1.1. */
const TOO_STEEP = 1.5;
/** Less than this for 32 KB is too short to have a slope: 0.2 µs for each character, which a quadratic run exceeds twenty times. */
const WORTH_A_LOOK_MS = 6;
/** Collecting garbage and compiling may bend a curve; each round begins at twice the size of the one before, where they bend it less. */
const ROUNDS = 3;
const LONG_ENOUGH_MS = 250;

/** The growth of a function whose work grows faster than linearly on that text; null where it does not. */
export function findSteepGrowth(
  run: (text: string) => unknown,
  make: MakeText,
  limit = Number.POSITIVE_INFINITY,
): Growth | null {
  let largest = Math.min(limit, LARGEST);
  if (cpuMs(run, make(largest)) < WORTH_A_LOOK_MS) return null;
  let steepest: Growth | null = null;
  for (let round = 1; round <= ROUNDS; round++) {
    const growth = measure(run, make, largest, round);
    if (growth.exponent < TOO_STEEP || growth.lastExponent < TOO_STEEP) return null;
    steepest = growth;
    if (growth.costs.at(-1)! < LONG_ENOUGH_MS) largest = Math.min(2 * largest, Math.max(limit, largest));
  }
  return steepest;
}

function measure(run: (text: string) => unknown, make: MakeText, largest: number, runs: number): Growth {
  const sizes = Array.from({ length: DOUBLINGS + 1 }, (_, i) => largest >> (DOUBLINGS - i));
  const costs = sizes.map((size) => {
    const text = make(size);
    return Math.min(...Array.from({ length: runs + 1 }, () => cpuMs(run, text)));
  });
  return { exponent: slope(sizes, costs), lastExponent: slope(sizes.slice(-3), costs.slice(-3)), sizes, costs };
}

/** CPU time of one run, in milliseconds. */
export function cpuMs(run: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  run(text);
  const { user } = process.cpuUsage(before);
  return user / 1000;
}

/** Of the line through the logarithms, by least squares. What is too short to be measured counts as a twentieth of a millisecond. */
function slope(sizes: readonly number[], costs: readonly number[]): number {
  const xs = sizes.map((size) => Math.log2(size));
  const ys = costs.map((cost) => Math.log2(Math.max(cost, 0.05)));
  const middleX = mean(xs);
  const middleY = mean(ys);
  const over = xs.reduce((sum, x, i) => sum + (x - middleX) * (ys[i]! - middleY), 0);
  return over / xs.reduce((sum, x) => sum + (x - middleX) ** 2, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const STEPS_FROM = 1 << 11;
const STEPS_TO = 1 << 13;
/** Four times the text is four times the steps, or five with a sort in it; sixteen where it is quadratic. */
const TOO_MANY_TIMES = 10;

/** Whether the steps of our own code grow faster than the text. Counted, so that no load disturbs it; what patterns do inside of one step is not seen. */
export function hasSteepSteps(run: (text: string) => unknown, make: MakeText): boolean {
  const few = countSteps(run, make(STEPS_FROM));
  return countSteps(run, make(STEPS_TO)) > TOO_MANY_TIMES * Math.max(few, 1000);
}

let counter: Session | null = null;

/** How often the blocks of code that V8 counts for coverage are entered. Once begun, counting goes on to the end of the process. */
export function countSteps(run: (text: string) => unknown, text: string): number {
  if (counter === null) {
    counter = new Session();
    counter.connect();
    counter.post('Profiler.enable');
    counter.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }
  takeSteps(counter);
  run(text);
  return takeSteps(counter);
}

/** Since it was asked last. The answer comes before `post` returns. */
function takeSteps(session: Session): number {
  let steps = 0;
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error;
    for (const { functions } of coverage.result)
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  });
  return steps;
}
