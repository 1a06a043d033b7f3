/**
 * Names that several have: qualified ones, of which the last part is everybody's, and namesakes in tests and inside of
 * functions.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';

const handler = (name: string) =>
  `package ${name}\n\n// Handler of ${name}.\ntype Handler struct {\n\tname string\n}\n\n` +
  `func (h *Handler) Name() string {\n\treturn h.name\n}\n\nfunc (h *Handler) Serve() string {\n` +
  `\treturn "${name}"\n}\n`;
const files = {
  ...Object.fromEntries(
    Array.from({ length: 70 }, (_, i) => [
      `mods/m${i}/mod.go`,
      `package m${i}\n\ntype Mod${i} struct {\n\tWidget string\n}\n\nfunc (m *Mod${i}) Provision() int {\n` +
        `\treturn ${i}\n}\n`,
    ]),
  ),
  'server/app.go': `package server\n\n// App serves. It has a name and a port, and is what the server is about.\ntype App struct {\n${Array.from({ length: 60 }, (_, i) => `\tport${i} int\n`).join('')}}\n\n${Array.from({ length: 20 }, (_, i) => `func (a *App) Port${i}() int {\n\treturn a.port${i}\n}\n`).join('\n')}\nfunc (a *App) Provision() int {\n\treturn 80\n}\n`,
  'server/config.go': 'package server\n\nfunc (a *App) Configure() int {\n\treturn 1\n}\n',
  'web/options.ts':
    '/** Of a page. */\nexport interface Options {\n  title?: string;\n  /** Whether it is fetched again. */\n' +
    '  refetchOnFocus?: boolean;\n}\n',
  'web/page.test.ts':
    "test('focus', () => {\n  const options = {\n    refetchOnFocus: () => true,\n  };\n" +
    '  expect(page(options)).toBe(1);\n});\n',
  'jobs/facade.ex': `defmodule Jobs do\n  @doc """\n${Array.from({ length: 70 }, (_, i) => `  Facades of the kind ${i} are described here.\n`).join('')}  """\n  defmacro __using__(opts) do\n    quote do\n${Array.from({ length: 30 }, (_, i) => `      def job${i}(name) do\n        Jobs.job${i}(name)\n      end\n\n`).join('')}      def enqueue_many(jobs) do\n        Jobs.enqueue_many(jobs)\n      end\n\n      def only_here(jobs) do\n        Jobs.other(jobs)\n      end\n    end\n  end\n\n  def enqueue_many(jobs) do\n    Enum.map(jobs, &insert/1)\n  end\nend\n`,
  'core/base.go':
    'package core\n\n// Shows itself.\ntype Widget struct {\n\tname string\n}\n\n' +
    'func (w *Widget) Draw() string {\n\treturn w.name\n}\n',
  'push/handler.go': handler('push'),
  'proxy/proxy.go': handler('proxy'),
};
let space: Workspace;
before(async () => {
  space = workspace(files);
  await space.engine.index(space.root);
});
after(() => space.close());
const first = async (query: string) => {
  const [hit] = (await space.engine.search(space.root, { query })).hits;
  return hit && `${hit.path} ${hit.symbol?.name}`;
};

test('a method name that many types have is found in the type before it', async () => {
  assert.equal(await first('App.Provision'), 'server/app.go Provision');
  assert.equal(await first('server.App.Provision'), 'server/app.go Provision');
});

test('among types of one name, the one in the queried package is found, also in Go notation', async () => {
  for (const query of ['proxy.Handler.Serve', 'proxy.(*Handler).Serve', 'proxy.Handler#Serve'])
    assert.equal(await first(query), 'proxy/proxy.go Serve', query);
  assert.equal(await first('push.Handler.Serve'), 'push/handler.go Serve');
});

test('a setting that a test sets is found where it is declared', async () => {
  assert.match((await first('refetchOnFocus'))!, /^web\/options\.ts /);
});

test('among equal names in a file, a symbol inside a function comes last, even if the function is long', async () => {
  const shown = async (query: string) => (await space.engine.search(space.root, { query })).hits[0]!.content;
  for (const query of ['enqueue_many', 'Jobs.enqueue_many/1']) assert.match(await shown(query), /&insert/, query);
  assert.match(await shown('only_here'), /def only_here/);
});

test('a type is found by its name even if many files have a field of that name', async () => {
  assert.equal(await first('Widget'), 'core/base.go Widget');
});
