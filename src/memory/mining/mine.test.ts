import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { Discovery } from '../../model/discovery.ts';
import type { Commit } from '../../walk/index.ts';
import { commentSyntax } from './comment-places.ts';
import { mineComments } from './comments.ts';
import { mineConfiguration } from './configuration.ts';
import { isDecisionPath, mineDecision } from './decisions.ts';
import { mineCommit } from './history.ts';
import { mineHistory, mineTree } from './mine.ts';
import { MinedFiles } from './mined-files.ts';
import { MinedIdioms } from './mined-idioms.ts';
import { blocksOf, linesOf } from './prose.ts';
import { isGuidePath, mineRules } from './rules.ts';

const commit = (id: string, subject: string, body = '', isMerge = false): Commit => ({
  id,
  dateMs: 5,
  subject,
  body,
  isMerge,
});

let space: Workspace;
let mined: Discovery[];
let files: MinedFiles;
before(async () => {
  space = workspace({
    'docs/adr/0001-use-mysql.md':
      '# 1. Use MySQL\n\n## Status\n\nSuperseded by [ADR 2](0002-use-postgres.md)\n\n## Decision\n\nWe store orders in MySQL.\n',
    'docs/adr/0002-use-postgres.md':
      '# 2. Use Postgres\n\nStatus: Accepted\n\n## Context\n\nMySQL was slow.\n\n## Decision\n\nWe store orders\nin Postgres.\n',
    'docs/adr/README.md': '# Decisions\n\nWe keep them here.\n',
    'CONTRIBUTING.md':
      '# Contributing\n\n## Tests\n\n- Every change must come\n  with a test.\n- Tests live beside the source.\n\n```sh\nnpm test # you must run this\n```\n',
    '.editorconfig': 'root = true\n[*]\nindent_style = space\nindent_size = 2\n',
    'src/cart.ts':
      'export function total() {\n  // TODO(jane): round the sum of\n  // all items properly\n  return 1;\n}\n\n/** @deprecated use total */\nexport function sum() {\n  return total();\n}\n\nexport const todoList = ["TODO"];\n',
    'src/leak.py': '# FIXME the token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 must go away\nx = 1\n',
  });
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  files = new MinedFiles(join(space.home, 'contents.json'));
  mined = mineTree({ view, files: files.of(reader, view), idioms: [], moduleOf: (path) => path.split('/')[0]! });
});
after(() => space.close());

const from = (origin: string) => mined.filter((discovery) => discovery.origin === origin);

