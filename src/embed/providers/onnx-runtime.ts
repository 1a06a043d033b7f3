/**
 * The few parts of onnxruntime-node that we use. The package is an optional peer: described here, so that building
 * needs nothing of it.
 */

export interface OnnxTensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
  release(): Promise<void>;
}

export interface OnnxRuntime {
  readonly InferenceSession: { create(path: string, options?: object): Promise<OnnxSession> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

/** The installed runtime; rejects where there is none. */
export async function importRuntime(specifier: string): Promise<OnnxRuntime> {
  const module = (await import(specifier)) as OnnxRuntime & { default?: OnnxRuntime };
  return module.InferenceSession ? module : module.default!;
}
