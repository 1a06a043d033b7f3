import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { Discovery } from '../model/discovery.ts';
import type { Commit } from '../walk/index.ts';
import { mine } from './mine.ts';

const commit = (id: string, subject: string, body = '', isMerge = false): Commit =>
  ({ id, dateMs: 5, subject, body, isMerge, author: '' }) as Commit;

let space: Workspace;
let mined: Discovery[];
before(async () => {
  space = workspace({
    'docs/adr/0001-use-mysql.md':
      '# 1. Use MySQL\n\n## Status\n\nSuperseded by [ADR 2](0002-use-postgres.md)\n\n## Decision\n\nWe store orders in MySQL.\n',
    'docs/adr/0002-use-postgres.md':
      '# 2. Use Postgres\n\nStatus: Accepted\n\n## Context\n\nMySQL was slow.\n\n## Decision\n\nWe store orders in Postgres.\n',
    'docs/adr/README.md': '# Decisions\n\nWe keep them here.\n',
    'CONTRIBUTING.md':
      '# Contributing\n\n## Tests\n\n- Every change must come with a test.\n- Tests live beside the source.\n\n```sh\nnpm test # you must run this\n```\n',
    '.editorconfig': 'root = true\n[*]\nindent_style = space\nindent_size = 2\n',
    'src/cart.ts':
      'export function total() {\n  // TODO: round the sum of all items properly\n  return 1;\n}\n\n/** @deprecated use total */\nexport function sum() {\n  return total();\n}\n\nexport const todoList = ["TODO"];\n',
    'src/leak.py': '# FIXME the token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 must go away\nx = 1\n',
  });
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  mined = mine({
    reader,
    view,
    moduleOf: (path) => path.split('/')[0]!,
    commits: [
      commit('aaa1', 'Revert "Cache prices for a day"', 'This reverts commit bbb2.\n\nCustomers saw old prices.'),
      commit('ccc3', 'Fix crash when the cart is empty'),
      commit('ddd4', 'Switch from moment to date-fns', 'Smaller bundles.\n\nSigned-off-by: Somebody'),
      commit('eee5', 'Add a page'),
      commit('fff6', "Merge branch 'fix-crash'", '', true),
    ],
  });
});
after(() => space.close());

const from = (origin: string) => mined.filter((discovery) => discovery.origin === origin);

test('a decision record: title, status, decision, place; a superseded one points to its successor', () => {
  const [old, recent, ...others] = from('adr').sort((a, b) => (a.content < b.content ? -1 : 1));
  assert.deepEqual(others, []);
  assert.match(old!.content, /^1\. Use MySQL \(Superseded by .*\): We store orders in MySQL\./);
  assert.match(recent!.content, /^2\. Use Postgres \(Accepted\): We store orders in Postgres\./);
  assert.deepEqual(recent!.evidence, [{ path: 'docs/adr/0002-use-postgres.md', startLine: 1, endLine: 10 }]);
  assert.equal(old!.supersededBy, recent!.id);
  assert.equal(recent!.supersededBy, null);
  assert.ok(old!.confidence < recent!.confidence && recent!.confidence < 1);
});

test('a rule of a guide, with its heading and line; neither prose nor code blocks', () => {
  assert.deepEqual(
    from('guide').map(({ type, content, evidence }) => ({ type, content, evidence })),
    [
      {
        type: 'rule',
        content: 'Tests: Every change must come with a test.',
        evidence: [{ path: 'CONTRIBUTING.md', startLine: 5, endLine: 5 }],
      },
    ],
  );
});

test('settings of tools are rules', () => {
  assert.ok(from('config').some(({ content }) => /indent_style = space, indent_size = 2/.test(content)));
});

test('markers in comments are issues with their line, and a secret in one is not kept', () => {
  const comments = from('comment');
  const todo = comments.find(({ content }) => content.startsWith('TODO'));
  assert.equal(todo?.content, 'TODO in src/cart.ts: round the sum of all items properly');
  assert.deepEqual(todo?.evidence, [{ path: 'src/cart.ts', startLine: 2, endLine: 2 }]);
  assert.equal(todo?.module, 'src');
  const deprecated = comments.find(({ content }) => content.startsWith('Deprecated'));
  assert.deepEqual(deprecated?.evidence, [{ path: 'src/cart.ts', startLine: 6, endLine: 6 }]);
  assert.equal(deprecated?.content, 'Deprecated in src/cart.ts: use total');
  assert.equal(comments.length, 2, comments.map(({ content }) => content).join('\n'));
});

test('reverts and fixes in the history are issues, switches are decisions, the rest is nothing', () => {
  const history = Object.fromEntries(from('commit').map((discovery) => [discovery.evidence[0]!.commit, discovery]));
  assert.deepEqual(Object.keys(history).sort(), ['aaa1', 'ccc3', 'ddd4']);
  assert.equal(history.aaa1?.type, 'issue');
  assert.equal(history.ccc3?.type, 'issue');
  assert.ok(history.aaa1!.confidence > history.ccc3!.confidence);
  assert.match(history.aaa1!.content, /Customers saw old prices/);
  assert.equal(history.ddd4?.type, 'decision');
  assert.equal(history.ddd4?.content, 'Switch from moment to date-fns: Smaller bundles.');
});

test('everything mined names its source', () => {
  for (const { evidence, content } of mined) assert.ok(evidence[0]?.path || evidence[0]?.commit, content);
  assert.equal(new Set(mined.map(({ id }) => id)).size, mined.length);
});
