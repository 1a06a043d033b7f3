/** Clones with links, to devices, pipes or files of the user, in place of files that Sextant reads or writes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Sandbox, sandbox, worked } from '../cli/sextant.ts';

/** Many starts of the binary: `npm test` tries each reader by itself. */
const OPTIONS = { skip: process.env.HOSTILE !== 'full' || process.platform === 'win32' };
const SECRET = 'hunter2-of-the-user';

/** The user's own file, of the form that each reader understands. */
function makeProject(): {
  readonly box: Sandbox;
  readonly secret: string;
  readonly link: (path: string, target?: string) => void;
} {
  const box = sandbox();
  const secret = join(box.folder, 'secret');
  writeFileSync(secret, `${SECRET}\n`);
  box.git('init', '-q');
  box.write({ 'delay.ts': 'export function nextDelay() {\n  return 100;\n}\n// TODO: never wait twice\n' });
  const link = (path: string, target = secret) => {
    mkdirSync(dirname(box.path(path)), { recursive: true });
    rmSync(box.path(path), { recursive: true, force: true });
    symlinkSync(target, box.path(path));
  };
  return { box, secret, link };
}

/** Everything below a folder, with the content of regular files. */
function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'latin1'))
    .join('\n');
}

/** By name of the file, what it may lead to without harm. */
const READ = [
  '.sextant/memory/forgotten',
  '.sextant/memory/note.md',
  '.sextant/config.yml',
  '.sextantignore',
  '.gitignore',
  '.gitattributes',
  '.mailmap',
  'package.json',
  'tsconfig.json',
];

for (const target of ['/dev/zero', '/dev/stdin', 'pipe'])
  test(`Sextant answers if the files that it reads are links to ${target}`, OPTIONS, () => {
    const { box, link } = makeProject();
    execFileSync('mkfifo', [join(box.folder, 'pipe')]);
    for (const path of READ) link(path, target === 'pipe' ? join(box.folder, 'pipe') : target);
    assert.match(worked(box.run(['search', 'next delay', '--yes'])), /delay\.ts/);
    assert.match(worked(box.run(['grep', 'nextDelay'])), /delay\.ts/);
    assert.match(worked(box.run(['memory', 'list'])), /never wait twice/);
  });

test('a file of the user that a link leads to is neither shown nor copied', OPTIONS, () => {
  const { box, secret, link } = makeProject();
  for (const path of READ) link(path);
  writeFileSync(secret, `${SECRET}\nname: ${SECRET}\n[filter]\n`);
  const said: string[] = [];
  for (const command of [['index'], ['status', '--skipped'], ['map'], ['memory', 'list'], ['doctor'], ['project']]) {
    const { stdout, stderr } = box.run(command);
    said.push(stdout, stderr);
  }
  const [id] =
    /\b[a-z]+-[0-9a-f]{6,}\b|\b[0-9a-f]{8,}\b/.exec(box.run(['memory', 'list', '--format', 'json']).stdout) ?? [];
  assert.ok(id, 'something is remembered');
  said.push(worked(box.run(['memory', 'forget', id])));
  assert.ok(!said.join('\n').includes(SECRET));
  assert.ok(!contentsOf(box.path()).includes(SECRET));
  assert.ok(!contentsOf(box.home).includes(SECRET));
  assert.match(readFileSync(secret, 'utf8'), new RegExp(`^${SECRET}`));
});

test('init does not write through a link', OPTIONS, () => {
  for (const [args, path] of [
    [['init', '--team'], '.sextant/memory/.gitkeep'],
    [['init', '--team'], '.sextant/memory/.gitignore'],
    [['init', '--team'], '.sextant/memory'],
    [['init', '--team'], '.sextant'],
    [['init', '--write-config'], '.sextant/config.yml'],
    [['init', '--write-config'], '.sextant'],
  ] as const) {
    const { box, secret, link } = makeProject();
    const outside = join(box.folder, 'outside');
    mkdirSync(outside);
    const isFile = /\.(?:gitkeep|gitignore|yml)$/.test(path);
    link(path, isFile ? (path.endsWith('.yml') ? join(outside, 'new.yml') : secret) : outside);
    box.run(args);
    assert.equal(readFileSync(secret, 'utf8'), `${SECRET}\n`, path);
    assert.deepEqual(readdirSync(outside), [], path);
    assert.ok(lstatSync(box.path(path)).isSymbolicLink(), path);
  }
});

test('chunks and their settings that lead out of the project are refused', OPTIONS, () => {
  const greeting = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })}\n`;
  const chunk = [{ id: 'a', text: SECRET, embedding: Array.from({ length: 256 }, () => 1) }];
  for (const [what, set, said] of [
    ['settings', (link) => link('.cortex/config.yml'), /no regular file/],
    ['endless settings', (link) => link('.cortex/config.yml', '/dev/zero'), /no regular file/],
    ['a folder', (link, outside) => link('.cortex/chunks', outside), /leads out of the project/],
    [
      'a file',
      (link, outside) => link('.cortex/chunks/a.json', join(outside, 'chunk.json')),
      /leads out of the project/,
    ],
    ['an endless file', (link) => link('.cortex/chunks/a.json', '/dev/zero'), /leads out of the project/],
  ] as [string, (link: (path: string, target?: string) => void, outside: string) => void, RegExp][]) {
    const { box, link } = makeProject();
    const outside = join(box.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'chunk.json'), JSON.stringify(chunk));
    set(link, outside);
    const { stdout, stderr } = box.run(['serve-mcp', '--profile', 'cortex', '--workspace', '.'], { input: greeting });
    assert.match(stdout + stderr, said, what);
    assert.ok(!(stdout + stderr).includes(SECRET), what);
  }
});
