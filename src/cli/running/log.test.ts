import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { TOKENS } from '../../model/secrets/token.fixture.ts';

test('the log contains no access token, in any part of a line', () => {
  const module = new URL('log.ts', import.meta.url).href;
  const token = TOKENS['stripe-access-token'];
  const script = `const { openLog } = await import(${JSON.stringify(module)});
    const token = ${JSON.stringify(token)};
    const log = openLog(false);
    log('warn', 'asked for "' + token + '"', {
      params: { query: 'x = "' + token + '"' }, error: new Error('no "' + token + '"') });`;
  const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.ok(!stderr.includes(token.slice(-10)), stderr);
  assert.equal(stderr.match(/REDACTED_stripe/g)?.length, 4);
});

test('an error is logged with its message, stack and cause; strings stay strings', () => {
  const module = new URL('log.ts', import.meta.url).href;
  const script = `const { openLog } = await import(${JSON.stringify(module)});
    const log = openLog(false);
    log('error', 'tool failed', { error: new TypeError('no such thing', { cause: new Error('deeper') }) });
    log('warn', 'profile not served', { error: 'in words' });`;
  const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  const [failed, worded] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([failed.msg, failed.error.type], ['tool failed', 'TypeError']);
  assert.match(failed.error.message, /^no such thing/);
  assert.match(failed.error.stack, /TypeError: no such thing\n\s+at [\s\S]*deeper/);
  assert.equal(worded.error, 'in words');
});
