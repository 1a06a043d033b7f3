/**
 * Runs a sentence model from a local folder (model.onnx and tokenizer.json, as published for BERT-like models) with
 * onnxruntime-node. The runtime is imported at the first use, so its absence is reported only then.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Embedder } from '../embedder.ts';
import { batchedEmbedder } from './batched-embedder.ts';
import { dimsOf, prefixesOf } from './http-config.ts';
import { importRuntime, type OnnxRuntime, type OnnxSession, type OnnxTensor } from './onnx-runtime.ts';
import { failure } from './post-json.ts';
import { readWordPiece, type WordPieceModel, wordPieces } from './wordpiece.ts';

type Pooling = 'mean' | 'cls';

export interface OnnxConfig {
  readonly modelFolder: string;
  /** Default: from config.json. */
  readonly dims?: number;
  /** Default: from 1_Pooling/config.json, else by the model's name. */
  readonly pooling?: Pooling;
  readonly batchSize?: number;
  /** Module specifier of the runtime; default: onnxruntime-node. */
  readonly runtime?: string;
}

const MAX_TOKENS = 256;
const MODEL_FILES = ['model.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx'];

interface Loaded {
  readonly runtime: OnnxRuntime;
  readonly session: OnnxSession;
}

export function createOnnxEmbedder(config: OnnxConfig): Embedder {
  const name = { kind: 'embedding', provider: `onnx (${basename(config.modelFolder)})` };
  const refuse = (reason: string, cause?: unknown) => failure('provider_misconfigured', name, reason, cause);
  // The model is never loaded from the current folder, which may be an untrusted repository.
  if (config.modelFolder === '') throw refuse('say in which folder the model is (embedding.model)');
  const modelFile = MODEL_FILES.map((file) => join(config.modelFolder, file)).find((file) => existsSync(file));
  if (!modelFile) throw refuse(`${config.modelFolder} holds no model.onnx`);
  const tokenizer = readTokenizer(config.modelFolder, refuse);
  const described = readDescription(config.modelFolder);
  const model = basename(config.modelFolder);
  const dims = dimsOf({ ...(config.dims ? { dims: config.dims } : {}), model }, name.provider, described.hidden_size);
  const limit = Math.min(MAX_TOKENS, described.max_position_embeddings ?? 512);
  const pooling = config.pooling ?? readPooling(config.modelFolder, model);
  const prefixes = prefixesOf(model);
  let loading: Promise<Loaded> | null = null;

  async function load(): Promise<Loaded> {
    const runtime = await importRuntime(config.runtime ?? 'onnxruntime-node').catch((error: unknown) => {
      throw refuse('onnxruntime-node is not installed; run `npm install onnxruntime-node`', error);
    });
    const session = await runtime.InferenceSession.create(modelFile!).catch((error: unknown) => {
      throw refuse(`${basename(modelFile!)} cannot be loaded: ${(error as Error).message}`, error);
    });
    return { runtime, session };
  }

  return batchedEmbedder({
    // The id contains a fingerprint, because folders of different models may have the same name.
    id: ['onnx', model, fingerprint(modelFile), dims, pooling, limit, prefixes.query, prefixes.passage]
      .filter((p) => p !== '')
      .join('/'),
    dims,
    provider: name.provider,
    prefixes,
    batchSize: config.batchSize ?? 16,
    concurrency: 1,
    async request(texts) {
      loading ??= load();
      const { runtime, session } = await loading;
      const tokens = texts.map((text) => wordPieces(tokenizer, text, limit));
      const { feeds, longest } = buildFeeds(runtime, session, tokens);
      const outputs = await session.run(feeds).catch((error: unknown) => {
        throw refuse(`the model and its tokenizer.json do not go together: ${(error as Error).message}`, error);
      });
      return pool(outputs[session.outputNames[0]!]!, tokens, longest, pooling);
    },
    async close() {
      const loaded = await loading?.catch(() => null);
      await loaded?.session.release();
    },
  });
}

const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

/** A hash of samples from the whole file: models have up to gigabytes, and different weights differ everywhere. */
function fingerprint(file: string): string {
  const hash = createHash('sha256');
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    hash.update(`${size}`);
    const block = Buffer.alloc(SAMPLE_BYTES);
    for (let i = 0; i < SAMPLES; i++) {
      const read = readSync(descriptor, block, 0, SAMPLE_BYTES, Math.floor((size / SAMPLES) * i));
      hash.update(block.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex').slice(0, 8);
}

function readTokenizer(folder: string, refuse: (reason: string, cause?: unknown) => Error): WordPieceModel {
  let json: string;
  try {
    json = readFileSync(join(folder, 'tokenizer.json'), 'utf8');
  } catch (error) {
    throw refuse(`${folder} holds no tokenizer.json`, error);
  }
  const read = readWordPiece(json);
  if (typeof read === 'string') throw refuse(read);
  return read;
}

/** Model families that were trained with the vector of the first token; others use the mean. */
const FIRST_TOKEN = /^(?:bge|gte-(?:modern|multi)|mxbai|snowflake-arctic)/i;

function readPooling(folder: string, model: string): Pooling {
  try {
    const text = readFileSync(join(folder, '1_Pooling', 'config.json'), 'utf8');
    return (JSON.parse(text) as { pooling_mode_cls_token?: boolean }).pooling_mode_cls_token ? 'cls' : 'mean';
  } catch {
    return FIRST_TOKEN.test(model) ? 'cls' : 'mean';
  }
}

function readDescription(folder: string): { hidden_size?: number; max_position_embeddings?: number } {
  try {
    return JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { hidden_size?: number };
  } catch {
    return {};
  }
}

function buildFeeds(
  runtime: OnnxRuntime,
  session: OnnxSession,
  tokens: readonly number[][],
): { feeds: Record<string, OnnxTensor>; longest: number } {
  const longest = Math.max(...tokens.map((ids) => ids.length));
  const ids = new BigInt64Array(tokens.length * longest);
  const mask = new BigInt64Array(tokens.length * longest);
  tokens.forEach((row, r) => {
    row.forEach((id, i) => {
      ids[r * longest + i] = BigInt(id);
      mask[r * longest + i] = 1n;
    });
  });
  const shape = [tokens.length, longest];
  const all: Record<string, BigInt64Array> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(ids.length),
  };
  const feeds: Record<string, OnnxTensor> = {};
  for (const input of session.inputNames) if (all[input]) feeds[input] = new runtime.Tensor('int64', all[input], shape);
  return { feeds, longest };
}

/** One vector per text: the output of a model that pools itself, else the first token's vector or the mean of all. */
function pool(output: OnnxTensor, tokens: readonly number[][], longest: number, pooling: Pooling): Float32Array[] {
  const dims = output.dims.at(-1)!;
  const isPooled = output.dims.length === 2;
  return tokens.map((row, r) => {
    const vector = new Float32Array(dims);
    const base = isPooled ? r * dims : r * longest * dims;
    const count = isPooled || pooling === 'cls' ? 1 : row.length;
    for (let t = 0; t < count; t++)
      for (let d = 0; d < dims; d++) vector[d]! += output.data[base + t * dims + d]! / count;
    return vector;
  });
}
