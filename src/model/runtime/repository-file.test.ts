import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  FileRefused,
  readRepositoryFile,
  readRepositoryFileAsync,
  readRepositoryFilePieces,
  textOfRegularFile,
} from './repository-file.ts';

function makeFolders(t: TestContext): { readonly root: string; readonly outside: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-file-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(root, 'sub/a.txt'), 'inside');
  writeFileSync(join(outside, 'a.txt'), 'outside');
  return { root, outside };
}

const LIMIT = { maxBytes: 100 };
const INSIDE = { maxBytes: 100, links: 'inside' } as const;

function reasonOf(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    return error instanceof FileRefused ? error.reason : (error as NodeJS.ErrnoException).code!;
  }
}

test('a regular file is read with its size and time, sync and async, also below a linked root', async (t) => {
  const { root } = makeFolders(t);
  const { bytes, size, mtimeMs } = readRepositoryFile(root, 'sub/a.txt', LIMIT);
  assert.deepEqual([bytes.toString(), size], ['inside', 6]);
  assert.ok(Math.abs(Date.now() - mtimeMs) < 60_000);
  assert.equal((await readRepositoryFileAsync(root, 'sub/a.txt', LIMIT)).bytes.toString(), 'inside');
  symlinkSync(root, `${root}-link`);
  for (const options of [LIMIT, INSIDE])
    assert.equal(readRepositoryFile(`${root}-link`, 'sub/a.txt', options).bytes.toString(), 'inside');
});

test('links are refused, or with `inside` followed if they stay in the root', (t) => {
  const { root, outside } = makeFolders(t);
  symlinkSync(join(root, 'sub/a.txt'), join(root, 'inner'));
  symlinkSync(join(root, 'sub'), join(root, 'folder'));
  symlinkSync(join(outside, 'a.txt'), join(root, 'outer'));
  symlinkSync(outside, join(root, 'way-out'));
  symlinkSync('nowhere', join(root, 'broken'));
  symlinkSync('loop', join(root, 'loop'));
  const refused = (path: string) =>
    [LIMIT, INSIDE].map((options) => reasonOf(() => readRepositoryFile(root, path, options)));
  assert.deepEqual(refused('inner'), ['link', 'read']);
  assert.deepEqual(refused('folder/a.txt'), ['outside', 'read']);
  assert.deepEqual(refused('outer'), ['link', 'outside']);
  assert.deepEqual(refused('way-out/a.txt'), ['outside', 'outside']);
  assert.deepEqual(refused('broken'), ['link', 'ENOENT']);
  assert.deepEqual(refused('loop'), ['link', 'ELOOP']);
  assert.deepEqual(refused('../outside/a.txt'), ['outside', 'outside']);
  assert.deepEqual(refused(join(outside, 'a.txt')), ['outside', 'outside']);
  assert.deepEqual(refused('gone'), ['ENOENT', 'ENOENT']);
});

test('pipes, devices, sockets and folders are refused without blocking', {
  skip: process.platform === 'win32',
}, async (t) => {
  const { root } = makeFolders(t);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const server = createServer().listen(join(root, 'socket'));
  t.after(() => server.close());
  await new Promise((up) => server.once('listening', up));
  for (const name of ['pipe', 'socket', 'sub'])
    assert.equal(
      reasonOf(() => readRepositoryFile(root, name, LIMIT)),
      'not_a_file',
      name,
    );
  // Of git's own files links are followed, as git does.
  for (const [i, target] of ['/dev/zero', '/dev/stdin', join(root, 'pipe')].entries()) {
    symlinkSync(target, join(root, `link-${i}`));
    assert.notEqual(
      reasonOf(() => readRepositoryFile(root, `link-${i}`, INSIDE)),
      'read',
    );
    assert.equal(textOfRegularFile(join(root, `link-${i}`), 100), null);
  }
});

test('a file over the limit is refused, also if it is longer than its stated size', (t) => {
  const { root } = makeFolders(t);
  writeFileSync(join(root, 'long'), 'x'.repeat(101));
  assert.throws(() => readRepositoryFile(root, 'long', LIMIT), { reason: 'too_large', bytes: 101 });
  assert.equal(readRepositoryFile(root, 'long', { maxBytes: 101 }).bytes.length, 101);
  // Files of the system say that they are empty.
  if (process.platform !== 'linux') return;
  assert.equal(
    reasonOf(() => readRepositoryFile('/proc/self', 'status', { maxBytes: 10 })),
    'too_large',
  );
  assert.match(readRepositoryFile('/proc/self', 'status', { maxBytes: 100_000 }).bytes.toString(), /^Name:/);
});