test('a decision record: title, status, decision and why, place; a superseded one points to its successor', () => {
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

test('statuses in front matter, bullets and tables; a later record that names the one it replaces', () => {
  assert.equal(
    mineDecision('---\ntitle: Use etcd\ntags: [Accepted]\n---\n\n## Decision\n\nWe use etcd.\n')!.status,
    'Accepted',
  );
  assert.equal(mineDecision('# Use X\n\n* Status: proposed\n\nText about it.\n')!.status, 'Proposed');
  const rejected = mineDecision(
    '# Use Y\n\n## Status\n\nRejected in favour of ADR 111. [Issue](http://x)\n\n## Decision\n\nN/A\n',
  )!;
  assert.equal(rejected.status, 'Rejected in favour of ADR 111');
  assert.ok(rejected.confidence < 0.9, 'a rejected one counts less');
  const later = mineDecision('# Use Z\n\n## Decision\n\nWe supersede ADR 18 with the current one.\n')!;
  assert.deepEqual(later.supersedes, ['18']);
  assert.equal(mineDecision(''), null);
});

test('what replaces a record is what the record says of itself, in the words of each template', () => {
  const record = (status: string, rest = '') =>
    mineDecision(`# Use X\n\nDate: 2018-05-12\n\n## Status\n\n${status}\n\n## Decision\n\nWe use X.\n${rest}`)!;
  const nygard = record('Superceded by [3. Use PostgreSQL](0003-use-postgresql.md)');
  assert.equal(nygard.status, 'Superseded by 3');
  assert.equal(nygard.supersededBy, '0003-use-postgresql');
  assert.equal(nygard.dateMs, Date.parse('2018-05-12'), 'the day that it bears');
  assert.deepEqual(record('Accepted\n\nSupercedes [2. Use MySQL](0002-use-mysql.md)').supersedes, ['0002-use-mysql']);
  assert.equal(record('Superseded by 0014').supersededBy, '14');
  const madr = mineDecision(
    '---\nstatus: "superseded by [ADR-0002](0002-y.md)"\ndate: 2021-04-05\n---\n# Use X\n\n## Decision Outcome\n\nX.\n',
  )!;
  assert.equal(madr.status, 'Superseded by ADR-0002');
  assert.equal(madr.supersededBy, '2');
  assert.equal(madr.dateMs, Date.parse('2021-04-05'));
  const log4brains = mineDecision(
    '# Use Redux\n\n- Status: superseded by [20210505-use-zustand](20210505-use-zustand.md)\n\n## Decision Outcome\n\nX.\n',
  )!;
  assert.equal(log4brains.supersededBy, '20210505-use-zustand');
  assert.equal(record('Accepted', 'This decision has been superseded by ADR 12.\n').supersededBy, '12');
  assert.equal(record('Superseded by [a talk](https://example.org/issues/55)').supersededBy, undefined);
  const prose = record(
    'Accepted',
    'HTTP/1.1 has been superseded by HTTP/2. This replaces about 3 conventions. We replace 12 servers. ADR 4 was superseded by ADR 9.\n',
  );
  assert.equal(prose.supersededBy, undefined);
  assert.equal(prose.supersedes, undefined);
  assert.equal(mineDecision('add_executable(design main.cpp) # must be built\n'), null);
});

test('records are linked by number and by name, within their folder', () => {
  const note = (text: string) => ({ ...mineDecision(text)! });
  const made = mineTree({
    view: { info: { publishedAtMs: 0 } } as never,
    idioms: [],
    moduleOf: () => '',
    files: [
      { path: 'adr/20200101-use-redux.md', mtimeMs: 1.5, notes: [note('# Use Redux\n\nText.\n')] },
      {
        path: 'adr/20210505-use-zustand.md',
        mtimeMs: 1.5,
        notes: [note('# Use Zustand\n\n## Links\n\n- Supersedes [20200101-use-redux](20200101-use-redux.md)\n')],
      },
      { path: 'other/20200101-use-redux.md', mtimeMs: 1.5, notes: [note('# Use Redux\n\nText.\n')] },
    ],
  });
  assert.deepEqual(
    made.map(({ supersededBy }) => supersededBy),
    [made[1]!.id, null, null],
  );
  assert.ok(made.every(({ dateMs }) => Number.isInteger(dateMs)));
});

test('what points elsewhere, or tells what one will see, is no rule', () => {
  const text =
    '# Contributing\n\nNever open a pull request here.\n\nPlease see the handbook for more information.\n\nYou should now see a page.\n';
  assert.deepEqual(
    mineRules(text).map(({ content }) => content),
    ['Contributing: Never open a pull request here.'],
  );
});

test('paths of decisions and guides', () => {
  for (const path of ['docs/adr/0001-x.md', 'docs/arch/adr-001-x.md', 'rfcs/text/0042-x.md', 'doc/decisions/12.md'])
    assert.ok(isDecisionPath(path), path);
  for (const path of [
    'docs/adr/README.md',
    'docs/adr/template.md',
    'docs/adr/adr-template.md',
    'src/adr/index.ts',
    'docs/guide.md',
  ])
    assert.ok(!isDecisionPath(path), path);
  for (const path of [
    'CONTRIBUTING.md',
    'AGENTS.md',
    'pkg/CLAUDE.md',
    '.cursorrules',
    '.cursor/rules/go.mdc',
    'STYLE_GUIDE.md',
    '.github/copilot-instructions.md',
    'docs/writing-style-guide.md',
  ])
    assert.ok(isGuidePath(path), path);
  assert.ok(!isGuidePath('src/style.css') && !isGuidePath('README.md'), 'neither of them is a guide');
});

test('a rule of a guide, its wrapped lines joined, with its heading and lines; neither prose nor code blocks', () => {
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
  const [rule] = mineRules(
    'Style\n=====\n\nErrors\n------\n\nWe wrap errors and we never\nswallow them, so that the\ncause is shown.\n\nSome history.\n',
  );
  assert.equal(rule!.content, 'Errors: We wrap errors and we never swallow them, so that the cause is shown.');
  assert.deepEqual([rule!.startLine, rule!.endLine], [7, 9]);
});

test('blocks: nested items stay with theirs, tables and fences are left out', () => {
  const blocks = blocksOf(linesOf('# A\n\n- one\n  - below one\n- two\n\n| a | b |\n\n~~~\ncode\n~~~\n\nlast\nline\n'));
  assert.deepEqual(
    blocks.map(({ text, startLine, endLine }) => [text, startLine, endLine]),
    [
      ['one - below one', 3, 4],
      ['two', 5, 5],
      ['last line', 13, 14],
    ],
  );
});

test('settings of tools are rules that name the settings', () => {
  assert.ok(
    from('config').some(({ content }) => /indent_style = space, indent_size = 2 \(\.editorconfig\)/.test(content)),
    JSON.stringify(from('config')),
  );
  const said = (path: string, text: string) => mineConfiguration(path, text)[0]?.content ?? '';
  assert.match(said('.eslintrc.json', '{ // strict\n "rules": {"no-console": "error"} }'), /rules\.no-console = error/);
  assert.equal(
    said('clippy.toml', 'disallowed-types = [\n  "A", # why\n  "B",\n]\nmsrv = "1.70" # old\n'),
    'Rust is linted with Clippy: disallowed-types = ["A", "B",], msrv = "1.70".',
  );
  assert.equal(
    said('.editorconfig', '[*.[chly]]\nindent_style = tab\n'),
    'Editor settings: *.[chly].indent_style = tab.',
  );
  assert.equal(
    said('.pre-commit-config.yaml', 'repos:\n  - repo: https://x.org/y\n    rev: v1\n    hooks:\n      - id: black\n'),
    'Checks run before each commit (pre-commit): repos.hooks.id = black.',
  );
  assert.equal(said('biome.json', '{"$schema": "x", "a": 1}'), 'Code is linted and formatted with Biome: a = 1.');
  assert.match(
    said('setup.cfg', '[metadata]\nname = x\n[flake8]\nmax-line-length = 88\n'),
    /so: flake8\.max-line-length = 88\.$/,
  );
  assert.equal(said('setup.cfg', '[metadata]\nname = x\n'), '');
  assert.match(said('eslint.config.js', "export default [{ rules: { 'no-var': 'error' } }];"), /no-var = error/);
  assert.match(
    said('pyproject.toml', '[tool.ruff]\nline-length = 100\n[project]\nname = "x"\n'),
    /tool\.ruff\.line-length = 100\.$/,
  );
  assert.equal(said('pyproject.toml', '[project]\nname = "x"\n'), '');
  assert.match(
    said('.rubocop.yml', 'Style/StringLiterals:\n  EnforcedStyle: double_quotes\n'),
    /EnforcedStyle = double_quotes/,
  );
  assert.match(
    said(
      '.golangci.yml',
      'linters:\n  enable:\n    - govet # why\n    - misspell\n  settings:\n    lll:\n      line-length: 140\n',
    ),
    /linters\.enable = govet misspell, linters\.settings\.lll\.line-length = 140\.$/,
  );
  assert.match(said('.golangci.yml', ':\n{{{ ]broken'), /golangci-lint/);
  assert.match(said('.pre-commit-config.yaml', 'repos:\n- repo: local\n  hooks:\n  - id: lint\n'), /hooks\.id = lint/);
});

test('markers in comments are issues with their lines, without the name in brackets; a secret in one is not kept', () => {
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

test('a marker counts in every form of comment, and not in strings, names or the middle of a sentence', () => {
  const said = (path: string, language: string, text: string) =>
    mineComments(text, commentSyntax(language, path)!).map(({ content }) => content);
  for (const [language, text, ...expected] of [
    ['typescript', '/*\n  XXX: no star\n  goes on\n*/\nconst a = 1;', 'XXX: no star goes on'],
    ['typescript', '// TODO\n// stands below\nlet b = "// TODO: in a string";', 'TODO: stands below'],
    ['typescript', "const u = 'https://x.org TODO: no'; const t = `\n// TODO: in a template\n`;"],
    ['typescript', '// the TODO entries of a user\n// see TODO.md for more\n// XXX XXX XXX\n// the XXX is replaced'],
    ['typescript', '// @todo the other way\n// TODO: (jane) near it', 'TODO: the other way', 'TODO: (jane) near it'],
    ['typescript', '// FIXME!!! loud words\n// TODO/FIXME: both of them', 'FIXME: loud words', 'TODO: both of them'],
    ['typescript', 'f(); // done. TODO: say more\n// Another section', 'TODO: say more'],
    ['go', '// BUG(rsc): title case is wrong\n\n// BUG is a level of the log', 'BUG: title case is wrong'],
    [
      'python',
      '"""Reads.\n\nTODO: in a docstring\n"""\nx = "# TODO: no no"\ny = \'\'\'\n# TODO: neither\n\'\'\'',
      'TODO: in a docstring',
    ],
    ['bash', 'cat <<EOF\n# TODO: data of a file\nEOF\necho a#TODO: anchor # TODO: a comment', 'TODO: a comment'],
    ['rust', 'fn f<\'a>() {} // TODO: after a lifetime\nlet s = r#"\n// FIXME: fixture\n"#;', 'TODO: after a lifetime'],
    ['html', '<!--\n  FIXME: several lines\n-->\n<p>TODO: a text</p>\n<a href="#TODO: x">', 'FIXME: several lines'],
    ['ruby', '=begin\nFIXME: in a block\n=end\nputs "#{x} TODO: no no"', 'FIXME: in a block'],
    ['lua', '--[[\nTODO: long brackets\n]]', 'TODO: long brackets'],
    ['haskell', '{- TODO: braces here -}\nmain = putStrLn "-- TODO: no no"', 'TODO: braces here'],
    ['sql', "-- TODO: an index\nSELECT '-- TODO: no no';", 'TODO: an index'],
    [
      'java',
      '/**\n * @deprecated use Bar\n */\n@Deprecated\nclass Foo {}\nString s = "@deprecated tag";',
      'Deprecated `Foo`: use Bar',
    ],
  ] as const)
    assert.deepEqual(said('x', language, text), expected, text);
  assert.deepEqual(said('a.lisp', 'text', '; TODO: a semicolon'), ['TODO: a semicolon']);
  assert.deepEqual(said('a.tex', 'text', '50\\% done % TODO: the rest'), ['TODO: the rest']);
  assert.deepEqual(said('a.ml', 'text', '(* FIXME: brackets *)'), ['FIXME: brackets']);
  assert.equal(commentSyntax('markdown', 'a.md'), null);
  assert.equal(commentSyntax('text', 'a.txt'), null);
});

test('deprecations as languages write them', () => {
  for (const [text, said] of [
    ['#[deprecated(since = "1.2", note = "use parse")]\npub fn read() {}', 'Deprecated `read`: use parse'],
    ['[Obsolete("Use Load")]\npublic void Read() {}', 'Deprecated `Read`: Use Load'],
    [
      '/** @deprecated use Server */\n@Deprecated\npublic final class LiveServer {',
      'Deprecated `LiveServer`: use Server',
    ],
    ['/** @deprecated use B */\npublic static final int A = 1;', 'Deprecated `A`: use B'],
    ['// Deprecated: use Open instead.\nfunc Old() {}', 'Deprecated `Old`: use Open instead.'],
    ['warnings.warn("open() is old, use load()", DeprecationWarning)', 'Deprecated: open() is old, use load()'],
  ] as const) {
    const [note] = mineComments(text, commentSyntax('typescript', 'a.ts')!);
    assert.ok(note?.content.includes(said), `${text}: ${note?.content}`);
  }
});

test('a content is mined once: another process finds it on disk, a change is mined alone', async () => {
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

test('idioms: what is used all over, how files are named, where tests stand; counted once for a tree', async () => {
  const own = workspace(
    Object.fromEntries([
      ['src/core-errors.ts', 'export class CoreFailure extends Error {}\nexport class StartsWith {}\n'],
      ...Array.from({ length: 12 }, (_, i) => [
        `src/part-number-${i}.ts`,
        `import { CoreFailure } from './core-errors.ts';\nimport pino from 'pino';\nimport { resolve } from 'node:path';\nexport function part${i}() {\n  pino();\n  resolve('a').startsWith('b');\n  throw new CoreFailure();\n}\n`,
      ]),
      ...Array.from({ length: 9 }, (_, i) => [`src/part-number-${i}.test.ts`, 'export {};\n']),
    ]),
  );
  try {
    await own.engine.index(own.root);
    const { reader, view } = await own.openTree();
    const kept = new MinedIdioms(join(own.home, 'idioms.json'));
    const said = kept.of(reader, view).map(({ content }) => content);
    assert.ok(
      said.some((text) => /typescript are named in kebab-case \(13 of 13/.test(text)),
      said.join('\n'),
    );
    assert.ok(
      said.some((text) => /Tests stand beside the code they test, as `\*\.test\.\*` \(9 of 9/.test(text)),
      said.join('\n'),
    );
    assert.ok(
      said.some((text) => /`CoreFailure` \(src\/core-errors\.ts\) is used in 12 of 13 files/.test(text)),
      said.join('\n'),
    );
    assert.ok(
      said.some((text) => /`pino` is imported by 12 of 13 files/.test(text)),
      said.join('\n'),
    );
    // What comes with the language, what is the project's own, and a class that is only spelled like a method of strings.
    assert.ok(!said.some((text) => /node:|core-errors` is|StartsWith/.test(text)), said.join('\n'));
    assert.deepEqual(new MinedIdioms(join(own.home, 'idioms.json')).of(reader, view), kept.of(reader, view));
  } finally {
    await own.close();
  }
});

test('reverts and fixes in the history are issues, switches and explained changes are decisions, the rest is nothing', () => {
  const type = (subject: string, body = '', isMerge = false) =>
    mineCommit(commit('a', subject, body, isMerge))?.type ?? null;
  assert.equal(
    type('Revert "Cache prices for a day"', 'This reverts commit bbb2.\n\nCustomers saw old prices.'),
    'issue',
  );
  assert.equal(type('Fix crash when the cart is empty'), 'issue');
  assert.equal(type('Switch from moment to date-fns', 'Smaller bundles.\n\nSigned-off-by: Somebody'), 'decision');
  assert.equal(
    type('Order events by id', 'Without an order the database gives them as it likes, because nothing says otherwise.'),
    'decision',
  );
  assert.equal(type('Merge pull request #7 from a/b', 'Fix deadlock in the pool\n\nDetails.', true), 'issue');
  assert.equal(type('Add a page'), null);
  assert.equal(type("Merge branch 'fix-crash'", '', true), null);
  assert.equal(
    type('build(deps): bump left-pad from 1 to 2', 'Fixes a crash because of a long release note that nobody reads.'),
    null,
  );
  const reverted = mineCommit(
    commit('a', 'Revert "X"', 'This reverts commit bbb2.\n\nIt was slow.\n\nCo-authored-by: A <a@b.org>'),
  );
  assert.equal(reverted?.content, 'Revert "X": It was slow.');
  const named = mineCommit(
    commit('a', 'Fix a leak', 'Reported by jane@corp.org and @jane: memory grew without end in the pool of workers.'),
  );
  assert.ok(!/jane/.test(named!.content), named!.content);
});

test('what only mends the text, tests or words is no trap; a choice without a reason is told by its words', () => {
  const type = (subject: string, body = '') => mineCommit(commit('a', subject, body))?.type ?? null;
  for (const subject of [
    'Fix typo in changelog (#7468)',
    'Fixed ReST formatting bug in db-api.txt',
    'docs: fix the link to the guide',
    'Fix rustfmt',
    'Fix merge conflict',
    'Polish "Validate excluded classes"',
    'fixup! Fix crash',
    'Removed some variables no longer needed.',
    'Update URL for deprecation',
    'Rollup of 7 pull requests',
  ])
    assert.equal(type(subject), null, subject);
  assert.equal(type('Fix flaky tests of the scheduler'), 'issue');
  assert.equal(type('Fix crash in the docs search'), 'issue');
  assert.equal(type('Replace left-pad with padStart'), 'decision');
  assert.equal(
    type('Drop the second cache', 'It was cold most of the time, and every write had to go to both of them.'),
    'decision',
  );
});

test('what robots, forms and thanks put into a commit is not told', () => {
  const said = (subject: string, body: string, isMerge = false) =>
    mineCommit(commit('a', subject, body, isMerge))?.content;
  assert.equal(
    said('Auto merge of #13478 - Jane:fix-flycheck, r=Jane', 'fix: Fix flycheck being run twice\n\nFixes #13477', true),
    'fix: Fix flycheck being run twice',
  );
  assert.equal(
    said('Rollup merge of #153847 - jane:fix, r=joe', 'Fix the check of bounds\n', true),
    'Fix the check of bounds',
  );
  assert.equal(
    said('Merge #9662', '9662: fix: filter visibilities r=jane a=joe\n\nThey leaked.\n', true),
    'fix: filter visibilities: They leaked.',
  );
  assert.equal(
    said(
      'Fixed #6322 -- Reset the tag properly. Thanks, Jane Doe',
      'It kept its state.\n\n```py\nx = 1\n```\n\nThanks Joe Doe for the report.\n\nAuthor: J. Doe\nCloses gh-14720\n\nTest Plan: none\nran it',
    ),
    'Fixed #6322 -- Reset the tag properly.: It kept its state.',
  );
});

test('a commit that was reverted says so, unless the revert was reverted; the same words are told once', () => {
  const note = (id: string, dateMs: number, subject: string, body = '') => ({
    commit: id,
    dateMs,
    note: mineCommit(commit(id, subject, body))!,
  });
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
  const choice = note(a, 1, 'Switch to the new cache');
  const revert = note(b, 2, 'Revert "Switch to the new cache"', `This reverts commit ${a}.`);
  const again = note(c, 3, 'Revert "Revert "Switch to the new cache""', `This reverts commit ${b}.`);
  const successors = (...notes: (typeof choice)[]) => mineHistory(notes, () => '').map((it) => it.supersededBy);
  const [revertId] = mineHistory([revert], () => '').map(({ id }) => id);
  const [againId] = mineHistory([again], () => '').map(({ id }) => id);
  assert.deepEqual(successors(choice, revert), [null, revertId]);
  assert.deepEqual(successors(choice, revert, again), [null, againId, null]);
  const twice = mineHistory([choice, { ...choice, commit: c, dateMs: 9 }], () => '');
  assert.deepEqual(
    twice.map(({ evidence }) => evidence),
    [[{ commit: c }]],
  );
});

test('the scope of a commit names its module', () => {
  const note = mineCommit(commit('a', 'fix(auth): refuse old tokens'))!;
  const [discovery] = mineHistory([{ commit: 'a', dateMs: 5, note }], (scope) =>
    scope === 'auth' ? 'server/auth' : '',
  );
  assert.equal(discovery!.module, 'server/auth');
  assert.deepEqual(discovery!.evidence, [{ commit: 'a' }]);
});
