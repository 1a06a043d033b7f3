/** Discoveries mined from the files of a tree; each miner has tests of its own. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { Discovery } from '../../model/records/discovery.ts';
import { mineTree } from './mine-project.ts';
import { MinedFiles } from './mined-files.ts';

const idiom = (content: string, ...paths: string[]) => ({
  content,
  confidence: 0.5,
  evidence: paths.map((path) => ({ path })),
});
const IDIOMS = [
  idiom('Types are named `…Total`.', 'src/cart.ts', 'src/sum.ts'),
  idiom('Tests use `pytest`.', 'src/cart.ts', 'docs/leak.py'),
  { ...idiom('`total` is used everywhere.', 'src/cart.ts', 'docs/leak.py'), home: 'src/cart.ts' },
];

let space: Workspace;
let mined: Discovery[];
let files: MinedFiles;
before(async () => {
  space = workspace({
    'docs/adr/0001-use-mysql.md':
      '# 1. Use MySQL\n\n## Status\n\nSuperseded by [ADR 2](0002-use-postgres.md)\n\n## Decision\n\n' +
      'We store orders in MySQL.\n',
    'docs/adr/0002-use-postgres.md':
      '# 2. Use Postgres\n\nStatus: Accepted\n\n## Context\n\nMySQL was slow.\n\n## Decision\n\nWe store orders\n' +
      'in Postgres.\n',
    'docs/adr/README.md': '# Decisions\n\nWe keep them here.\n',
    'CONTRIBUTING.md':
      '# Contributing\n\n## Tests\n\n- Every change must come\n  with a test.\n' +
      '- Tests live beside the source.\n\n```sh\nnpm test # you must run this\n```\n',
    '.editorconfig': 'root = true\n[*]\nindent_style = space\nindent_size = 2\n',
    'src/cart.ts':
      'export function total() {\n  // TODO(jane): round the sum of\n  // all items properly\n  return 1;\n}\n\n' +
      '/** @deprecated use total */\nexport function sum() {\n  return total();\n}\n\n' +
      'export const todoList = ["TODO"];\n',
    'src/leak.py': '# FIXME the token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 must go away\nx = 1\n',
  });
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  files = new MinedFiles(join(space.home, 'contents.json'));
  mined = mineTree({ view, files: files.of(reader, view), idioms: IDIOMS, moduleOf: (path) => path.split('/')[0]! });
});
after(() => space.close());

const from = (origin: string) => mined.filter((discovery) => discovery.origin === origin);

test('a decision record is mined with title, status, reason and place, and points to its successor', () => {
  const [old, recent, ...others] = from('adr').sort((a, b) => (a.content < b.content ? -1 : 1));
  assert.deepEqual(others, []);
  assert.match(old!.content, /^1\. Use MySQL \(Superseded by ADR 2\): We store orders in MySQL\./);
  assert.equal(recent!.content, '2. Use Postgres (Accepted): We store orders in Postgres. Why: MySQL was slow.');
  assert.deepEqual(recent!.evidence, [{ path: 'docs/adr/0002-use-postgres.md', startLine: 1, endLine: 12 }]);
  assert.equal(recent!.status, 'Accepted');
  assert.equal(old!.supersededBy, recent!.id);
  assert.equal(recent!.supersededBy, null);
  assert.ok(old!.confidence < recent!.confidence && recent!.confidence < 1, 'a superseded one counts less');
});

test('rules of a guide are mined with heading and lines, prose and code blocks are not', () => {
  assert.deepEqual(
    from('guide').map(({ type, content, evidence }) => ({ type, content, evidence })),
    [
      {
        type: 'rule',
        content: 'Tests: Every change must come with a test.',
        evidence: [{ path: 'CONTRIBUTING.md', startLine: 5, endLine: 6 }],
      },
    ],
  );
});

test('settings of tools are mined as rules that name the settings', () => {
  assert.ok(
    from('config').some(({ content }) => /indent_style = space, indent_size = 2 \(\.editorconfig\)/.test(content)),
    JSON.stringify(from('config')),
  );
});

test('markers in comments are mined as issues with lines, without names in brackets and without secrets', () => {
  const comments = from('comment');
  const todo = comments.find(({ content }) => content.startsWith('TODO'));
  assert.equal(todo?.content, 'TODO in src/cart.ts: round the sum of all items properly');
  assert.deepEqual(todo?.evidence, [{ path: 'src/cart.ts', startLine: 2, endLine: 3 }]);
  assert.equal(todo?.module, 'src');
  const deprecated = comments.find(({ content }) => content.startsWith('Deprecated'));
  assert.deepEqual(deprecated?.evidence, [{ path: 'src/cart.ts', startLine: 7, endLine: 7 }]);
  assert.equal(deprecated?.content, 'Deprecated in src/cart.ts `sum`: use total');
  assert.equal(comments.length, 2, comments.map(({ content }) => content).join('\n'));
});

test('a content is mined once: another process reads the cache, and only a changed content is mined', async () => {
  const file = join(space.home, 'contents.json');
  const { reader, view } = await space.openTree();
  const again = new MinedFiles(file);
  const told = again.of(reader, view);
  assert.equal(again.read, 0);
  assert.ok(told.length > 0, 'the notes are there');
  space.write('CONTRIBUTING.md', '# Contributing\n\nYou must always sign your commits.\n');
  await space.engine.index(space.root);
  const changed = await space.openTree();
  const third = new MinedFiles(file);
  const rules = third.of(changed.reader, changed.view).find(({ path }) => path === 'CONTRIBUTING.md');
  assert.equal(third.read, 1);
  assert.equal(rules?.notes[0]?.content, 'Contributing: You must always sign your commits.');
});

test('an idiom belongs to the module of all its evidence or of its file, and of several modules to none', () => {
  assert.deepEqual(
    from('code')
      .filter(({ type }) => type === 'pattern')
      .map(({ module }) => module),
    ['src', '', 'src'],
  );
});
