/** Ends of a chain that are described and not named, settings that are read by name, and doubtful calls. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'app/settings.py': 'DEBUG = False\nLIMIT = 3\n',
    'app/conf.py': 'class Lazy:\n    def __getattr__(self, name):\n        return load(name)\n\n\nsettings = Lazy()\n',
    'app/page.py':
      "from app.conf import settings\n\n\ndef page():\n    return settings.DEBUG\n\n\ndef context():\n    return {'DEBUG': settings.DEBUG}\n",
    'app/handler.py':
      'class Handler:\n    def __call__(self, request):\n        return self.respond(request)\n\n    def respond(self, request):\n        return self.run_view(request)\n\n    def run_view(self, request):\n        """Resolve and call the view."""\n        return request.view()\n',
    'src/box.ts':
      'export class Box {\n  settle(n: number) {\n    return n;\n  }\n  header(n: number) {\n    return n;\n  }\n}\n',
    'src/row.ts': 'export class Row {\n  header = (n: number) => n;\n}\n',
    'src/use.ts': 'export function use(x: any) {\n  x.settle(1);\n  x.header(2);\n  x.mocked(3);\n}\n',
    'src/use.test.ts': 'export class Fake {\n  mocked(n: number) {\n    return n;\n  }\n}\n',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const ask = async (query: string) => (await space.engine.research(space.root, { query })).summary;

test('a described goal of a chain is searched for among the callees of the start', async () => {
  const summary = await ask('how does Handler reach the view function');
  assert.match(summary, /"view function" is no name; .*Handler\.run_view \(app\/handler\.py:8\)/);
  assert.match(summary, /Handler → Handler\.run_view at app\/handler\.py:6/);
});

test('an answer about a setting begins with its entry in the settings file and lists readers by name', async () => {
  const summary = await ask('where is DEBUG configured');
  assert.match(summary, /^DEBUG has its entry at app\/settings\.py:1:/);
  assert.match(summary, /read it by its name from an object of settings:\n- page at app\/page\.py:5 \(likely\)/);
});

test('a call on an unknown value is likely only for a method with a unique name', async () => {
  assert.match(await ask('what calls Box.settle'), /use calls Box\.settle at src\/use\.ts:2 \(likely\)/);
  assert.match(await ask('what calls Box.header'), /at src\/use\.ts:3 \(ambiguous\)/);
  assert.match(await ask('what calls Fake.mocked'), /at src\/use\.ts:4 \(ambiguous\)/);
});
