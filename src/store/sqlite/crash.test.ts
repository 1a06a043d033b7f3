/** After kill -9 at any moment, published trees are complete and the next run continues. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { blobIdOf, indexFiles, LIVE, optionsFor, temporaryFolder } from '../fixtures/made-up.ts';
import { filesOf } from '../fixtures/writing-child.ts';
import { openReader, openWriter } from '../index.ts';
import type { StoreReader } from '../store.ts';

const CHILD = new URL('../fixtures/writing-child.ts', import.meta.url).href;

function startChild(folder: string, first: number, graceMs: number) {
  const call = `run(${JSON.stringify(folder)}, ${first}, ${graceMs})`;
  const script = `const { run } = await import(${JSON.stringify(CHILD)}); ${call};`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The last publication that the child reported before it was killed, `delayMs` after its first one. */
async function killWhileWriting(folder: string, first: number, delayMs: number): Promise<number> {
  const child = startChild(folder, first, 0);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), delayMs);
    output += text;
  });
  await once(child, 'close');
  return Math.max(...output.split('\n').slice(0, -1).map(Number));
}

test('a killed writer loses no published tree and leaves none half written', async (t) => {
  const options = optionsFor(temporaryFolder(t));
  let last = 0;
  for (const [round, delayMs] of [0, 12, 35, 70, 110].entries()) {
    last = await killWhileWriting(options.folder, last, delayMs);
    const reader = openReader(options);
    assert.deepEqual(reader.check(true), []);
    const fresh = openWriter(optionsFor(temporaryFolder(t)), { owner: 'fresh' });
    // The writer may have published once more without its message arriving.
    const found = [...reader.dump(LIVE)].join('\n');
    const expected = [last, last + 1].map((n) => {
      indexFiles(fresh, filesOf(n));
      return [...fresh.reader.dump(LIVE)].join('\n');
    });
    fresh.release();
    assert.ok(expected.includes(found), `round ${round}: the tree is neither publication ${last} nor the next`);
    reader.close();
  }
  const writer = openWriter(options, { owner: 'next', graceMs: 0 });
  t.after(() => writer.release());
  writer.compact({ full: true });
  assert.deepEqual(writer.reader.check(true), []);
  indexFiles(writer, filesOf(last + 2));
  assert.equal(writer.reader.openTree(LIVE)!.files.length, 40);
});

test('readers see whole publications while another process writes, merges and deletes', async (t) => {
  const options = optionsFor(temporaryFolder(t));
  const child = startChild(options.folder, 0, 1000);
  const published = new Map<string, number>();
  for (let n = 0; n < 400; n++) published.set(signature(filesOf(n)), n);
  const query = Float32Array.from({ length: 20 }, (_, i) => Math.sin(i + 1));
  const readers: StoreReader[] = [];
  const seen = new Set<number>();
  try {
    await once(child.stdout, 'data');
    const end = performance.now() + 1500;
    while (performance.now() < end) {
      if (readers.length < 2) readers.push(openReader(options));
      for (const reader of readers) {
        const view = reader.openTree(LIVE)!;
        const n = published.get(view.files.map((file) => file.blobId).join());
        assert.notEqual(n, undefined, 'the files are those of one publication');
        seen.add(n!);
        const live = [...reader.postings('text', 'name7').docs].filter((doc) => view.fileOfChunk[doc]! >= 0);
        assert.equal(live.length, 20, 'every chunk of the file is found by its name');
        for (const file of [3, 17, 39])
          assert.equal(blobIdOf(reader.text(view.contentOf[file]!)), view.files[file]!.blobId);
        assert.equal(reader.scoreVectors(view, query).filter((score) => score !== 0).length, 800);
      }
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
    for (const reader of readers) reader.close();
  }
  assert.ok(seen.size > 1, 'the readers followed the writer');
});

function signature(files: Record<string, string>): string {
  return Object.keys(files)
    .sort()
    .map((path) => blobIdOf(files[path]!))
    .join();
}
