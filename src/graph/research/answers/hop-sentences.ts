import type { EvidenceTrail } from '../evidence-trail.ts';

const MAX_SENTENCES = 40;
/** Sentences of the first hop where more hops follow, and sentences that each later hop leaves to the next. */
const MAX_FIRST_HOP = 28;
const MIN_PER_HOP = 4;

/** The sentences of one hop, and the number of steps that got none. */
export class HopSentences {
  readonly #trail: EvidenceTrail;
  readonly #hop: number;
  readonly #maxSentences: number;
  readonly #sentences: string[] = [];
  #more = 0;
  #firstMore = '';
  #tests = 0;
  #firstTest = '';

  constructor(trail: EvidenceTrail, hop: number, used: number) {
    this.#trail = trail;
    this.#hop = hop;
    // The first hop leaves sentences for the others, and each of those a few for the next.
    const rest = MAX_SENTENCES - used - MIN_PER_HOP * (trail.depth - hop);
    this.#maxSentences = hop === 1 && trail.depth > 1 ? Math.min(rest, MAX_FIRST_HOP) : rest;
  }

  get hasRoom(): boolean {
    return this.#sentences.length < this.#maxSentences;
  }

  add(sentence: string): void {
    this.#sentences.push(sentence);
  }

  leaveOut(sentence: string): void {
    this.#trail.truncated = true;
    this.#more++;
    this.#firstMore ||= sentence;
  }

  foldTest(sentence: string): void {
    this.#tests++;
    this.#firstTest ||= sentence;
  }

  lines(isCallers: boolean): string[] {
    const hop = this.#hop;
    const lines = this.#sentences.map((sentence) => `${'  '.repeat(hop - 1)}- ${sentence}`);
    if (hop > 1 && lines.length > 0)
      lines.unshift(
        `Step ${hop}, what ${isCallers ? 'calls these' : 'these call'}, from ${placeIn(this.#sentences[0]!)} on:`,
      );
    if (this.#more > 0)
      lines.push(`${this.#more} more in step ${hop}${this.#more > 1 ? ', the first' : ''}: ${this.#firstMore}`);
    if (this.#tests > 0) {
      const step = hop > 1 ? ` of step ${hop}` : '';
      lines.push(`${this.#tests} more${step} in tests${this.#tests > 1 ? ', the first' : ''}: ${this.#firstTest}`);
    }
    return lines;
  }
}

/** The place at the end of a sentence. */
function placeIn(sentence: string): string {
  return / at (\S+:\d+)(?: \(\w+\))?$/.exec(sentence)?.[1] ?? sentence;
}
