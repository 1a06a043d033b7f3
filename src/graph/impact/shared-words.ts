/**
 * Compares names of tests with other names by their words: `JavaUtilConcurrentAtomicTest` and `atomicLongAdapter`. A
 * word that many tests have counts little.
 */

export class SharedWords {
  readonly #words: ReadonlyMap<number, ReadonlySet<string>>;
  readonly #testsOf = new Map<string, number[]>();

  /** `tests`: the words in the name of each test file. */
  constructor(tests: ReadonlyMap<number, readonly string[]>) {
    this.#words = new Map([...tests].map(([file, words]) => [file, new Set(words)]));
    for (const [file, words] of this.#words)
      for (const word of words) {
        const own = this.#testsOf.get(word);
        if (own) own.push(file);
        else this.#testsOf.set(word, [file]);
      }
  }

  /** Tests that share words with a name, with the similarity from 0 to 1. */
  alike(name: readonly string[]): ReadonlyMap<number, number> {
    const words = new Set(name);
    const shared = new Map<number, number>();
    for (const word of words)
      for (const file of this.#testsOf.get(word) ?? [])
        shared.set(file, (shared.get(file) ?? 0) + this.#weight(word) ** 2);
    const length = this.#length(words);
    // The cosine similarity of the two weighted word lists.
    return new Map([...shared].map(([file, sum]) => [file, sum / (length * this.#length(this.#words.get(file)!))]));
  }

  #length(words: ReadonlySet<string>): number {
    let sum = 0;
    for (const word of words) sum += this.#weight(word) ** 2;
    return Math.sqrt(sum);
  }

  /** From 1 for a word that one test has down to almost 0 for a word that all have. */
  #weight(word: string): number {
    const all = this.#words.size + 1;
    return Math.log(all / (this.#testsOf.get(word)?.length ?? 1)) / Math.log(all);
  }
}
