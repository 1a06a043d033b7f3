import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, ERROR_TABLE, type ErrorCode } from '../../model/records/engine-errors.ts';
import type { FailedCall } from '../contract.ts';
import { resultText } from '../dispatch.ts';
import { swiftErrors } from './swiftindex-errors.ts';

test('an error about an index names the tool to call, not a terminal command', async () => {
  const told = async (code: ErrorCode) =>
    resultText(await swiftErrors.engineError(new EngineError(code, { path: '/p' }), { args: {} } as FailedCall));
  for (const code of ['reindex_required', 'store_corrupt'] as const)
    assert.match(await told(code), /Run 'index_codebase' tool with force: true/);
  for (const code of ['no_project', 'not_indexed', 'index_in_progress', 'reindex_required', 'store_corrupt'] as const) {
    assert.match(ERROR_TABLE[code].fix, /`sextant/);
    assert.doesNotMatch(await told(code), /`sextant/);
  }
});
