/** Invalid folders, files and arguments: each fails with one sentence, a non-zero exit code and no stack trace. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { refused, SAMPLE, sandbox } from './sextant.ts';

const box = sandbox();
box.write(SAMPLE);
const isRoot = process.getuid?.() === 0;

const COMMANDS = [
  ['index', '--path'],
  ['search', 'x', '--path'],
  ['status', '--path'],
  ['sync', '--workspace'],
  ['locate', 'x', '--path'],
  ['grep', 'x', '--path'],
  ['read', 'x', '--path'],
  ['init'],
  ['serve', '--port', '0', '--workspace'],
  ['serve-mcp', '--workspace'],
];

test('every command refuses a path that does not exist', () => {
  for (const args of COMMANDS) refused(box.run([...args, 'no such folder']), 2, /No such path: .*no such folder/);
});

test('every command refuses a file where a folder is expected', () => {
  for (const args of COMMANDS) refused(box.run([...args, 'go.mod']), 2, /Not a folder: .*go\.mod/);
});

test('commands refuse a folder or a file of another kind where they expect a certain file', () => {
  box.write({ 'nul.ts': Buffer.from('const a = 1;\0\0') });
  refused(box.run(['search', '--config', '.', 'x']), 2, /project is a folder, not a file/);
  refused(box.run(['eval', 'web']), 2, /web is a folder, not a file/);
  refused(box.run(['eval', 'README.md']), 2, /README\.md is no file of questions: .*\nfix: {3}.*eval --help/);
  refused(box.run(['eval', 'missing.yml']), 2, /No such path: .*missing\.yml/);
  refused(box.run(['memory', 'import', 'web']), 2, /web is a folder, not a file/);
  refused(box.run(['memory', 'import', 'README.md/x']), 2, /No such path: .*README\.md\/x/);
  for (const folder of ['README.md', 'README.md/x'])
    refused(box.run(['export', '--cortex', folder]), 2, /Not a folder: .*README\.md/);
  refused(box.run(['read', 'nul.ts']), 2, /it is a binary file\nfix: {3}Pass a text file/);
  refused(box.run(['search', '--lang', ',', 'x']), 2, /--lang needs a value/);
  refused(box.run(['index', '--give']), 2, /--give needs --fleet/);
});

test('index reads UTF-16 files in either byte order', () => {
  const text = 'class Grüße\n{\n}\n';
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIE${'A'.repeat(40)}\n-----END RSA PRIVATE KEY-----\n`;
  box.write({
    'little.cs': little,
    'big.cs': Buffer.from(little).swap16(),
    'key.cs': Buffer.from(`\ufeff${key}`, 'utf16le'),
  });
  for (const file of ['little.cs', 'big.cs'])
    assert.equal(JSON.parse(box.run(['read', file, '--format', 'json']).stdout).content, text, file);
  refused(box.run(['read', 'key.cs']), 2, /holds a secret/);
});

test('commands refuse an unreadable folder', { skip: isRoot }, () => {
  mkdirSync(box.path('../locked'));
  chmodSync(box.path('../locked'), 0o000);
  try {
    refused(box.run(['index', '--path', '../locked']), 2, /No permission/);
  } finally {
    chmodSync(box.path('../locked'), 0o755);
  }
});

test('commands refuse a path longer than the system allows', () => {
  const { code, stderr } = box.run(['index', '--path', 'x'.repeat(5000)]);
  assert.equal(code, 2, stderr);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test('index refuses an empty folder with the reason', () => {
  mkdirSync(box.path('../empty'));
  refused(box.run(['index', '--path', '../empty']), 3, /Nothing to index/);
  refused(box.run(['search', 'x', '--yes', '--path', '../empty']), 3, /Nothing to index/);
});

test('index refuses an unwritable data folder, and status answers without one', () => {
  // A file in the place of the folder fails for every user, root included.
  writeFileSync(join(box.folder, 'not-a-folder'), '');
  const env = { SEXTANT_HOME: join(box.folder, 'not-a-folder', 'home') };
  refused(box.run(['index'], { env }), 5, /Cannot write to the data folder/);
  const status = box.run(['status', '--format', 'json'], { env });
  assert.equal(status.code, 0, status.stderr);
  assert.equal(JSON.parse(status.stdout).indexing, 'not_indexed');
});

test('search refuses an empty query, a query that is too long and an unknown language', () => {
  assert.equal(box.run(['index', '--quiet']).code, 0);
  refused(box.run(['search', ' ']), 2, /empty/);
  refused(box.run(['search', 'word '.repeat(20_000)]), 2, /characters/);
  refused(box.run(['search', 'x', '--lang', 'klingon']), 2, /Unknown language "klingon"; known are asciidoc, bash, /);
  refused(box.run(['locate', 'x', '--lang', 'klingon']), 2, /Unknown language "klingon"; known are asciidoc, bash, /);
  refused(box.run(['search', 'x', '--lang', 'pyton']), 2, /"pyton" \(did you mean python\?\); known are asciidoc, /);
  for (const command of ['search', 'locate'])
    refused(box.run([command, 'x', '--kind', 'functoin']), 2, /"functoin" \(did you mean function\?\); known are /);
});

test('--ref is refused without git, and for a ref that git does not know', () => {
  refused(box.run(['index', '--ref', 'main']), 2, /not inside a git repository/);
  const other = sandbox();
  other.write(SAMPLE);
  other.git('init', '-q');
  other.git('add', '-A');
  other.git('commit', '-qm', 'first');
  refused(other.run(['index', '--ref', 'no-such-branch']), 2, /"no-such-branch" is not known/);
  refused(other.run(['index', '--ref', '--upload-pack=x']), 2, /ref/);
  assert.equal(other.run(['index', '--ref', 'main', '--quiet']).code, 0);
});

test('index and search handle file names with quotes, newlines, escapes and invalid UTF-8', () => {
  const odd = sandbox();
  odd.write({
    'qu"ote\'s.py': 'def quoted_name():\n    pass\n',
    'new\nline.py': 'def newline_name():\n    pass\n',
    'esc\u001b[2J.py': 'def escape_name():\n    """\u001b[31mred"""\n',
    'ünïcode.py': 'def unicode_name():\n    pass\n',
  });
  writeFileSync(
    Buffer.concat([Buffer.from(`${odd.path()}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from('.py')]),
    'def bad_name(): pass\n',
  );
  symlinkSync('.', odd.path('loop'));
  symlinkSync('/etc', odd.path('outside'));
  const { code, stderr } = odd.run(['index']);
  assert.equal(code, 0, stderr);
  for (const name of ['quoted_name', 'newline_name', 'escape_name', 'unicode_name']) {
    const { stdout } = odd.run(['search', name]);
    assert.match(stdout, new RegExp(name));
    assert.doesNotMatch(stdout, /\u001b/);
  }
  assert.doesNotMatch(odd.run(['status', '--skipped'], { env: { FORCE_COLOR: '0' } }).stdout, /\u001b/);
});

test('binary and deeply nested files do not stop an index run', () => {
  const heavy = sandbox();
  heavy.write({
    'good.ts': 'export function survivor() {}\n',
    'nul.ts': Buffer.from('export const a = 1;\0\0\0'),
    'deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    'deep.js': `x = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`,
    'random.go': Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251)),
    'empty.py': '',
  });
  const { code, stderr } = heavy.run(['index', '--quiet']);
  assert.equal(code, 0, stderr);
  assert.match(heavy.run(['locate', 'survivor']).stdout, /good\.ts:1/);
});
