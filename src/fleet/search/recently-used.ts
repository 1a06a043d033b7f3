/** A cache of values by key with a maximum total weight; drops the least recently used. */
export class RecentlyUsed<T> {
  readonly #values = new Map<string, T>();
  readonly #maxWeight: number;
  readonly #weigh: (value: T) => number;
  #total = 0;

  constructor(maxWeight: number, weigh: (value: T) => number) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    const before = this.#values.get(key);
    if (before !== undefined) this.#total -= this.#weigh(before);
    this.#values.delete(key);
    this.#values.set(key, value);
    this.#total += this.#weigh(value);
    for (const [oldest, old] of this.#values) {
      if (this.#total <= this.#maxWeight || oldest === key) return;
      this.#values.delete(oldest);
      this.#total -= this.#weigh(old);
    }
  }
}
