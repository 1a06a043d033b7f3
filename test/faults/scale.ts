/** How much of each test runs: a few rounds in `npm run test:faults -- --quick`, else all. */
const FULL = process.env.FAULTS === 'full';

/** For `skip`. */
export const onlyFull = FULL ? false : 'runs in npm run test:faults';

export function rounds(quick: number, full: number): number {
  return FULL ? full : quick;
}

/** Numbers that are the same on every run: a failure can be repeated. FAULTS_SEED picks others. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed + Number(process.env.FAULTS_SEED ?? 0) * 7919) >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** In [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