test('a file that grows while it is read is returned whole', async (t) => {
  const { root } = makeFolders(t);
  const file = join(root, 'log');
  writeFileSync(file, '');
  for (let round = 0; round < 50; round++) {
    const reading = readRepositoryFileAsync(root, 'log', { maxBytes: 1 << 20 });
    appendFileSync(file, 'a line\n'.repeat(round));
    assert.match((await reading).bytes.toString(), /^(?:a line\n)*$/);
  }
});

/** Swaps a file, or the folder above it, for a link out of the root and back, as fast as another process can. */
const SWAPPER = `
const { renameSync } = require('node:fs');
const [, name, link] = process.argv;
process.stdout.write('up');
for (;;) {
  renameSync(name, name + '.kept'); renameSync(link, name);
  renameSync(name, link); renameSync(name + '.kept', name);
}`;

/** `npm run test:hostile` tries for longer. */
const ROUNDS = process.env.HOSTILE === 'full' ? 20_000 : 500;

/** Without the system's word on where an open file lies, as on macOS. */
function withoutProc(t: TestContext): void {
  const own = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { ...own, value: 'darwin' });
  t.after(() => Object.defineProperty(process, 'platform', own));
}

for (const [what, isLinux] of [
  ['the file', true],
  ['a folder above it', true],
  ['the file', false],
  ['a folder above it', false],
] as const)
  test(`nothing from outside is read while ${what} is swapped for a link${isLinux ? '' : ', by comparing files'}`, {
    skip: process.platform === 'win32',
  }, async (t) => {
    if (!isLinux) withoutProc(t);
    const { root, outside } = makeFolders(t);
    const name = join(root, what === 'the file' ? 'sub/a.txt' : 'sub');
    symlinkSync(what === 'the file' ? join(outside, 'a.txt') : outside, `${name}.link`);
    const swapper = spawn(process.execPath, ['-e', SWAPPER, name, `${name}.link`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(swapper, 'exit');
    t.after(() => swapper.kill('SIGKILL'));
    await once(swapper.stdout, 'data');
    const seen = new Set<string>();
    const metBoth = () => seen.has('inside') && seen.size > 1;
    // Compared many times over, a file that never rests is hardly ever found where it should be.
    for (let round = 0; round < ROUNDS || (isLinux && !metBoth() && round < 1_000_000); round++)
      for (const options of [LIMIT, INSIDE])
        try {
          seen.add(readRepositoryFile(root, 'sub/a.txt', options).bytes.toString());
        } catch (error) {
          seen.add(error instanceof FileRefused ? 'refused' : (error as NodeJS.ErrnoException).code!);
        }
    swapper.kill('SIGKILL');
    await ended;
    assert.ok(!seen.has('outside'), [...seen].join());
    assert.ok(!isLinux || metBoth(), [...seen].join());
  });

test('a file that is replaced after it was opened is still read', (t) => {
  const { root } = makeFolders(t);
  const file = join(root, 'sub/a.txt');
  for (let round = 0; round < 200; round++) {
    writeFileSync(`${file}.new`, `content ${round}`);
    renameSync(`${file}.new`, file);
    assert.equal(readRepositoryFile(root, 'sub/a.txt', LIMIT).bytes.toString(), `content ${round}`);
  }
});

test('readRepositoryFilePieces returns the whole file in order', async (t) => {
  const { root } = makeFolders(t);
  const text = Array.from({ length: 400_000 }, (_, i) => `${i}\n`).join('');
  writeFileSync(join(root, 'long.txt'), text);
  const pieces: string[] = [];
  const read = (maxBytes: number, onPiece: (piece: Buffer) => void) =>
    readRepositoryFilePieces(root, join(root, 'long.txt'), { maxBytes }, onPiece);
  await read(1 << 30, (piece) => pieces.push(piece.toString()));
  assert.ok(pieces.length > 2 && pieces.join('') === text);
  await assert.rejects(
    read(1 << 20, () => {}),
    FileRefused,
  );
  const refuse = () => {
    throw new Error('no chunk file');
  };
  await assert.rejects(read(1 << 30, refuse), /no chunk file/);
});
