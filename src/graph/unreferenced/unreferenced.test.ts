/** "What has no known references": claimed only where nothing can be a reference, with a reason for each. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { readQuestion } from '../research/question.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'src/shop.ts':
      "import { Base } from 'elsewhere';\n\nexport function open() {\n  return helper() + table.run();\n}\n\n" +
      'function helper() {\n  return 1;\n}\n\nfunction forgotten(n: number): number {\n' +
      '  return n === 0 ? 0 : forgotten(n - 1);\n}\n\nexport function offered() {\n  return 2;\n}\n\n' +
      'function runLater() {\n  return 3;\n}\n\nconst table = { run: runLater };\n\n' +
      'export class Cart extends Base {\n  draw() {\n    return 4;\n  }\n}\n\nexport function byText() {\n' +
      '  return 5;\n}\n\nexport function onlyTested() {\n  return 6;\n}\n',
    'src/main.ts': "import { open } from './shop.ts';\n\nopen();\ncall('byText');\n",
    'src/shop.test.ts': "import { onlyTested } from './shop.ts';\n\nonlyTested();\n",
    'lib/hash.h': 'int hash(int n);\n',
    'lib/hash.c': '#include "hash.h"\n\nint hash(int n) { return n; }\n\nstatic int spare(int n) { return n; }\n',
    'lib/use.c': '#include "hash.h"\n\nint main(void) { return hash(1); }\n',
    'app/views.py': "@route('/')\ndef home():\n    return 1\n\n\ndef unused_view():\n    return 2\n",
    'README.md': '# Shop\n\n`forgotten` is not used.\n',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const ask = async (query: string) => (await space.engine.research(space.root, { query })).summary;

test('only symbols without any possible use are listed, private ones first', async () => {
  const summary = await ask('what has no known references');
  const listed = [...summary.matchAll(/^- \w+ (\S+) \(/gm)].map(([, name]) => name);
  assert.deepEqual(listed, ['spare', 'forgotten', 'unused_view', 'offered', 'onlyTested'].sort(order(listed)));
  assert.match(summary, /forgotten \(src\/shop\.ts:11\): 1 place with this name means something else; nothing outside/);
  assert.match(summary, /onlyTested \(.*\): only tests name it \(2 places\); other repositories may use it/);
  assert.match(summary, /offered \(.*\): its name stands nowhere else in code; other repositories may use it/);
  assert.doesNotMatch(summary, /dead/);
});

test('symbols that an attribute, an external type or a string may call are counted, not listed', async () => {
  const summary = await ask('list unused functions');
  assert.match(summary, /Not listed, though nothing refers to them: /);
  assert.match(summary, /1 carr(?:y|ies) an attribute or decorator/);
  assert.match(summary, /named in a string or a configuration file/);
  assert.match(summary, /inherits from outside of the index/);
});

test('a folder narrows the list, and an unknown folder is reported', async () => {
  assert.match(await ask('which functions in lib are never called'), /^1 of 3 symbols of lib has no known references/);
  assert.match(await ask('unused code in nowhere'), /^No file or module nowhere is in the index\.$/);
});

test('questions about all unused symbols differ from one about a single symbol', () => {
  for (const query of [
    'what has no known references',
    'which functions are never called?',
    'list dead code',
    'unused symbols in src/shop.ts',
    'functions without any callers',
    'what is not referenced in lib',
  ])
    assert.equal(readQuestion(query).kind, 'unreferenced', query);
  for (const query of ['is helper unused', 'what uses helper', 'what calls open', 'where is helper used'])
    assert.equal(readQuestion(query).kind, 'callers', query);
});

/** Same order as found, so that a missing or added name shows. */
function order(listed: readonly (string | undefined)[]): (a: string, b: string) => number {
  return (a, b) => listed.indexOf(a) - listed.indexOf(b);
}
