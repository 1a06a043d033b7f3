import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Commit } from '../../walk/index.ts';
import { mineCommit } from './mine-history.ts';
import { mineHistory } from './mine-project.ts';

const commit = (id: string, subject: string, body = '', isMerge = false): Commit => ({
  id,
  dateMs: 5,
  subject,
  body,
  isMerge,
});

test('reverts and fixes are mined as issues, switches and explained changes as decisions, other commits are not mined', () => {
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
  for (const subject of [
    'Fix typo in the guide',
    'Fix #611: Minor but confusing typo in tutorial.',
    'fix typing',
    'Fix types in cli',
    'Fix type hints of Cart',
    'fix mypy errors',
  ])
    assert.equal(type(subject), null, subject);
  assert.equal(type('Fix typing indicator that stays after a message'), 'issue');
  assert.equal(type('Fix spell checker that loses words'), 'issue');
  assert.equal(type('drop Python 3.9'), 'decision');
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

test('fixes of text, tests or style are not mined, and a choice is recognised without a reason', () => {
  const type = (subject: string, body = '') => mineCommit(commit('a', subject, body))?.type ?? null;
  for (const subject of [
    'Fix typo in changelog (#7468)',
    'Fixed #8788: fixed a few typoes in [8805].',
    'Fixed #10385 -- Fixed a typographical error in the Czech regions list.',
    'Fix small grammatical error in auth docs',
    'Fixed #31569 -- Improved wording of the error message.',
    'Fixed capitalization of "ECMAScript"',
    'Fixed some punctuation',
    'Fixed mistake in tutorial01',
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

test('text of bots, templates and thanks in a commit is dropped', () => {
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
      'It kept its state.\n\n```py\nx = 1\n```\n\nThanks Joe Doe for the report.\n\nAuthor: J. Doe\n' +
        'Closes gh-14720\n\nTest Plan: none\nran it',
    ),
    'Fixed #6322 -- Reset the tag properly.: It kept its state.',
  );
});

test('a reverted commit points to its revert, unless that was reverted, and equal messages are listed once', () => {
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
