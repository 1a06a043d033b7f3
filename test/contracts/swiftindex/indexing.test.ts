/** swiftindex: index_codebase, as a call and as a task. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Message, rawClient } from '../raw-client.ts';
import { otherIndexer, untilStale } from '../real-engine.ts';
import { box, call, client, idle, refused, research, search, textOf } from './setup.ts';

test('indexing: new, unchanged, forced, with progress (SI-07, SI-08, SI-09, SI-29)', async () => {
  const seen: { progress: number; total?: number }[] = [];
  const first = await client.callTool(
    { name: 'index_codebase', arguments: { path: box.project } },
    { onprogress: (progress) => seen.push(progress) },
  );
  const stats = first.structuredContent as Message;
  assert.equal(stats.mode, 'full');
  assert.deepEqual([stats.files, stats.files_indexed, stats.errors], [9, 9, []]);
  assert.ok(stats.chunks > 9);
  assert.ok(seen.length > 0);
  for (const { progress, total } of seen) assert.ok(total === undefined || progress <= total);
  const again = (await call('index_codebase', { path: box.project })).structuredContent;
  assert.deepEqual([again.mode, again.files_indexed, again.files_unchanged], ['incremental', 0, 9]);
  const forced = (await call('index_codebase', { path: box.project, force: true })).structuredContent;
  assert.deepEqual([forced.files, forced.files_indexed], [9, 9]);
});

test('a project that is being indexed already (SI-24)', async () => {
  const other = await otherIndexer(box, box.project);
  try {
    const said = `Already being indexed: ${box.project}. Searches go on meanwhile; call again when it is done.`;
    await refused('index_codebase', { path: box.project }, said);
  } finally {
    await other.end();
  }
});

test("a task means the client's root as a call does (SI-33)", async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine });
  await raw.initialize('2025-11-25', { roots: {} });
  const created = raw.request('tools/call', { name: 'search_code', arguments: { query: 'cartTotal' }, task: {} });
  const asked = await raw.until(({ method }) => method === 'roots/list');
  raw.line(
    JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { roots: [{ uri: pathToFileURL(box.project).href }] } }),
  );
  const { taskId } = (await created).result.task;
  const { result } = await raw.request('tasks/result', { taskId });
  assert.equal(result.structuredContent.results[0].path, 'web/cart.ts');
  await raw.close();
});

test('indexing as a task, listed, awaited, cancelled (SI-33, SI-34, SI-35)', async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine, workspace: box.project });
  await raw.initialize();
  const start = async () =>
    (
      await raw.request('tools/call', {
        name: 'index_codebase',
        arguments: { path: box.project, force: true },
        task: { ttl: 60_000 },
      })
    ).result.task;
  const task = await start();
  assert.equal(task.status, 'working');
  const listed = (await raw.request('tasks/list')).result.tasks;
  assert.deepEqual(
    listed.map(({ taskId }: Message) => taskId),
    [task.taskId],
  );
  assert.equal((await raw.request('tasks/get', { taskId: task.taskId })).result.taskId, task.taskId);
  const result = await raw.request('tasks/result', { taskId: task.taskId });
  assert.equal(result.result.structuredContent.files, 9);
  const second = await start();
  assert.equal((await raw.request('tasks/cancel', { taskId: second.taskId })).result.status, 'cancelled');
  assert.equal((await raw.request('tasks/get', { taskId: second.taskId })).result.status, 'cancelled');
  // The index is whole again, whatever the cancelled run had reached.
  await idle();
  assert.equal(
    (await raw.request('tools/call', { name: 'index_codebase', arguments: { path: box.project } })).result
      .structuredContent.files,
    9,
  );
  await raw.close();
});

test('a call is ended by notifications/cancelled (SI-36)', async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine, workspace: box.project });
  await raw.initialize();
  const params = { name: 'index_codebase', arguments: { path: box.project, force: true } };
  raw.line(JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params }));
  await raw.request('ping');
  raw.notify('notifications/cancelled', { requestId: 'long' });
  await idle();
  await raw.request('ping');
  assert.equal(
    raw.received.some(({ id }) => id === 'long'),
    false,
  );
  await raw.close();
  await call('index_codebase', { path: box.project });
});

test('answers say that files have changed since they were indexed (SI-08)', async () => {
  await idle();
  const path = 'web/refund.ts';
  box.write(join('shop', path), 'export function refundEverything() {}\n');
  const said = [`Changed since the index was made: ${path}. Call index_codebase to follow.`];
  assert.deepEqual((await untilStale(() => search('cart total'))).notices, said);
  const docs = await call('search_docs', { query: 'installation', format: 'human' });
  assert.ok(textOf(docs).endsWith(`Note:\n- ${said[0]}`));
  assert.deepEqual((await research('what calls price')).structuredContent.notices, said);
  const { files_indexed } = (await call('index_codebase', { path: box.project })).structuredContent;
  assert.equal(files_indexed, 1);
  assert.equal((await search('cart total')).notices, undefined);
});

test('valid Swift is no error: borrowed accessors, empty tuples, operators at the start of a line (SI-07, SI-46)', async () => {
  box.write(
    'valid/Sources/Buffer.swift',
    `struct Buffer {
    public var readableBytesSpan: RawSpan {
        @_lifetime(borrow self)
        borrowing get {
            return span()
        }
    }

    func fold(_ futures: [Future]) -> Future {
        let flags: Int =
            mask(1)
            | mask(2)
            | mask(4)
        return first.fold(futures) { (_: (), newValue: Int) -> Future in
            update(newValue, flags)
        }
    }
}

protocol Files {
    associatedtype Folder: FolderHandle
    where
        Folder.Reader == Reader,
        Folder.Writer == Writer
}

enum Target {
    case socket(_: Address)
}

func choose(_ result: Result<Int, Errno>, code: Int) {
    typealias Nothing = ()
    let bound = Bound(self)
    @Sendable func next() {
        yield()
    }
    switch result {
    case let .failure(errno)
    where errno == .invalid || errno == .missing:
        // Either it is missing, or invalid,
        switch code { default: next() }
    case .success,
        .custom where (code < 200) && (code >= 100):
        promise.map { (_: ((((), ()), ()))) in }.cascade(to: bound)
    }
    cast(code, to: (@convention(c) (Pointer?) -> Pointer?).self)
}
`,
  );
  const { structuredContent } = await call('index_codebase', { path: join(box.folder, 'valid') });
  assert.deepEqual([structuredContent.files, structuredContent.errors], [1, []]);
});
