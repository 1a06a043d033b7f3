/** The command line from a project without an index to answers, on a terminal and in scripts. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SAMPLE, sandbox } from './sextant.ts';

const box = sandbox('pröject with spaces');
box.write(SAMPLE);
const json = (...args: string[]) => {
  const { code, stdout, stderr } = box.run([...args, '--format', 'json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

test('search without an index fails and names the command that makes one', () => {
  assert.equal(json('status').indexing, 'not_indexed');
  const { code, stdout, stderr } = box.run(['search', 'retry']);
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(stderr, /No index for .*pröject with spaces[\s\S]*fix:.*sextant index.*--yes/);
});

test('search --yes indexes first and prints only the answer to standard output', () => {
  const { code, stdout, stderr } = box.run(['search', 'growing delay after each attempt', '--yes', '--format', 'json']);
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).hits.length > 0);
  assert.match(stderr, /Indexed \d+ files/);
  assert.doesNotMatch(stderr, /[\r\u001b]/);
});

test('search finds a symbol and applies its filters', () => {
  const { hits, intent } = json('search', 'NextDelay', '--limit', '3');
  assert.equal(intent, 'symbol');
  assert.equal(hits[0].path, 'retry/policy.go');
  assert.match(hits[0].content, /func \(p Policy\) NextDelay/);
  assert.ok(hits.length <= 3);
  for (const hit of json('search', 'delay', '--no-tests').hits) assert.equal(hit.is_test, false);
  for (const hit of json('search', 'report cart policy', '--lang', 'python').hits) assert.equal(hit.language, 'python');
  for (const hit of json('search', 'delay', '--glob', 'retry/**').hits) assert.match(hit.path, /^retry\//);
  assert.ok(json('search', 'NextDelay', '--explain').hits[0].explanation.length > 0);
});

test('search prints the path, the lines and the symbol of each result', () => {
  const { stdout, stderr } = box.run(['search', 'addToCart', '--limit', '1']);
  assert.match(stdout, /web\/cart\.ts:\d+-\d+ {2}addToCart/);
  assert.match(stdout, /2 │ export function addToCart/);
  assert.equal(stderr, '');
  const painted = box.run(['search', 'addToCart', '--limit', '1'], { env: { FORCE_COLOR: '1' } }).stdout;
  assert.match(painted, /\u001b\[35mexport\u001b\[39m/);
});

test('search prints the kind of the symbol beside its name', () => {
  box.write({ 'web/lamp.ts': 'export class Lamp {\n  on() {}\n  fadeSlowly() {}\n}\n' });
  const { stdout } = box.run(['search', 'fade slowly', '--limit', '1', '--wait-fresh', '20']);
  assert.match(stdout, /web\/lamp\.ts:\d+ {2}Lamp\.fadeSlowly method/);
  rmSync(box.path('web/lamp.ts'));
  box.run(['sync']);
});

test('search prints the same data as TOON', () => {
  const { stdout } = box.run(['search', 'addToCart', '--limit', '1', '--format', 'toon']);
  assert.match(stdout, /^query: addToCart$/m);
});

test('index leaves a fresh index alone; status lists an edited file and sync indexes it', () => {
  assert.deepEqual([json('index').mode, json('index').files_indexed], ['incremental', 0]);
  assert.match(box.run(['sync']).stdout, /Up to date/);
  box.write({ 'web/cart.ts': `${readFileSync(box.path('web/cart.ts'), 'utf8')}\nexport function emptyCart() {}\n` });
  const stale = json('status');
  assert.deepEqual([stale.freshness, stale.pending], ['stale', ['web/cart.ts']]);
  assert.match(box.run(['search', 'addToCart']).stdout, /stale.*sextant sync/);
  assert.equal(json('sync').files_indexed, 1);
  assert.equal(json('locate', 'emptyCart').symbols[0].path, 'web/cart.ts');
  rmSync(box.path('tools/report.py'));
  assert.equal(json('sync').files_removed, 1);
  assert.equal(
    json('locate', 'monthly_report').symbols.filter((s: { match: string }) => s.match === 'exact').length,
    0,
  );
});

test('status --skipped lists each skipped file with its reason, secrets among them', () => {
  const { skipped } = json('status', '--skipped');
  assert.equal(skipped.find((s: { path: string }) => s.path === '.env')?.reason, 'secret');
  assert.match(box.run(['status', '--skipped']).stdout, /secret +\.env/);
  assert.equal(json('search', 'TOKEN secret').hits.filter((h: { path: string }) => h.path === '.env').length, 0);
});

test('grep and read use the files on disk, not the index', () => {
  const { code, stdout } = box.run(['grep', 'func \\(p']);
  assert.equal(code, 0);
  assert.match(stdout, /^retry\/policy\.go:9:1:func \(p Policy\)/);
  const none = box.run(['grep', 'zzzz-not-there']);
  assert.deepEqual([none.code, none.stdout], [1, '']);
  assert.equal(box.run(['grep', '(']).code, 2);
  assert.equal(box.run(['grep', '--literal', '(p']).code, 0);
  assert.equal(box.run(['grep', '--', '-not-a-flag|Policy']).code === 0, true);
  assert.match(
    box.run(['read', 'retry/policy.go:9-10']).stdout,
    /^func \(p Policy\) NextDelay[^\n]*\n {4}return 100 << attempt\n$/,
  );
  assert.ok(json('read', 'retry/policy.go').outline.some((e: { name: string }) => e.name === 'NextDelay'));
  for (const bad of ['../outside', '.env', 'nowhere.go', '/etc/passwd'])
    assert.equal(box.run(['read', bad]).code, 2, bad);
});

test('grep in a pipe prints context lines and says when matches are left out', () => {
  const around = box.run(['grep', 'func \\(p', '-C', '1']);
  assert.match(
    around.stdout,
    /^retry\/policy\.go-8-.*doubles.*\nretry\/policy\.go:9:1:func.*\nretry\/policy\.go-10-.*return/,
  );
  const some = box.run(['grep', 'policy', '--limit', '1']);
  assert.equal(some.stdout.trim().split('\n').length, 1);
  assert.match(some.stderr, /^\d+ matches, 1 shown; --limit N shows more\.\n$/);
});

test('read accepts a path with lines as answers print it, a relative path and an absolute path', () => {
  const cwd = box.path('retry');
  for (const file of [
    'retry/policy.go',
    'policy.go',
    './policy.go',
    '../retry/policy.go',
    box.path('retry', 'policy.go'),
  ])
    assert.match(box.run(['read', `${file}:4`], { cwd }).stdout, /^type Policy struct/, file);
  assert.match(box.run(['read', '../web/cart.ts:2'], { cwd }).stdout, /addToCart/);
  for (const file of ['../../home', '/etc/hostname', '../.env', box.path('.env')])
    assert.equal(box.run(['read', file], { cwd }).code, 2, file);
});

test('read of a missing file names similar paths', () => {
  const refusal = (file: string) => box.run(['read', file]).stderr;
  assert.match(
    refusal('cart.ts'),
    /No such file in the project: cart\.ts\nfix: {3}Pass one of these.*: web\/cart\.ts\n/,
  );
  assert.match(refusal('retry'), /\nfix: {3}Pass one of these.*: retry\/policy\.go, retry\/policy_test\.go\n/);
  assert.match(refusal('nowhere.go:3'), /project: nowhere\.go\nfix: {3}Search for the file by its name\.\n/);
});

test('an empty answer names the flags that filtered results, on standard error', () => {
  const stderrOf = (...args: string[]) => box.run(args).stderr;
  const both = box.run(['search', 'addToCart', '--lang', 'go', '--glob', 'web/**', '--tests']);
  assert.match(both.stdout, /^Nothing matches\.[\s\S]*`sextant grep`/);
  assert.equal(both.stderr, 'Only what --lang, --glob leave was looked at: ask again without them.\n');
  assert.match(stderrOf('search', 'TestNextDelay', '--glob', '**/*_test.go', '--no-tests'), /--glob, --no-tests leave/);
  assert.match(stderrOf('locate', 'addToCart', '--lang', 'go'), /^Only what --lang leaves was looked at/);
  assert.equal(stderrOf('locate', 'addToCart', '--lang', 'typescript'), '');
  assert.equal(stderrOf('search', 'zzzz-not-there'), '');
  assert.equal(stderrOf('grep', 'Policy', '--glob', '*.nope'), 'No file matches *.nope.\n');
  assert.equal(stderrOf('grep', 'zzzz-not-there', '--glob', '*.go'), '');
});

