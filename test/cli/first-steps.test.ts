/** The small things that people meet first, on the real binary. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ended, launcher, SAMPLE, sandbox, waitFor, worked } from './sextant.ts';

const root = join(dirname(launcher), '..');
const PATIENT = { env: { SEXTANT_SEARCH_SYNC_MS: '60000' } };

function indexed() {
  const box = sandbox();
  box.write(SAMPLE);
  worked(box.run(['index', '-q']));
  return box;
}

function storeBytes(home: string): number {
  const folder = join(home, 'projects');
  const [project] = readdirSync(folder);
  return statSync(join(folder, project!, 'index.sqlite')).size;
}

test('npm start without a folder asks for one and does not index the clone', () => {
  for (const flags of [[], ['--no-token'], ['--port', '0']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', ...flags], {
      cwd: root,
      env: { ...process.env, INIT_CWD: root },
      input: '',
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^error: Which project\? No folder was named\.\nfix: {3}.*npm start -- PATH\n$/);
  }
});

test('a question on a stale index brings it up to date first and says so', () => {
  const box = indexed();
  box.write({ 'web/zebra.ts': 'export function countZebras(): number {\n  return 4;\n}\n' });
  const found = box.run(['search', 'countZebras'], PATIENT);
  assert.match(worked(found), /web\/zebra\.ts:1-3 {2}countZebras/);
  assert.match(found.stderr, /^Brought the index up to date first: 1 changed file in .*\.\n$/);
  box.write({ 'web/zebra.ts': 'export function countOkapis(): number {\n  return 4;\n}\n' });
  assert.match(worked(box.run(['locate', 'countOkapis', '-q'], PATIENT)), /countOkapis/);
  box.write({ 'web/zebra.ts': 'export function countTapirs(): number {\n  return 4;\n}\n' });
  const mapped = box.run(['map'], PATIENT);
  assert.match(mapped.stderr, /^Brought the index up to date first/);
});

test('a question on a stale index is answered from it where the setting says so, and tells', () => {
  const box = indexed();
  box.write({ 'web/zebra.ts': 'export function countZebras(): number {\n  return 4;\n}\n' });
  const found = box.run(['search', 'addToCart'], { env: { SEXTANT_SEARCH_SYNC_MS: '0' } });
  assert.match(worked(found), /The index is stale: 1 changed file not in it yet/);
  assert.equal(found.stderr, '');
});

test('-q says nothing of an index, and programs still get the report that they ask for', () => {
  const box = sandbox();
  box.write(SAMPLE);
  for (const line of [['init'], ['index'], ['index', '--force'], ['sync']])
    assert.deepEqual(box.run([...line, '-q']), { code: 0, stdout: '', stderr: '' });
  assert.equal(JSON.parse(worked(box.run(['sync', '-q', '--format', 'json']))).files_indexed, 0);
});

test('grep tells upper and lower case apart unless the pattern is all lower case', () => {
  const box = indexed();
  const lines = (...args: string[]) => box.run(['grep', ...args]).stdout.split('\n').length - 1;
  assert.equal(lines('nextdelay'), 4);
  assert.equal(lines('NextDelay'), 4);
  assert.equal(lines('NextDELAY'), 0);
  assert.equal(lines('-i', 'NextDELAY'), 4);
  assert.equal(lines('-s', 'nextdelay'), 0);
});

test('map has JSON with the same modules and entry points', () => {
  const box = indexed();
  const data = JSON.parse(worked(box.run(['map', '--format', 'json'])));
  assert.deepEqual(Object.keys(data).sort(), [
    'central_files',
    'cycles',
    'dependencies',
    'entry_points',
    'modules',
    'more_modules',
    'partial',
    'title',
  ]);
  const text = worked(box.run(['map']));
  for (const { path } of data.central_files) assert.ok(text.includes(path), path);
});

test('an index run that finds nothing new neither grows the store nor resets the recorded duration', () => {
  const box = indexed();
  const status = () => JSON.parse(worked(box.run(['status', '--format', 'json'])));
  const [bytes, { last_duration_ms: duration }] = [storeBytes(box.home), status()];
  assert.ok(duration > 0);
  for (let second = 1; second <= 4; second++) {
    // The first two look at a file with another time and the same content.
    if (second <= 2) utimesSync(box.path('web/cart.ts'), 1e9 + second, 1e9 + second);
    worked(box.run(['index']));
  }
  assert.equal(storeBytes(box.home), bytes);
  assert.equal(status().last_duration_ms, duration);
});

test('serve prints the address of the page before it indexes', async () => {
  const box = sandbox();
  box.write(SAMPLE);
  const server = box.start(['serve', '--port', '0']);
  let order = '';
  server.stdout.on('data', (part) => {
    order += part;
  });
  server.stderr.on('data', (part) => {
    order += part;
  });
  await waitFor(server.stdout, /Ctrl-C stops the server/);
  server.kill('SIGTERM');
  await ended(server);
  assert.ok(order.indexOf('In a browser: http://') >= 0, order);
  assert.ok(order.indexOf('In a browser: http://') < order.indexOf('Indexed '), order);
});
