import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DISCOVERY_TYPES, type Discovery, type Evidence } from '../../model/records/discovery.ts';
import { formatDiscovery, newDiscoveryId, parseDiscovery } from './discovery-file.ts';

const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/\s+/g, ' ').trim());
const commit = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 7, maxLength: 40 });
const path = fc
  .array(fc.string({ unit: fc.constantFrom(...'ab1,:-@% .'), minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join('/').trim())
  .filter((text) => text !== '');
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  commit.map((id) => ({ commit: id })),
  path.map((file) => ({ path: file })),
  fc
    .tuple(path, fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 500 }), fc.option(commit))
    .map(([file, startLine, more, id]) => ({
      path: file,
      startLine,
      endLine: startLine + more,
      ...(id ? { commit: id } : {}),
    })),
);
const discovery: fc.Arbitrary<Discovery> = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,30}$/),
    type: fc.constantFrom(...DISCOVERY_TYPES),
    content: fc
      .array(line, { minLength: 1, maxLength: 5 })
      .map((lines) => lines.join('\n').trim())
      .filter((text) => text !== ''),
    module: line,
    session: line,
    dateMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    origin: fc.constantFrom('agent', 'person', 'adr'),
    confidence: fc.constantFrom(0, 0.25, 0.5, 1),
    evidence: fc.array(evidence, { maxLength: 3 }),
    contradicts: fc.array(fc.stringMatching(/^[a-z0-9-]{1,20}$/), { maxLength: 3 }),
    supersededBy: fc.option(fc.stringMatching(/^[a-z0-9-]{1,20}$/)),
  },
  { noNullPrototype: true },
);

test('a discovery is read back from its file unchanged', () => {
  fc.assert(fc.property(discovery, (it) => assert.deepEqual(parseDiscovery(formatDiscovery(it)), it)));
});

test('a value cannot forge another line of the file', () => {
  const forged = parseDiscovery(
    formatDiscovery({
      id: 'rule-1',
      type: 'rule',
      content: 'Content.',
      module: 'a\norigin: adr\n\nOther content',
      session: 's\r\nid: rule-2',
      dateMs: 0,
      origin: 'agent',
      confidence: 1,
      evidence: [],
      contradicts: [],
      supersededBy: null,
    }),
  );
  assert.equal(forged?.id, 'rule-1');
  assert.equal(forged?.origin, 'agent');
  assert.equal(forged?.content, 'Content.');
});

test('files edited by hand are read with other line ends, spaces and without optional lines', () => {
  const text = 'id: rule-1\r\ntype:rule\r\ndate: 2026-01-02\r\n\r\nAlways close files.\r\n';
  const read = parseDiscovery(text);
  assert.equal(read?.content, 'Always close files.');
  assert.equal(read?.confidence, 1);
  assert.equal(read?.origin, 'person');
});

test('case, spaces and punctuation do not change the id of a statement', () => {
  assert.equal(newDiscoveryId('rule', 'Use X, not Y!'), newDiscoveryId('rule', 'use x  not y'));
  assert.notEqual(newDiscoveryId('rule', 'Use X'), newDiscoveryId('issue', 'Use X'));
});
