/**
 * Maps ids of a store's file to ids of this process. The ids of chunks and symbols in a file are never reused, so after
 * years of edits most of them belong to nothing, and tables indexed by them would be mostly empty. The ids of a process
 * are dense. Both ascend in the same order.
 */

import { DamagedDataError } from '../sqlite/store-errors.ts';
import type { Postings } from '../store.ts';
import { NO_POSTINGS } from './posting-list.ts';

export class ProcessIds {
  /** Runs of consecutive file ids: the start and end of each run, and the difference from file id to process id. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #shifts: number[] = [];
  /** The number of process ids. */
  count = 0;

  /** Adds `count` file ids from `first` on and returns the process id of the first. File ids must ascend. */
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

  /** Converts postings from file ids to process ids, in place. Leaves out unknown ids. */
  apply(postings: Postings): Postings {
    return this.#walk(postings, this.#shifts);
  }

  /** Keeps the postings with known ids, and their file ids. */
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

  /** A galloping search, since the next id is usually near. */
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
