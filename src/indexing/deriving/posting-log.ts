/** Collects the postings of a batch in any order of terms, and groups them by term for the store. */
import type { BatchPostings } from '../../store/store.ts';

const MAX_VALUE = 65535;

/** Postings with ascending documents, grouped by term with one counting sort. */
export class PostingLog {
  #length = 0;
  #terms = new Uint32Array(1 << 14);
  #docs = new Uint32Array(1 << 14);
  #values = new Uint16Array(1 << 14);

  add(term: number, doc: number, value: number): void {
    if (this.#length === this.#terms.length) {
      this.#terms = grow(this.#terms, new Uint32Array(this.#length * 2));
      this.#docs = grow(this.#docs, new Uint32Array(this.#length * 2));
      this.#values = grow(this.#values, new Uint16Array(this.#length * 2));
    }
    this.#terms[this.#length] = term;
    this.#docs[this.#length] = doc;
    this.#values[this.#length++] = value;
  }

  group(names: readonly string[]): BatchPostings {
    const starts = new Uint32Array(names.length + 1);
    for (let i = 0; i < this.#length; i++) starts[this.#terms[i]! + 1]!++;
    const terms: string[] = [];
    const counts: number[] = [];
    for (let term = 0; term < names.length; term++) {
      if (starts[term + 1]! > 0) {
        terms.push(names[term]!);
        counts.push(starts[term + 1]!);
      }
      starts[term + 1]! += starts[term]!;
    }
    const docs = new Uint32Array(this.#length);
    const values = new Uint16Array(this.#length);
    for (let i = 0; i < this.#length; i++) {
      const at = starts[this.#terms[i]!]!++;
      docs[at] = this.#docs[i]!;
      values[at] = this.#values[i]!;
    }
    return { terms, counts: Uint32Array.from(counts), docs, values };
  }
}

/** Postings of names. Adding a name again for the same document raises the posting's value. */
export class NamePostings {
  readonly #lists = new Map<string, number[]>();

  add(name: string, doc: number, value = 1): void {
    const list = this.#lists.get(name);
    if (!list) this.#lists.set(name, [doc, Math.min(MAX_VALUE, value)]);
    else if (list.at(-2) === doc) list[list.length - 1] = Math.min(MAX_VALUE, list.at(-1)! + value);
    else list.push(doc, Math.min(MAX_VALUE, value));
  }

  group(): BatchPostings {
    const terms = [...this.#lists.keys()];
    const counts = new Uint32Array(terms.length);
    let total = 0;
    terms.forEach((term, i) => {
      counts[i] = this.#lists.get(term)!.length / 2;
      total += counts[i]!;
    });
    const docs = new Uint32Array(total);
    const values = new Uint16Array(total);
    let at = 0;
    for (const list of this.#lists.values()) {
      for (let i = 0; i < list.length; i += 2) {
        docs[at] = list[i]!;
        values[at++] = list[i + 1]!;
      }
    }
    return { terms, counts, docs, values };
  }
}

export function grow<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
