/** How much one subject may ask of a node: so many requests a minute, a minute's worth of them at once. */

interface Bucket {
  left: number;
  atMs: number;
}

const MINUTE_MS = 60_000;
/** Subjects with a count; a subject without requests for a minute is dropped. */
const FORGET_FROM = 10_000;

export class RequestQuota {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** 0 where the subject may go on; else the seconds until it may. */
  take(subject: string, now = Date.now()): number {
    if (this.#buckets.size > FORGET_FROM)
      for (const [name, { atMs }] of this.#buckets) if (now - atMs > MINUTE_MS) this.#buckets.delete(name);
    const bucket = this.#buckets.get(subject) ?? { left: this.#perMinute, atMs: now };
    const gained = ((now - bucket.atMs) / MINUTE_MS) * this.#perMinute;
    const left = Math.min(this.#perMinute, bucket.left + gained);
    const isLeft = left >= 1;
    this.#buckets.set(subject, { left: isLeft ? left - 1 : left, atMs: now });
    return isLeft ? 0 : Math.max(1, Math.ceil(((1 - left) * MINUTE_MS) / this.#perMinute / 1000));
  }
}
