import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { wasm } from '../../../model/runtime/load-wasm.ts';
import { codePath, isKnownNode, loadModule, saveModule } from './machine-code.ts';

/** A module with one function that returns its number; the same but for that number otherwise. */
const answering = (answer: number) =>
  // biome-ignore format: one section a line
  new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0,
    1, 5, 1, 96, 0, 1, 127,
    3, 2, 1, 0,
    7, 10, 1, 6, ...Buffer.from('answer'), 0, 0,
    10, 6, 1, 4, 0, 65, answer, 11,
  ]);
const answerOf = (module: object) =>
  (new wasm.Instance(module, {}).exports as { readonly answer: () => number }).answer();
const skip = isKnownNode() ? false : 'this Node keeps no machine code';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-code-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('kept code is that of the module', { skip }, () => {
  saveModule(folder, 'kept', answering(42));
  const module = loadModule(folder, 'kept', answering(42));
  assert.ok(module, 'nothing was loaded');
  assert.equal(answerOf(module), 42);
});

test('no code for another module, none from a damaged or missing file', { skip }, () => {
  saveModule(folder, 'other', answering(17));
  assert.equal(loadModule(folder, 'other', answering(18)), null);
  assert.equal(loadModule(folder, 'missing', answering(17)), null);
  const file = codePath(folder, 'other');
  const bytes = readFileSync(file);
  for (const at of [0, 20, bytes.length >> 1, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    writeFileSync(file, damaged);
    assert.equal(loadModule(folder, 'other', answering(17)), null, `byte ${at}`);
  }
  for (const length of [0, 8, 16, bytes.length - 1]) {
    writeFileSync(file, bytes.subarray(0, length));
    assert.equal(loadModule(folder, 'other', answering(17)), null, `${length} bytes`);
  }
});

test('no code under other settings of V8', { skip }, () => {
  saveModule(folder, 'settings', answering(7));
  setFlagsFromString('--wasm-tiering-budget=1234567');
  try {
    assert.equal(loadModule(folder, 'settings', answering(7)), null);
  } finally {
    setFlagsFromString('--wasm-tiering-budget=1800000');
  }
  assert.ok(loadModule(folder, 'settings', answering(7)), 'the settings are the same again');
});
