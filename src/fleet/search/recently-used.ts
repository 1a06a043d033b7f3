/** Values by key up to a total weight; those that were used least lately go first. */
export class RecentlyUsed<T> {
  readonly #kept = new Map<string, T>();
  readonly #most: number;
  readonly #weigh: (value: T) => number;
  #total = 0;

  constructor(most: number, weigh: (value: T) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: string): T | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    const before = this.#kept.get(key);
    if (before !== undefined) this.#total -= this.#weigh(before);
    this.#kept.delete(key);
    this.#kept.set(key, value);
    this.#total += this.#weigh(value);
    for (const [oldest, old] of this.#kept) {
      if (this.#total <= this.#most || oldest === key) return;
      this.#kept.delete(oldest);
      this.#total -= this.#weigh(old);
    }
  }
}
