import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexFiles, LIVE } from '../fixtures/made-up.ts';
import { opened } from '../store.fixture.ts';
import type { Postings } from '../store.ts';
import { joinTrees } from './joined-reader.ts';

test('joined postings are those of all stores, before and after the stores have made term filters', (t) => {
  const stores = ['one', 'two', 'three'].map((name) => {
    const { writer, reader } = opened(t);
    const lines = Array.from({ length: 400 }, (_, i) => `${name}${i} shared${i} common`);
    indexFiles(writer, { 'a.toy': lines.slice(0, 200).join('\n'), 'b.toy': lines.slice(200).join('\n') });
    return { name, reader, view: reader.openTree(LIVE)! };
  });
  const { reader, view } = joinTrees(stores, 'joined');
  const chunks = stores[0]!.view.fileOfChunk.length;
  const placed = ['one', 'three', 'two'].map((name) => stores.find((store) => store.name === name)!);
  const expected = (term: string): Postings => {
    const parts = placed.map((store) => store.reader.postings('text', term));
    return {
      docs: Uint32Array.from(parts.flatMap(({ docs }, n) => [...docs].map((doc) => doc + n * chunks))),
      values: Uint16Array.from(parts.flatMap(({ values }) => [...values])),
    };
  };
  for (let i = 0; i < 400; i++)
    for (const term of [`one${i}`, `two${i}`, `three${i}`, `shared${i}`, `absent${i}`])
      assert.deepEqual(reader.postings('text', term), expected(term), term);
  assert.deepEqual(reader.postings('text', 'common'), expected('common'));
  assert.equal(view.fileOfChunk.length, 3 * chunks);
});
