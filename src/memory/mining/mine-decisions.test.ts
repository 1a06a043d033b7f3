import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDecisionPath, mineDecision } from './mine-decisions.ts';
import { mineTree } from './mine-project.ts';

test('a decision record is recognised by its path', () => {
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
});

test('a status is read from front matter, bullets and tables, and a later record names the one it replaces', () => {
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

test('the successor of a record is read from its own statements in each template', () => {
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
    '# Use Redux\n\n- Status: superseded by [20210505-use-zustand](20210505-use-zustand.md)\n\n' +
      '## Decision Outcome\n\nX.\n',
  )!;
  assert.equal(log4brains.supersededBy, '20210505-use-zustand');
  assert.equal(record('Accepted', 'This decision has been superseded by ADR 12.\n').supersededBy, '12');
  assert.equal(record('Superseded by [a talk](https://example.org/issues/55)').supersededBy, undefined);
  const prose = record(
    'Accepted',
    'HTTP/1.1 has been superseded by HTTP/2. This replaces about 3 conventions. We replace 12 servers. ADR 4 was ' +
      'superseded by ADR 9.\n',
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
