/** Repositories that are asked by their address: `--repo URL`. */
import assert from 'node:assert/strict';
import { readdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sandbox } from './sextant.ts';

const box = sandbox('origin');
const url = String(pathToFileURL(box.path()));
box.write({
  // A checkout would run the filter; a clone with files would have them.
  '.gitattributes': '*.ts filter=evil\n',
  'src/cart.ts': '/** Adds up a cart. */\nexport function cartTotal() {\n  return 0;\n}\n',
  'src/pay.ts': "import { cartTotal } from './cart.ts';\n\nexport const pay = () => cartTotal();\n",
});
box.git('init', '-q', '-b', 'trunk');
box.git('add', '.');
box.git('commit', '-qm', 'first');

function ask(...args: string[]) {
  const { code, stdout, stderr } = box.run([...args, '--repo', url, '--format', 'json'], { cwd: box.folder });
  assert.equal(code, 0, stderr);
  return { answer: JSON.parse(stdout), stderr };
}

/** The one clone in the data folder, and the file that says when it was fetched. */
function clone() {
  const folder = join(box.home, 'clones/local');
  const [name] = readdirSync(folder).filter((entry) => !entry.endsWith('.fetched'));
  return { root: join(folder, name!), mark: join(folder, `${name}.fetched`) };
}

test('a question to an address clones it bare, indexes it and answers, and the next one does not fetch', () => {
  const { answer, stderr } = ask('search', 'cartTotal');
  assert.equal(answer.hits[0].path, 'src/cart.ts');
  assert.match(stderr, /Indexed \d files, /);
  assert.deepEqual(readdirSync(clone().root).includes('objects'), true);
  assert.equal(statSync(join(clone().root, 'src'), { throwIfNoEntry: false }), undefined, 'no work tree');
  const again = ask('locate', 'cartTotal', '--references');
  assert.equal(again.stderr, '');
  assert.ok(again.answer.references.some(({ path }: { path: string }) => path === 'src/pay.ts'));
  assert.match(JSON.stringify(ask('research', 'who calls cartTotal').answer), /src\/pay\.ts/);
  assert.equal(ask('map').answer.central_files[0].path, 'src/cart.ts');
});

test('an hour later the clone is brought up to date; without the remote the old one answers and says so', () => {
  box.write({ 'src/refund.ts': '/** Gives money back. */\nexport function refund() {}\n' });
  box.git('add', '.');
  box.git('commit', '-qm', 'second');
  assert.deepEqual(ask('locate', 'refund').answer.symbols, []);
  const { mark } = clone();
  const age = () => utimesSync(mark, new Date(), new Date(Date.now() - 2 * 3_600_000));
  age();
  assert.equal(ask('locate', 'refund').answer.symbols[0].name, 'refund');
  age();
  renameSync(box.path(), `${box.path()}-gone`);
  const { answer, stderr } = ask('locate', 'refund');
  renameSync(`${box.path()}-gone`, box.path());
  assert.equal(answer.symbols[0].name, 'refund');
  assert.match(stderr, /a clone that is 2 h 0 min old/);
});

test('an address can be a member of a workspace; what is none is refused', () => {
  const { code, stdout, stderr } = box.run(['workspace', 'create', 'shop', url, '--format', 'json']);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).repositories.length, 1);
  for (const [bad, reason] of [
    ['--upload-pack=touch', /no address|needs a value|Unknown/],
    ['ext::sh -c touch% x', /no address of a git repository/],
    ['/etc', /no address of a git repository/],
  ] as const) {
    const refused = box.run(['search', 'x', `--repo=${bad}`]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, reason);
  }
  const both = box.run(['search', 'x', '--repo', url, '--path', '.']);
  assert.match(both.stderr, /Pass one of them/);
  const missing = box.run(['search', 'x', '--repo', `${url}-none`]);
  assert.match(missing.stderr, /^error: .*could not|^error: .*fetch/im);
  assert.doesNotMatch(readdirSync(join(box.home, 'clones/local')).join(), /part|none/);
});