test('search does not cut lines of code in a pipe', () => {
  const wide = sandbox();
  const long = `export const wideName = '${'x'.repeat(400)}'; // its end`;
  wide.write({ 'wide.ts': `${long}\n`, 'b.ts': "import { wideName } from './wide';\nconsole.log(wideName);\n" });
  assert.ok(wide.run(['search', 'wideName', '--yes']).stdout.includes(long));
  assert.ok(wide.run(['research', 'where is wideName defined']).stdout.includes(long));
});

test('a command in a subfolder uses the index of its repository', () => {
  const repository = sandbox();
  repository.write(SAMPLE);
  repository.git('init', '-q');
  assert.equal(repository.run(['index', '--quiet']).code, 0);
  const args = ['search', 'NextDelay', '--format', 'json'];
  const { code, stdout, stderr } = repository.run(args, { cwd: repository.path('retry') });
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).hits[0].path, 'retry/policy.go');
});

test('--quiet prints only the answer', () => {
  const { stderr } = box.run(['index', '--force', '--quiet']);
  assert.equal(stderr, '');
});

test('init makes an empty index, leaves an existing one alone, and names the version control', () => {
  const fresh = sandbox('fresh');
  fresh.write(SAMPLE);
  assert.match(fresh.run(['init']).stdout, /Version control: none/);
  const status = () => JSON.parse(fresh.run(['status', '--format', 'json']).stdout);
  const file = join(status().project.store_folder, 'index.sqlite');
  assert.ok(readFileSync(file).length > 0);
  assert.deepEqual([status().indexing, fresh.run(['search', 'delay']).code], ['not_indexed', 3]);
  assert.equal(fresh.run(['index', '--quiet']).code, 0);
  writeFileSync(file, 'not an index');
  assert.equal(fresh.run(['init']).code, 0);
  assert.equal(readFileSync(file, 'utf8'), 'not an index');
  const tracked = sandbox('tracked');
  tracked.git('init', '-q');
  assert.match(tracked.run(['init']).stdout, /Version control: git\./);
});

test('init registers the project and writes into it only with a flag', () => {
  assert.equal(json('init').registered, true);
  assert.throws(() => readFileSync(box.path('.sextant/config.yml')));
  assert.equal(box.run(['init', '--write-config']).code, 0);
  const written = readFileSync(box.path('.sextant/config.yml'), 'utf8');
  assert.equal(box.run(['status']).code, 0, 'what init writes is a valid configuration');
  box.write({ '.sextant/config.yml': 'search:\n  limit: 1\n' });
  assert.equal(box.run(['init', '--write-config']).code, 0);
  assert.notEqual(readFileSync(box.path('.sextant/config.yml'), 'utf8'), written);
  assert.equal(json('search', 'delay').hits.length, 1);
});
