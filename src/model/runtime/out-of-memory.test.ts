import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, modelDamaged, toEngineError } from '../records/engine-errors.ts';
import { isOutOfMemory } from './out-of-memory.ts';

const withCode = (message: string, fields: Record<string, unknown>) => Object.assign(new Error(message), fields);

test('isOutOfMemory recognises errors of V8, zlib and SQLite for lack of memory', () => {
  for (const error of [
    new RangeError('WebAssembly.Memory(): could not allocate memory'),
    new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'),
    new RangeError('Array buffer allocation failed'),
    withCode('unexpected', { code: 'Z_MEM_ERROR' }),
    withCode('spawn ENOMEM', { code: 'ENOMEM' }),
    withCode('out of memory', { errcode: 7 }),
    withCode('disk I/O error', { errcode: 3082 }),
    new Error('the query failed', { cause: new RangeError('Array buffer allocation failed') }),
  ]) {
    assert.equal(isOutOfMemory(error), true, error.message);
    assert.equal(toEngineError(error).code, 'out_of_memory', error.message);
    assert.equal(modelDamaged('it cannot be read', error).code, 'out_of_memory', error.message);
  }
});

test('isOutOfMemory rejects errors of damaged data, and of paths that contain such a message', () => {
  for (const error of [
    new RangeError('Invalid typed array length: 4294967296'),
    withCode('database disk image is malformed', { errcode: 11 }),
    withCode("ENOENT: no such file, open 'out of memory.md'", { code: 'ENOENT', path: 'out of memory.md' }),
    new EngineError('path_not_found', { path: 'out of memory' }),
    'out of memory',
  ])
    assert.equal(isOutOfMemory(error), false, String(error));
});
