/** "What calls X": what is found, what is not known, what tests do, and which X was meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../../test/workspace.ts';
import type { ResearchRequest } from '../../../model/records/query.ts';

async function ask(
  files: Readonly<Record<string, string>>,
  query: string,
  more: Partial<ResearchRequest> = {},
): Promise<string> {
  const space = workspace(files);
  try {
    await space.engine.index(space.root);
    return (await space.engine.research(space.root, { query, ...more })).summary;
  } finally {
    await space.close();
  }
}

const SWIFT = {
  'Sources/Net/Extended.swift': `public struct Extension<Base> {
    let base: Base
}
public protocol Extended {}
extension Extended {
    public var ext: Extension<Self> { Extension(base: self) }
}
extension SecTrust: Extended {}
extension Extension where Base == SecTrust {
    func performCheck(forHost host: String) throws {}
}
extension HTTPHeaders {
    var span: Span? { nil }
}
struct Span {
    let parts: [Part]
    struct Part {}
}
extension Span.Part {
    func asContentSpan(limit: Int) -> Int { limit }
}
`,
  'Sources/Net/Use.swift': `func check(trust: SecTrust) throws {
    try trust.ext.performCheck(forHost: "a")
}
func answer(request: URLRequest, headers: HTTPHeaders) {
    guard let span = headers.span else { return }
    guard let first = span.parts.first else { return }
    _ = first.asContentSpan(limit: 3)
}
class Work {}
class SocketWork: Work {
    func didDrop(code: Int) {}
}
final class Session {
    func work<W: Work>(for id: Int, as type: W.Type) -> W? { nil }
    func closed() {
        guard let work = work(for: 1, as: SocketWork.self) else { return }
        work.didDrop(code: 3)
    }
}
final class Monitor {
    func notifyAll(flags: Int) {}
    func begin(info: UnsafeRawPointer) {
        let weak = Unmanaged<Box>.fromOpaque(info).takeUnretainedValue()
        weak.monitor?.notifyAll(flags: 1)
    }
    final class Box { weak var monitor: Monitor? }
}
`,
};

test('Swift: calls through extensions of library types, on subtypes and on unknown values are found', async () => {
  for (const [name, line] of [
    ['performCheck', 2],
    ['asContentSpan', 7],
    ['didDrop', 17],
    ['notifyAll', 24],
  ] as const) {
    const summary = await ask(SWIFT, `what calls ${name}`);
    assert.match(summary, new RegExp(`Sources/Net/Use\\.swift:${line}\\b`), summary);
    assert.doesNotMatch(summary, /No call of/);
  }
});

test('unresolved calls of a name are listed instead of a claim that nothing calls it', async () => {
  const files = {
    'lib/pool.py': 'class Pool:\n    def drain(self):\n        pass\n',
    'lib/tank.py': 'class Tank:\n    def fill_up(self):\n        pass\n',
    'app/main.py':
      'import vendor\n\n\ndef stop():\n    vendor.pool().drain()\n\n\nclass Job(vendor.Job):\n' +
      '    def end(self):\n        self.drain()\n',
  };
  const summary = await ask(files, 'what calls Pool.drain');
  assert.doesNotMatch(summary, /No call of/);
  assert.match(summary, /unresolved/);
  assert.match(summary, /app\/main\.py:5/);
  assert.match(summary, /app\/main\.py:10/);
  assert.match(await ask(files, 'what calls Tank.fill_up'), /No call of Tank\.fill_up \(lib\/tank\.py:2\) was found/);
});

test('a name that no symbol has is answered with similar names and nothing else', async () => {
  const files = {
    'src/queue.ts': 'export function flushQueue() {}\n\nexport function start() {\n  flushQueue();\n}\n',
  };
  for (const query of ['what calls flushQueues', 'what does flushQueues call', 'how does start reach flushQueues']) {
    const lines = (await ask(files, query)).split('\n');
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0]!, /^No symbol flushQueues is in the index; similar names: flushQueue \(src\/queue\.ts:1\)/);
  }
  for (const query of ['what calls Zzyzx', 'all implementations of Zzyzx', 'which tests cover Zzyzx'])
    assert.equal(await ask(files, query), 'No symbol Zzyzx is in the index.');
});

const QUEUE = {
  'src/queue.ts': 'export function enqueue(job: () => void) {\n  job();\n}\n',
  'src/render.ts':
    "import { enqueue } from './queue';\n\nexport function update() {\n  enqueue(() => {});\n}\n\n" +
    'export function mount() {\n  update();\n}\n',
  'src/watch.ts': "import { enqueue } from './queue';\n\nexport function watch() {\n  enqueue(() => {});\n}\n",
  'src/__tests__/a-queue.spec.ts':
    `import { enqueue } from '../queue';\n\n` +
    `${Array.from({ length: 50 }, (_, i) => `export function case${i}() {\n  enqueue(() => {});\n}\n`).join('\n')}`,
};

test('callers in the program come first, those in tests are counted, and step two has its share', async () => {
  const summary = await ask(QUEUE, 'what calls enqueue');
  const lines = summary.split('\n');
  assert.match(lines[1]!, /update calls enqueue at src\/render\.ts:4/);
  assert.match(lines[2]!, /watch calls enqueue at src\/watch\.ts:4/);
  assert.match(summary, /50 more in tests, the first: case0 calls enqueue at src\/__tests__\/a-queue\.spec\.ts:4/);
  assert.match(summary, /mount calls update at src\/render\.ts:8/);
  assert.ok(lines.length < 10, summary);
});

const COPIES = {
  'src/table.h': 'int tableAdd(int key);\n',
  'src/table.c': '#include "table.h"\n\nint tableAdd(int key) {\n  return key;\n}\n',
  'src/server.c': '#include "table.h"\n\nint serve(void) {\n  return tableAdd(1);\n}\n',
  'deps/client/table.h': 'int tableAdd(int key);\n',
  'deps/client/table.c': '#include "table.h"\n\nint tableAdd(int key) {\n  return key;\n}\n',
  'deps/client/client.c': '#include "table.h"\n\nint client(void) {\n  return tableAdd(2);\n}\n',
};

test('C: a function of the program and a copy of its name in a dependency are told apart', async () => {
  const summary = await ask(COPIES, 'what breaks if I change tableAdd');
  assert.match(summary, /serve calls tableAdd at src\/server\.c:4$/m);
  assert.doesNotMatch(summary, /deps\/client\/client\.c/);
  assert.match(summary, /also.*deps\/client\/table\.c:3/i);
  const other = await ask(COPIES, 'what calls deps/client/table.c/tableAdd');
  assert.match(other, /client calls tableAdd at deps\/client\/client\.c:4$/m);
  assert.doesNotMatch(other, /src\/server\.c/);
});
