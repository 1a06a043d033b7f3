/**
 * How much one subject may have of a node in a period, all of it at once: requests in a minute, bytes that it gives in
 * a day.
 */

interface Bucket {
  left: number;
  atMs: number;
}

/** Subjects with a count; a subject that asked for nothing in a period is dropped. */
const FORGET_FROM = 10_000;

export class SubjectQuota {
  readonly #amount: number;
  readonly #periodMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(amount: number, periodMs: number) {
    this.#amount = amount;
    this.#periodMs = periodMs;
  }

  /** 0 where the subject may go on; else the seconds until it may. `cost`: no more than the whole amount. */
  take(subject: string, cost = 1, now = Date.now()): number {
    if (this.#buckets.size > FORGET_FROM)
      for (const [name, { atMs }] of this.#buckets) if (now - atMs > this.#periodMs) this.#buckets.delete(name);
    const bucket = this.#buckets.get(subject) ?? { left: this.#amount, atMs: now };
    const gained = ((now - bucket.atMs) / this.#periodMs) * this.#amount;
    const left = Math.min(this.#amount, bucket.left + gained);
    const isLeft = left >= cost;
    this.#buckets.set(subject, { left: isLeft ? left - cost : left, atMs: now });
    return isLeft ? 0 : Math.max(1, Math.ceil(((cost - left) * this.#periodMs) / this.#amount / 1000));
  }
}
