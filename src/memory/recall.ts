/** Ranks discoveries for a question: words weighted by rarity, meaning by the same model as code, older and less certain ones a little lower. */

import type { Embedder } from '../embed/embedder.ts';
import type { Discovery } from '../model/discovery.ts';
import { wordsOf } from './remember.ts';

export interface Recalled {
  readonly discovery: Discovery;
  /** 0..1. */
  readonly score: number;
}

interface Entry {
  readonly discovery: Discovery;
  readonly words: ReadonlySet<string>;
  readonly vector: Float32Array;
}

/** Texts are embedded in slices, so that a long list does not hold up everything else. */
const SLICE = 512;
const WORD_SHARE = 0.55;

export class Recall {
  readonly #entries: readonly Entry[];
  readonly #rarity = new Map<string, number>();

  private constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    const counts = new Map<string, number>();
    for (const { words } of entries) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts)
      this.#rarity.set(word, Math.log(1 + (entries.length - count + 0.5) / (count + 0.5)));
  }

  static async build(discoveries: readonly Discovery[], embedder: Embedder): Promise<Recall> {
    const entries: Entry[] = [];
    for (let at = 0; at < discoveries.length; at += SLICE) {
      const slice = discoveries.slice(at, at + SLICE);
      const vectors = await embedder.embed(
        slice.map((discovery) => discovery.content),
        'passage',
      );
      slice.forEach((discovery, i) => {
        entries.push({ discovery, words: wordsOf(discovery.content), vector: vectors[i]! });
      });
    }
    return new Recall(entries);
  }

  find(query: string, vector: Float32Array | null, accepts: (discovery: Discovery) => boolean): Recalled[] {
    const words = [...wordsOf(query)];
    const unknown = Math.log(2 + this.#entries.length);
    const total = words.reduce((sum, word) => sum + (this.#rarity.get(word) ?? unknown), 0) || 1;
    const found: Recalled[] = [];
    for (const { discovery, words: own, vector: ownVector } of this.#entries) {
      if (!accepts(discovery)) continue;
      let covered = 0;
      for (const word of words) if (own.has(word)) covered += this.#rarity.get(word) ?? 0;
      const lexical = covered / total;
      const semantic = vector ? Math.max(0, dot(vector, ownVector)) : 0;
      const match = vector ? WORD_SHARE * lexical + (1 - WORD_SHARE) * semantic : lexical;
      // Long texts contain any word by chance; a superseded decision gives way to the one that replaced it.
      const length = 1 / (1 + Math.max(0, own.size - 40) / 200);
      const standing = (0.85 + 0.15 * discovery.confidence) * (discovery.supersededBy ? 0.7 : 1);
      const score = match * length * standing;
      if (score > 0.05) found.push({ discovery, score: Math.min(1, score) });
    }
    return found.sort(
      (a, b) =>
        b.score - a.score || b.discovery.dateMs - a.discovery.dateMs || (a.discovery.id < b.discovery.id ? -1 : 1),
    );
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
