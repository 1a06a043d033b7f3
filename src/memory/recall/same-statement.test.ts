import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadStaticModel } from '../../embed/index.ts';
import { Notebook } from '../notebook/notebook.ts';
import { type NewDiscovery, remember } from '../notebook/remember.ts';
import { parseStatement, type Relation, relate } from './same-statement.ts';
import { CONTRADICTING, DIFFERENT, LATER, SAME } from './statement-pairs.ts';

const model = loadStaticModel(join(dirname(fileURLToPath(import.meta.url)), '../../../models'));

async function cosine(a: string, b: string): Promise<number> {
  const [x, y] = await model.embed([a, b], 'passage');
  return x!.reduce((sum, value, i) => sum + value * y![i]!, 0);
}

async function judge(pairs: readonly (readonly [string, string])[]): Promise<Relation[]> {
  return Promise.all(pairs.map(async ([a, b]) => relate(parseStatement(a), parseStatement(b), await cosine(a, b))));
}

const share = (found: readonly Relation[], wanted: Relation) =>
  found.filter((each) => each === wanted).length / found.length;

test('different statements are not merged: at least 98 of 100 pairs stay separate', async () => {
  const apart = [...DIFFERENT, ...LATER.different, ...CONTRADICTING, ...LATER.contradicting];
  const judged = await judge(apart);
  const merged = apart.filter((_, i) => judged[i] === 'same');
  assert.ok(merged.length <= 0.02 * apart.length, JSON.stringify(merged));
  // Order must not matter.
  assert.deepEqual(await judge(apart.map(([a, b]) => [b, a] as const)), judged);
});

test('a repeated statement is recognised in three of four pairs, also in pairs written after the thresholds were set', async () => {
  for (const pairs of [SAME, LATER.same]) {
    const known = share(await judge(pairs), 'same');
    assert.ok(known >= 0.75, `${known} of ${pairs.length}`);
  }
});

test('nine of ten contradictions are recognised, and none among statements that merely differ', async () => {
  for (const pairs of [CONTRADICTING, LATER.contradicting]) {
    const seen = share(await judge(pairs), 'contradicts');
    assert.ok(seen >= 0.9, `${seen} of ${pairs.length}`);
  }
  for (const pairs of [DIFFERENT, LATER.different, SAME, LATER.same])
    assert.equal(share(await judge(pairs), 'contradicts'), 0);
});

test('a name in place of another is a contradiction, even if they share a part, and an added detail is not', () => {
  const relation = (a: string, b: string) => [
    relate(parseStatement(a), parseStatement(b), 0.9),
    relate(parseStatement(b), parseStatement(a), 0.9),
  ];
  assert.deepEqual(relation('We use PostgreSQL for orders', 'We use MySQL for orders'), ['contradicts', 'contradicts']);
  for (const [a, b] of [
    ['Prices are kept in cents', 'Prices are kept in cents as integers, never as floats'],
    ['Retries belong to the HTTP client', 'Retries belong to the HTTP client, not to callers'],
  ] as const)
    assert.deepEqual(relation(a, b), ['other', 'other'], b);
  assert.deepEqual(relation('Flags are read at the start', 'Flags are read at every request, not at the start'), [
    'contradicts',
    'contradicts',
  ]);
});

test('two statements without vectors are the same only if nearly all words are', () => {
  for (const [a, b] of [...DIFFERENT, ...LATER.different, ...CONTRADICTING, ...LATER.contradicting])
    assert.notEqual(relate(parseStatement(a), parseStatement(b), null), 'same', `${a} ${b}`);
});

test('a repeated statement keeps its evidence and former wording, and in another module it is a new one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-same-'));
  try {
    const book = new Notebook(join(folder, 'own'), join(folder, 'team'));
    const say = async (content: string, rest: Partial<NewDiscovery> = {}) => {
      const cosines = new Map<string, number>();
      for (const known of book.all()) cosines.set(known.content, await cosine(content, known.content));
      return remember(
        book,
        { type: 'rule', content, module: '', session: '', origin: 'agent', evidence: [], ...rest },
        book.all().length + 1,
        { similarityTo: (known) => cosines.get(known) ?? null },
      );
    };
    const [first, again] = ['Never log a customer address.', 'Customer addresses must never be written to the log.'];
    const told = await say(first, { module: 'shop', evidence: [{ path: 'a.ts' }] });
    const updated = await say(again, { evidence: [{ path: 'b.ts' }] });
    assert.deepEqual([updated.outcome, updated.discovery.id], ['updated', told.discovery.id]);
    const kept = new Notebook(join(folder, 'own'), join(folder, 'team')).all();
    assert.equal(kept.length, 1);
    assert.deepEqual(
      [kept[0]!.content, kept[0]!.formerly, kept[0]!.module, kept[0]!.evidence],
      [again, first, 'shop', [{ path: 'a.ts' }, { path: 'b.ts' }]],
    );
    // The first wording once more: the same entry, not a second one in its place.
    assert.deepEqual((await say(first)).discovery.id, told.discovery.id);
    assert.equal((await say('Addresses of a customer are never logged.', { module: 'mail' })).outcome, 'created');
    assert.equal((await say('Always log a customer address.', { module: 'shop' })).outcome, 'linked');
    assert.equal(book.all().length, 3);
    const issue = (content: string) => say(content, { type: 'issue' });
    assert.equal((await issue('Worker 3 stops when the disk is full.')).outcome, 'created');
    assert.equal((await issue('Worker 4 stops when the disk is full.')).outcome, 'created');
    assert.equal((await issue('Worker 4 no longer stops when the disk is full.')).outcome, 'linked');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
