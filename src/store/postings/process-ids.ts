/**
 * Ids of chunks and symbols are never used again in a file, so that years of edits would leave tables full of holes
 * behind. A process numbers what it knows anew, without holes: this is the way from ids of the file to numbers of the
 * process. Both ascend together.
 */

import { DamagedDataError } from '../sqlite/store-errors.ts';
import type { Postings } from '../store.ts';
import { NO_POSTINGS } from './posting-list.ts';

export class ProcessIds {
  /** Runs of consecutive ids: where each begins, where it ends, and what is added to an id to get its number. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #shifts: number[] = [];
  /** How many numbers are given out. */
  count = 0;

  /** The number of the first of `count` ids; later calls bring higher ids. */
  add(first: number, count: number): number {
    const number = this.count;
    if (count === 0) return number;
    const last = this.#ends.length - 1;
    if (last >= 0 && first < this.#ends[last]!) throw new DamagedDataError(`ids from ${first} on are given out twice`);
    if (last >= 0 && first === this.#ends[last]) this.#ends[last] = first + count;
    else {
      this.#starts.push(first);
      this.#ends.push(first + count);
      this.#shifts.push(number - first);
    }
    this.count += count;
    return number;
  }

  /** Postings of the file as postings of the process, in place; ids without a number are left out. */
  apply(postings: Postings): Postings {
    return this.#walk(postings, this.#shifts);
  }

  /** The postings whose ids have a number, with their ids unchanged. */
  retain(postings: Postings): Postings {
    return this.#walk(postings, null);
  }

  #walk(postings: Postings, shifts: readonly number[] | null): Postings {
    const { docs, values } = postings;
    const whole = this.#starts.length === 1 && (docs[0] ?? -1) >= this.#starts[0]! && docs.at(-1)! < this.#ends[0]!;
    if (whole && (shifts === null || shifts[0] === 0)) return postings;
    const runs = this.#starts.length;
    let kept = 0;
    let run = 0;
    for (let i = 0; i < docs.length && run < runs; i++) {
      const doc = docs[i]!;
      if (doc >= this.#ends[run]!) run = this.#firstEndingAfter(doc, run + 1);
      if (run === runs) break;
      if (doc < this.#starts[run]!) continue;
      docs[kept] = shifts === null ? doc : doc + shifts[run]!;
      values[kept++] = values[i]!;
    }
    if (kept === docs.length) return postings;
    return kept === 0 ? NO_POSTINGS : { docs: docs.slice(0, kept), values: values.slice(0, kept) };
  }

  /** Galloping search: the next id is usually near. */
  #firstEndingAfter(id: number, from: number): number {
    const ends = this.#ends;
    let step = 1;
    let low = from;
    while (low + step < ends.length && ends[low + step - 1]! <= id) {
      low += step;
      step *= 2;
    }
    let high = Math.min(ends.length, low + step);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
