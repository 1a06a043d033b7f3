/** Limits what one subject may use per period, without smoothing: requests per minute, bytes given per day. */

interface Bucket {
  left: number;
  atMs: number;
}

/** With more subjects than this, those that used nothing in a period are dropped. */
const MAX_IDLE_SUBJECTS = 10_000;

export class SubjectQuota {
  readonly #amount: number;
  readonly #periodMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(amount: number, periodMs: number) {
    this.#amount = amount;
    this.#periodMs = periodMs;
  }

  /**
   * Returns 0 if the subject may proceed, otherwise the seconds until it may. `cost` must not exceed the whole amount.
   */
  take(subject: string, cost = 1, now = Date.now()): number {
    if (this.#buckets.size > MAX_IDLE_SUBJECTS)
      for (const [name, { atMs }] of this.#buckets) if (now - atMs > this.#periodMs) this.#buckets.delete(name);
    const bucket = this.#buckets.get(subject) ?? { left: this.#amount, atMs: now };
    const gained = ((now - bucket.atMs) / this.#periodMs) * this.#amount;
    const left = Math.min(this.#amount, bucket.left + gained);
    const isLeft = left >= cost;
    this.#buckets.set(subject, { left: isLeft ? left - cost : left, atMs: now });
    return isLeft ? 0 : Math.max(1, Math.ceil(((cost - left) * this.#periodMs) / this.#amount / 1000));
  }
}
