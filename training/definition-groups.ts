/** Turns the definitions of a question into training rows: features of the file, then of the definition. */
import { DEFINITION_FEATURES, DEFINITION_WIDTH, FEATURES } from '../src/search/index.ts';
import type { LabelledSample } from './place-data.ts';

export const WIDTH = FEATURES.length + DEFINITION_WIDTH;
export const NAMES: readonly string[] = [...FEATURES, ...DEFINITION_FEATURES.map((name) => `place_${name}`)];

export interface Group {
  readonly sample: { readonly rows: Float32Array; readonly paths: readonly string[] };
  readonly labels: Uint8Array;
  /** Index of each row's definition. */
  readonly of: readonly number[];
}

/** `of`: indices of the definitions that become rows; `labelOf` returns the label of each. */
export function groupOf(
  { sample }: LabelledSample,
  of: readonly number[],
  labelOf: (definition: number) => number,
): Group {
  const rows = new Float32Array(of.length * WIDTH);
  for (const [at, i] of of.entries()) {
    const { file } = sample.definitions[i]!;
    rows.set(sample.fileRows.subarray(file * FEATURES.length, (file + 1) * FEATURES.length), at * WIDTH);
    rows.set(
      sample.definitionRows.subarray(i * DEFINITION_WIDTH, (i + 1) * DEFINITION_WIDTH),
      at * WIDTH + FEATURES.length,
    );
  }
  const nameOf = (i: number) => {
    const { file, startLine } = sample.definitions[i]!;
    return `${sample.paths[file]}:${String(startLine).padStart(7)}`;
  };
  return { sample: { rows, paths: of.map(nameOf) }, labels: Uint8Array.from(of, labelOf), of };
}
