/**
 * The built-in model: one int8 vector per word, one weight per word for queries and one for passages. A text's vector
 * is the weighted sum of its terms' vectors, normalised. Words outside the vocabulary are the mean of hashed character
 * n-grams, so a rare identifier or a word of another language still has a place of its own. Made by training/; the
 * layout of the two files is documented in models/README.md.
 */
import { join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { forEachIdentifier, identifierTerms } from '../../model/text/terms.ts';
import type { EmbedMode, NearWord, WordModel } from '../embedder.ts';
import type { StaticModelHeader } from './load-static-model.ts';
import { normaliseInto } from './normalise.ts';
import { RowFile, readPart } from './row-file.ts';
import { subwordBuckets } from './subwords.ts';
import { makeSumKernel, SIMD_DIMS, type SumKernel } from './sum-kernel.ts';
import { Vocabulary } from './vocabulary.ts';
import { loadWordTable } from './word-table.ts';

/** nearestWords returns only the most frequent words: rarer ones are mostly joined names, near to their parts. */
const FREQUENT_WORDS = 6_000;
/** Cached vectors of recent unknown words. */
const UNKNOWN_SLOTS = 8192;
/**
 * Fewer slots for a process that begins with a question: reserved memory can trigger a garbage collection, which took 6
 * ms of a cold search.
 */
const FEW_UNKNOWN_SLOTS = 2048;

export class StaticModel implements WordModel {
  readonly id: string;
  readonly dims: number;
  readonly #vocabulary: Vocabulary;
  /** Rows of words, then rows of sub-word buckets. */
  readonly #rows: RowFile;
  readonly #vectors: Int8Array;
  readonly #scales: Float32Array;
  readonly #wordCount: number;
  readonly #bucketCount: number;
  readonly #queryWeights: Float32Array;
  readonly #passageWeights: Float32Array;
  readonly #unknownQueryWeight: number;
  readonly #unknownPassageWeight: number;
  readonly #unknownSlots = new Map<string, number>();
  /** Holds the current sum, the vectors of unknown words and the rows; untouched pages take no memory. */
  readonly #kernel: SumKernel;
  readonly #unknownAt: number;
  readonly #slots: number;
  readonly #rowsAt: number;
  /** Count of each word or unknown slot in the current text; zero between calls. */
  readonly #counts: Float32Array;
  #touched = new Int32Array(1024);
  readonly #sum: Float32Array;
  /** Offsets and factors of up to four rows that are added together, to read and write the sum a quarter as often. */
  readonly #four = new Int32Array(4);
  readonly #fourFactors = new Float64Array(4);

  constructor(header: StaticModelHeader, folder: string, simd: boolean) {
    const { dims, words, buckets, sections } = header;
    const rows = words + buckets;
    const file = join(folder, 'static.bin');
    // The vectors precede the scales; RowFile reads them when they are needed.
    const bytes = readPart(file, sections.scales, sections.end);
    const floats = (offset: number, length: number) =>
      new Float32Array(bytes.buffer, bytes.byteOffset + offset - sections.scales, length);
    this.id = header.id;
    this.dims = dims;
    this.#wordCount = words;
    this.#bucketCount = buckets;
    this.#unknownAt = dims * 4;
    this.#slots = simd ? UNKNOWN_SLOTS : FEW_UNKNOWN_SLOTS;
    this.#rowsAt = this.#unknownAt + this.#slots * dims * 4;
    this.#kernel = makeSumKernel(this.#rowsAt + rows * dims, simd && dims % SIMD_DIMS === 0);
    this.#vectors = new Int8Array(this.#kernel.buffer, this.#rowsAt, rows * dims);
    this.#rows = new RowFile(file, sections.vectors, this.#vectors, rows, dims);
    this.#scales = floats(sections.scales, rows);
    this.#queryWeights = floats(sections.queryWeights, words);
    this.#passageWeights = floats(sections.passageWeights, words);
    this.#unknownQueryWeight = header.unknownQueryWeight;
    this.#unknownPassageWeight = header.unknownPassageWeight;
    const table = loadWordTable(folder, header) ?? undefined;
    this.#vocabulary = new Vocabulary(bytes.subarray(sections.vocabulary - sections.scales), words, table);
    this.#counts = new Float32Array(words + this.#slots);
    this.#sum = new Float32Array(this.#kernel.buffer, 0, dims);
  }

  embedTerms(terms: readonly string[], weights: Float32Array | null, mode: EmbedMode, out: Float32Array): void {
    const touched = this.#count(terms, weights);
    const sum = this.#sum;
    sum.fill(0);
    const weightOf = mode === 'query' ? this.#queryWeights : this.#passageWeights;
    const unknownWeight = mode === 'query' ? this.#unknownQueryWeight : this.#unknownPassageWeight;
    const words = this.#wordCount;
    let known = 0;
    for (let i = 0; i < touched; i++) {
      const row = this.#touched[i]!;
      const count = this.#counts[row]!;
      this.#counts[row] = 0;
      // Given weights are used as they are; repeats are damped as in training.
      const weight = weights !== null || count === 1 ? count : 1 + Math.log(count);
      if (row >= words) this.#addUnknown(row, weight * unknownWeight);
      else {
        if (mode === 'query') this.#rows.need(row);
        else this.#rows.needForPassage(row);
        this.#four[known & 3] = this.#rowsAt + row * this.dims;
        this.#fourFactors[known & 3] = weight * Math.fround(weightOf[row]! * this.#scales[row]!);
        if ((++known & 3) === 0) this.#addFour();
      }
    }
    this.#addRest(known & 3);
    normaliseInto(sum, out);
  }

  rowOf(term: string): number {
    return this.#vocabulary.rowOf(term);
  }

  embedRows(rows: Int32Array, terms: readonly string[], weights: Float32Array, count: number, out: Float32Array): void {
    if (this.#unknownSlots.size + count > this.#slots) this.#unknownSlots.clear();
    const sum = this.#sum;
    sum.fill(0);
    const four = this.#four;
    const fourFactors = this.#fourFactors;
    const scales = this.#scales;
    const weightOf = this.#passageWeights;
    let known = 0;
    for (let i = 0; i < count; i++) {
      const weight = weights[i]!;
      let row = rows[i]!;
      if (row >= 0) {
        this.#rows.needForPassage(row);
        four[known & 3] = this.#rowsAt + row * this.dims;
        fourFactors[known & 3] = weight * Math.fround(weightOf[row]! * scales[row]!);
        if ((++known & 3) === 0) this.#addFour();
        continue;
      }
      row = this.#unknownRow(terms[i]!);
      if (row >= 0) this.#addUnknown(row, weight * this.#unknownPassageWeight);
    }
    this.#addRest(known & 3);
    normaliseInto(sum, out);
  }

  embed(texts: readonly string[], mode: EmbedMode, signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      if (signal?.aborted) return Promise.reject(new EngineError('cancelled'));
      const vector = new Float32Array(this.dims);
      this.embedTerms(partTerms(text), null, mode, vector);
      vectors.push(vector);
    }
    return Promise.resolve(vectors);
  }

  nearestWords(vector: Float32Array, count: number): readonly NearWord[] {
    const frequent = Math.min(FREQUENT_WORDS, this.#wordCount);
    this.#rows.readFirst(frequent);
    const similarity = new Float32Array(frequent);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let row = 0; row < frequent; row++) {
      const offset = row * this.dims;
      let dot = 0;
      let square = 0;
      for (let d = 0; d < this.dims; d++) {
        const value = this.#vectors[offset + d]!;
        dot += value * vector[d]!;
        square += value * value;
      }
      similarity[row] = square > 0 ? dot / (Math.sqrt(square) * length) : 0;
    }
    const rows = [...similarity.keys()].sort((a, b) => similarity[b]! - similarity[a]! || a - b).slice(0, count);
    return rows.map((row) => ({ word: this.#vocabulary.word(row), similarity: similarity[row]! }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #addFour(): void {
    const [at, factors] = [this.#four, this.#fourFactors];
    this.#kernel.addFour(
      0,
      at[0]!,
      at[1]!,
      at[2]!,
      at[3]!,
      factors[0]!,
      factors[1]!,
      factors[2]!,
      factors[3]!,
      this.dims,
    );
  }

  #addRest(count: number): void {
    for (let i = 0; i < count; i++) this.#kernel.addRow(0, this.#four[i]!, this.#fourFactors[i]!, this.dims);
  }

  #addUnknown(row: number, factor: number): void {
    this.#kernel.addFloats(0, this.#unknownVectorAt(row - this.#wordCount), factor, this.dims);
  }

  #unknownVectorAt(slot: number): number {
    return this.#unknownAt + slot * this.dims * 4;
  }

  /** Sums the weights per distinct term into `#counts`; returns the number of rows in `#touched`. */
  #count(terms: readonly string[], weights: Float32Array | null): number {
    // Slots are freed only between texts, because two unknown words of one text must not share a slot.
    if (this.#unknownSlots.size + terms.length > this.#slots) this.#unknownSlots.clear();
    if (this.#touched.length < terms.length) this.#touched = new Int32Array(terms.length * 2);
    let touched = 0;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      const weight = weights === null ? 1 : weights[i]!;
      if (weight <= 0) continue;
      let row = this.#vocabulary.rowOf(term);
      if (row < 0) {
        row = this.#unknownRow(term);
        if (row < 0) continue;
      }
      if (this.#counts[row] === 0) this.#touched[touched++] = row;
      this.#counts[row]! += weight;
    }
    return touched;
  }

  /** Row of an unknown word after those of the vocabulary; -1 without a free slot or a sub-word. */
  #unknownRow(term: string): number {
    const cached = this.#unknownSlots.get(term);
    if (cached !== undefined) return cached;
    const slot = this.#unknownSlots.size;
    const buckets = this.#bucketCount > 0 ? subwordBuckets(term, this.#bucketCount) : [];
    if (buckets.length === 0 || slot >= this.#slots) return -1;
    const at = this.#unknownVectorAt(slot);
    new Float32Array(this.#kernel.buffer, at, this.dims).fill(0);
    for (const bucket of buckets) {
      const row = this.#wordCount + bucket;
      this.#rows.need(row);
      this.#kernel.addRow(at, this.#rowsAt + row * this.dims, this.#scales[row]! / buckets.length, this.dims);
    }
    const row = this.#wordCount + slot;
    this.#unknownSlots.set(term, row);
    return row;
  }
}

/** Terms of a text without whole identifiers, which the model does not know. */
function partTerms(text: string): string[] {
  const terms: string[] = [];
  forEachIdentifier(text, (identifier) => {
    for (const part of identifierTerms(identifier).parts) terms.push(part);
  });
  return terms;
}
