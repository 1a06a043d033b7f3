/** Loads the built-in model: checks its header at once, and reads its vectors at the first use, once per process. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { modelDamaged } from '../../model/records/engine-errors.ts';
import { TERMS_VERSION } from '../../model/text/terms.ts';
import type { EmbedMode, NearWord, WordModel } from '../embedder.ts';
import { StaticModel } from './static-model.ts';

export const STATIC_FORMAT = 1;

/** The fields of models/static.json that loading needs; the others are provenance. */
export interface StaticModelHeader {
  readonly format: number;
  readonly id: string;
  readonly termsVersion: number;
  readonly dims: number;
  readonly words: number;
  readonly buckets: number;
  readonly unknownQueryWeight: number;
  readonly unknownPassageWeight: number;
  /** Byte offsets into static.bin. */
  readonly sections: {
    readonly vectors: number;
    readonly scales: number;
    readonly queryWeights: number;
    readonly passageWeights: number;
    readonly vocabulary: number;
    readonly end: number;
  };
}

/** Reads only the header: many commands need no more than the model's id. */
export function loadStaticModel(folder: string): WordModel {
  let header: StaticModelHeader;
  let size: number;
  let mtimeMs: number;
  try {
    header = JSON.parse(readFileSync(join(folder, 'static.json'), 'utf8')) as StaticModelHeader;
    ({ size, mtimeMs } = statSync(join(folder, 'static.bin')));
  } catch (error) {
    throw modelDamaged(`${folder} holds no readable model`, error);
  }
  if (header?.format !== STATIC_FORMAT) throw modelDamaged(`format ${header?.format} is not ${STATIC_FORMAT}`);
  if (header.termsVersion !== TERMS_VERSION) throw modelDamaged('it was trained on another way of splitting words');
  if (size !== header.sections.end) throw modelDamaged('static.bin is incomplete');
  const key = `${folder}\n${header.id}\n${mtimeMs}`;
  const model = loaded.get(key) ?? new LazyStaticModel(header, folder);
  loaded.set(key, model);
  return model;
}

const loaded = new Map<string, WordModel>();

class LazyStaticModel implements WordModel {
  readonly id: string;
  readonly dims: number;
  readonly #header: StaticModelHeader;
  readonly #folder: string;
  #model: StaticModel | null = null;

  constructor(header: StaticModelHeader, folder: string) {
    this.id = header.id;
    this.dims = header.dims;
    this.#header = header;
    this.#folder = folder;
  }

  embedTerms(terms: readonly string[], weights: Float32Array | null, mode: EmbedMode, out: Float32Array): void {
    this.#ready(mode === 'passage').embedTerms(terms, weights, mode, out);
  }

  rowOf(term: string): number {
    return this.#ready(true).rowOf(term);
  }

  embedRows(rows: Int32Array, terms: readonly string[], weights: Float32Array, count: number, out: Float32Array): void {
    this.#ready(true).embedRows(rows, terms, weights, count, out);
  }

  embed(texts: readonly string[], mode: EmbedMode, signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#ready(mode === 'passage').embed(texts, mode, signal);
  }

  nearestWords(vector: Float32Array, count: number): readonly NearWord[] {
    return this.#ready(false).nearestWords(vector, count);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Passages come in large numbers and are worth compiling the SIMD kernel; a question is embedded without it. */
  #ready(passages: boolean): StaticModel {
    this.#model ??= new StaticModel(this.#header, this.#folder, passages);
    return this.#model;
  }
}
