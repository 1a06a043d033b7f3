/** Types of the used parts of onnxruntime-node, an optional peer dependency that the build does not need. */

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

/** Imports the runtime; rejects if it is not installed. */
export async function importRuntime(specifier: string): Promise<OnnxRuntime> {
  const module = (await import(specifier)) as OnnxRuntime & { default?: OnnxRuntime };
  return module.InferenceSession ? module : module.default!;
}
