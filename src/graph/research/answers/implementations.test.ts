/** "All implementations of X": what says so, what asserts it, what a library's type of the same name has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../../test/workspace.ts';

async function ask(files: Readonly<Record<string, string>>, query: string): Promise<string> {
  const space = workspace(files);
  try {
    await space.engine.index(space.root);
    return (await space.engine.research(space.root, { query })).summary;
  } finally {
    await space.close();
  }
}

const RENDERERS = {
  'go.mod': 'module example.com/app\n',
  'render/render.go': `package render

import "net/http"

type Render interface {
	Render(http.ResponseWriter) error
	WriteContentType(w http.ResponseWriter)
}

var (
	_ Render = (*Text)(nil)
	_ Render = &Page{}
	_ Render = Plain{}
)
`,
  'render/a_kinds.go': `package render

import "net/http"

type Text struct{}

func (r Text) Render(w http.ResponseWriter) error { return nil }
func (r Text) WriteContentType(w http.ResponseWriter) {}

type Page struct{}

func (r *Page) Render(w http.ResponseWriter) error { return nil }
func (r *Page) WriteContentType(w http.ResponseWriter) {}

type Plain struct{}

func (r Plain) Render(w http.ResponseWriter) (err error) { return nil }
func (r Plain) WriteContentType(http.ResponseWriter) {}

${Array.from({ length: 8 }, (_, i) => `type Kind${i} struct{}\n\nfunc (r Kind${i}) Render(w http.ResponseWriter) error { return nil }\n`).join('')}
type Silent struct{}

func (r Silent) Render(w http.ResponseWriter) error { return nil }
func (r Silent) WriteContentType(w http.ResponseWriter) {}
`,
  'writer.go': `package app

import "net/http"

type ResponseWriter interface {
	http.ResponseWriter
	http.Hijacker
	Status() int
}

var _ ResponseWriter = (*responseWriter)(nil)
`,
  'writer_impl.go': `package app

import "net/http"

type responseWriter struct {
	http.ResponseWriter
	status int
}

func (w *responseWriter) Status() int { return w.status }
`,
};

test('Go: an assertion that a type implements an interface is exact; types with its methods are likely', async () => {
  const render = await ask(RENDERERS, 'all implementations of Render');
  for (const name of ['Text', 'Page', 'Plain'])
    assert.match(render, new RegExp(`- ${name} conforms to Render \\(render/render\\.go:1\\d\\)$`, 'm'));
  assert.match(render, /- Silent conforms to Render \(render\/a_kinds\.go:\d+\) \(likely\)/);
});

test('Go: an assertion counts for an interface that embeds an external one', async () => {
  const writer = await ask(RENDERERS, 'what implements ResponseWriter');
  assert.match(writer, /- responseWriter conforms to ResponseWriter \(writer\.go:11\)$/m);
});

const SWIFT = {
  'Sources/Net/Codes.swift': `public struct Codes {
    public enum Error: Int { case closed }
    struct Codable { let name: String }
    protocol Encoder { func run() }
}
`,
  'Sources/Net/Failures.swift': `enum NetError: Error { case lost }
struct Parse { struct Failure: Swift.Error {} }
extension NetError: Codable {}
struct Body: Codable, Hashable { let text: String }
final class JSONWriter: Encoder {}
`,
  'Sources/Net/Alias.swift': `protocol Reader { func read() }
protocol Writer { func write() }
typealias ReadWriter = Reader & Writer
final class Pipe: ReadWriter {
    func read() {}
    func write() {}
}
final class Tube: Reader & Writer {
    func read() {}
    func write() {}
}
`,
};

test("Swift: the answer lists conformances to the library's type though a nested type has its name", async () => {
  const errors = await ask(SWIFT, 'all implementations of Error');
  assert.match(errors, /- NetError conforms to Error \(Sources\/Net\/Failures\.swift:1\)/);
  assert.match(errors, /Parse\.Failure conforms to Error \(Sources\/Net\/Failures\.swift:2\)/);
  const codable = await ask(SWIFT, 'what conforms to Codable');
  assert.match(codable, /the extension of NetError conforms to Codable/);
  assert.match(codable, /- Body conforms to Codable/);
  assert.match(await ask(SWIFT, 'all implementations of Encoder'), /JSONWriter/);
});

test('Swift: a type that conforms to a composition conforms to each part', async () => {
  for (const part of ['Reader', 'Writer']) {
    const summary = await ask(SWIFT, `all implementations of ${part}`);
    assert.match(summary, /Pipe conforms to \w+ .*through ReadWriter|Pipe (?:inherits|conforms to) ReadWriter/);
    assert.match(summary, new RegExp(`Tube (?:inherits|conforms to) ${part}`));
  }
});

test('Go: a type implements the interfaces of a type that it embeds', async () => {
  const answer = await ask(
    {
      'go.mod': 'module example.com/app\n',
      'store.go':
        'package app\n\ntype Store interface {\n\tLoad() int\n\tSave(n int)\n}\n\ntype disk struct{}\n\n' +
        'func (d *disk) Load() int { return 1 }\nfunc (d *disk) Save(n int) {}\n\ntype cached struct{ *disk }\n\n' +
        'type half struct{}\n\nfunc (h half) Load() int { return 1 }\n',
    },
    'what implements Store',
  );
  assert.match(answer, /- disk conforms to Store \(store\.go:8\)/);
  assert.match(answer, /- cached conforms to Store \(store\.go:13\)/);
  assert.doesNotMatch(answer, /half/);
});

test('TypeScript: a class that is exported under another name has the subclasses of that name', async () => {
  const answer = await ask(
    {
      'src/base.ts': 'class Hono {\n  get() {}\n}\n\nexport { Hono as HonoBase }\n',
      'src/hono.ts': "import { HonoBase } from './base.ts';\n\nexport class Quick extends HonoBase {}\n",
      'src/other.ts': "import { HonoBase as Root } from './base.ts';\n\nexport class Tiny extends Root {}\n",
    },
    'which subclasses does Hono have',
  );
  assert.match(answer, /Quick inherits Hono \(src\/hono\.ts:3\)/);
  assert.match(answer, /Tiny inherits Hono \(src\/other\.ts:3\)/);
});

test('Swift: a call on a member of an external type means the only extension method of that name', async () => {
  const files = {
    'Sources/Box.swift':
      'public struct Box<T> {\n    let value: T\n}\n\nextension Box where T == SecTrust {\n' +
      '    func checkAll() {}\n    func close() {}\n}\n\nclass Session {\n    func run(trust: SecTrust) {\n' +
      '        trust.af.checkAll()\n        trust.af.close()\n    }\n}\n',
  };
  assert.match(await ask(files, 'what calls checkAll'), /Session\.run calls Box\.checkAll at .*:12 \(likely\)/);
  assert.doesNotMatch(await ask(files, 'what calls close'), /calls Box\.close at .*\(likely\)/);
});
