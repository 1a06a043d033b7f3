import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understand } from '../query/understand-query.ts';
import { isReport, readReport } from './read-report.ts';

const ISSUE = `Download of a playlist stops after the first entry
<!-- Please search existing issues first -->
### Checklist
- [x] I am using the latest version
- [ ] I have read the manual

When the playlist has a private entry, \`extract_entries\` returns early -path:tests and nothing else is fetched.

\`\`\`python
loader = PlaylistLoader(skip_private=True)
loader.run()
\`\`\`

Traceback (most recent call last):
  File "/usr/lib/python3/app/loader.py", line 88, in run
    self.extract_entries()
KeyError: 'id'

python: 3.11.2
OS: 12.4
`;

test('a pasted issue is split into parts, and text of the form itself is dropped', () => {
  assert.ok(isReport(ISSUE));
  const parts = readReport(ISSUE);
  const textOf = (sort: string) =>
    parts
      .filter((part) => part.sort === sort)
      .map(({ text }) => text)
      .join('\n');
  assert.equal(textOf('title'), 'Download of a playlist stops after the first entry');
  assert.match(textOf('prose'), /private entry/);
  assert.match(textOf('code'), /PlaylistLoader/);
  assert.match(textOf('trace'), /loader\.py/);
  const all = parts.map(({ text }) => text).join('\n');
  for (const boilerplate of ['latest version', 'search existing', 'Checklist', '3.11.2'])
    assert.ok(!all.includes(boilerplate), boilerplate);
});

test('a pasted issue has no filters or exclusions, and its title weighs most', () => {
  const { filters, excluded, phrases, terms, identifiers } = understand(ISSUE);
  assert.deepEqual([filters, excluded, phrases], [{}, [], []]);
  const weightOf = (word: string) => terms.find(({ term }) => term === word)?.weight ?? 0;
  assert.ok(weightOf('playlist') > weightOf('fetch'), 'a word of the title before one of the prose');
  assert.ok(identifiers.includes('extract_entries'));
  assert.ok(terms.length <= 48);
});

test('a question of one line is not a report, however long it is', () => {
  assert.ok(!isReport('where is the session refreshed '.repeat(20)));
});
