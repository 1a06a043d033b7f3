import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { createEmbedder } from '../create-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'onnx-model-'));
after(() => rmSync(folder, { recursive: true }));

const misconfigured = (reason: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EngineError);
  assert.equal(error.code, 'provider_misconfigured');
  assert.match(error.message, reason);
  return true;
};

test('a missing model, tokeniser, dimension or runtime is named in the error', async () => {
  const make = (more: object = {}) => createEmbedder({ provider: 'onnx', modelFolder: folder, ...more });
  assert.throws(() => make({ modelFolder: '' }), misconfigured(/in which folder.*embedding\.model/));
  assert.throws(() => make(), misconfigured(/no model\.onnx/));
  writeFileSync(join(folder, 'model.onnx'), 'not a model');
  assert.throws(() => make(), misconfigured(/no tokenizer\.json/));
  const vocab = { '[CLS]': 0, '[SEP]': 1, '[UNK]': 2 };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify({ model: { type: 'WordPiece', vocab } }));
  assert.throws(() => make(), misconfigured(/dimensions/));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ hidden_size: 48 }));
  const embedder = make({ runtime: 'a-runtime-that-nobody-installed' });
  assert.equal(embedder.dims, 48);
  await assert.rejects(embedder.embed(['x'], 'query'), misconfigured(/onnxruntime-node is not installed/));
  await embedder.close();
});

/** A runtime whose model gives each token the vector (its id, 1): the outcome shows pooling and padding. */
const RUNTIME = `
export class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
export const InferenceSession = { create: async () => ({
  inputNames: ['input_ids', 'attention_mask'], outputNames: ['last_hidden_state'], release: async () => {},
  run: async ({ input_ids: ids }) => ({ last_hidden_state: {
    dims: [...ids.dims, 2], data: Float32Array.from([...ids.data].flatMap((id) => [Number(id), 1])) } }) }) };
`;

test("a vector is the mean of the text's tokens without padding, or its first token if the folder says so", async () => {
  const vocab = { '[CLS]': 1, '[SEP]': 2, '[UNK]': 3, alpha: 10, beta: 20 };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify({ model: { type: 'WordPiece', vocab } }));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ hidden_size: 2 }));
  writeFileSync(join(folder, 'runtime.mjs'), RUNTIME);
  const make = () => createEmbedder({ provider: 'onnx', modelFolder: folder, runtime: join(folder, 'runtime.mjs') });
  const unit = (x: number, y: number) => [x, y].map((value) => value / Math.hypot(x, y));
  const close = (actual: Float32Array | undefined, expected: number[]) =>
    expected.forEach((value, d) => {
      assert.ok(Math.abs(actual![d]! - value) < 1e-6, `${[...actual!]} is not ${expected}`);
    });
  const [long, short] = await make().embed(['alpha beta alpha', 'beta'], 'passage');
  close(long, unit((1 + 10 + 20 + 10 + 2) / 5, 1));
  close(short, unit((1 + 20 + 2) / 3, 1));
  mkdirSync(join(folder, '1_Pooling'));
  writeFileSync(join(folder, '1_Pooling', 'config.json'), JSON.stringify({ pooling_mode_cls_token: true }));
  const first = make();
  assert.notEqual(first.id, createEmbedder({ provider: 'onnx', modelFolder: folder, pooling: 'mean' }).id);
  close((await first.embed(['beta'], 'query'))[0], unit(1, 1));
  writeFileSync(join(folder, 'model.onnx'), 'some other model');
  assert.notEqual(make().id, first.id, 'other weights under the same name make other vectors');
});

test('a model that fails on its input is reported as misconfigured', async () => {
  const failing = RUNTIME.replace(
    /run: async[\s\S]*?\}\) \}\) \};/,
    "run: async () => { throw new Error('index 30522'); } }) };",
  );
  writeFileSync(join(folder, 'failing.mjs'), failing);
  const runtime = join(folder, 'failing.mjs');
  const embedder = createEmbedder({ provider: 'onnx', modelFolder: folder, runtime });
  await assert.rejects(embedder.embed(['beta'], 'passage'), misconfigured(/do not go together: index 30522/));
});
