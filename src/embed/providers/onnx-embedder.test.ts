import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EngineError } from '../../model/errors.ts';
import { createEmbedder } from '../create-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'onnx-model-'));
after(() => rmSync(folder, { recursive: true }));

const misconfigured = (reason: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EngineError);
  assert.equal(error.code, 'provider_misconfigured');
  assert.match(error.message, reason);
  return true;
};

test('what is missing is named: the model, its tokeniser, its dimensions, the runtime', async () => {
  const make = (more: object = {}) => createEmbedder({ provider: 'onnx', modelFolder: folder, ...more });
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
