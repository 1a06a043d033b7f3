import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { memoryOf, withLessMemory } from './runtime-memory.ts';

const runtime = readFileSync(createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm'));

test('the runtime differs only in the memory that it requests', () => {
  const modest = withLessMemory(runtime);
  assert.equal(modest.length, runtime.length);
  const differing = [...modest.keys()].filter((at) => modest[at] !== runtime[at]);
  assert.ok(differing.length > 0 && differing.length <= 2, `${differing.length} bytes`);
  assert.equal(differing.at(-1)! - differing[0]! <= 1, true);
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } };
  new WebAssembly.Module(new Uint8Array(modest));
  assert.equal(memoryOf(runtime), 32 << 20);
  assert.equal(memoryOf(modest), 3 << 20);
});

test('the build rejects a runtime with another memory import', () => {
  assert.throws(() => withLessMemory(runtime.subarray(0, 300)), /imports its memory/);
});
