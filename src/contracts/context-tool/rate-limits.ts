/**
 * Limits the calls per minute of each tool and client, so that a looping client does not block the others. All counts
 * reset once a minute, counted from the start of the server, as the contract requires.
 */
import { EngineError } from '../../model/records/engine-errors.ts';

const WINDOW_MS = 60_000;

/** Calls a minute by tool; 0 means no limit. */
export type RateLimits = Readonly<Record<string, number>>;

const DEFAULT_RATE_LIMITS: RateLimits = { context_search: 30, read_file: 100, grep_codebase: 60, remember: 30 };

export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  /** When the current minute ends. */
  #resetAtMs: number;
  /** Calls admitted in this minute, by client and tool. */
  readonly #counts = new Map<string, number>();

  constructor(limits: RateLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#resetAtMs = now() + WINDOW_MS;
  }

  /** Counts the call, or throws rate_limited with the seconds until the next reset. */
  admit(tool: string, session: string): void {
    const limit = this.#limits[tool] ?? 0;
    if (limit <= 0) return;
    const now = this.#now();
    if (now >= this.#resetAtMs) {
      this.#counts.clear();
      this.#resetAtMs += WINDOW_MS * (1 + Math.floor((now - this.#resetAtMs) / WINDOW_MS));
    }
    const key = `${session}\0${tool}`;
    const count = this.#counts.get(key) ?? 0;
    if (count >= limit) {
      const waitSeconds = Math.max(1, Math.ceil((this.#resetAtMs - now) / 1000));
      throw new EngineError('rate_limited', { tool, limit, waitSeconds });
    }
    this.#counts.set(key, count + 1);
  }
}

/** The contract's limits, overridden by the configuration. Values that are not whole numbers from 0 on are ignored. */
export function readRateLimits(settings: unknown): RateLimits {
  const limits: Record<string, number> = { ...DEFAULT_RATE_LIMITS };
  if (typeof settings !== 'object' || settings === null) return limits;
  for (const [tool, value] of Object.entries(settings))
    if (tool in limits && Number.isInteger(value) && (value as number) >= 0) limits[tool] = value as number;
  return limits;
}
