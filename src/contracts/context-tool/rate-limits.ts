/**
 * So many calls a minute for each tool, counted for each client on its own: one that loops does not lock the others
 * out.
 */
import { EngineError } from '../../model/records/engine-errors.ts';

const WINDOW_MS = 60_000;
/** Beyond so many windows those that have run out are dropped. */
const SWEEP_AT = 1000;

/** Calls a minute by tool; 0 means no limit. */
export type RateLimits = Readonly<Record<string, number>>;

const DEFAULT_RATE_LIMITS: RateLimits = { context_search: 30, read_file: 100, grep_codebase: 60, remember: 30 };

export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  /** Times of the admitted calls of the last minute, oldest first. */
  readonly #windows = new Map<string, number[]>();

  constructor(limits: RateLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts the call, or throws rate_limited with the seconds to wait. */
  admit(tool: string, session: string): void {
    const limit = this.#limits[tool] ?? 0;
    if (limit <= 0) return;
    const now = this.#now();
    const key = `${session}\0${tool}`;
    const window = this.#windows.get(key) ?? [];
    while (window.length > 0 && window[0]! <= now - WINDOW_MS) window.shift();
    if (window.length >= limit) {
      const waitSeconds = Math.max(1, Math.ceil((window[window.length - limit]! + WINDOW_MS - now) / 1000));
      throw new EngineError('rate_limited', { tool, limit, waitSeconds });
    }
    window.push(now);
    this.#windows.set(key, window);
    if (this.#windows.size > SWEEP_AT) this.#sweep(now);
  }

  #sweep(now: number): void {
    for (const [key, window] of this.#windows) if (window.at(-1)! <= now - WINDOW_MS) this.#windows.delete(key);
  }
}

/**
 * The contract's limits with those of the configuration over them. What is not a whole number from 0 on is left aside.
 */
export function readRateLimits(settings: unknown): RateLimits {
  const limits: Record<string, number> = { ...DEFAULT_RATE_LIMITS };
  if (typeof settings !== 'object' || settings === null) return limits;
  for (const [tool, value] of Object.entries(settings))
    if (tool in limits && Number.isInteger(value) && (value as number) >= 0) limits[tool] = value as number;
  return limits;
}
