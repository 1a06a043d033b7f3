import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit, SearchAnswer } from '../../model/records/query.ts';
import type { TreeInfo, TreeView } from '../../store/store.ts';
import { AnswerCache } from './answer-cache.ts';

const viewOf = (ref: string, generation: number) =>
  ({ info: { root: '/project', ref, generation } as TreeInfo }) as TreeView;
const answerOf = (hits: number) =>
  ({ hits: Array.from({ length: hits }, () => ({}) as Hit) }) as unknown as SearchAnswer;

test('a cached answer is returned until its own tree is published again', () => {
  const cache = new AnswerCache();
  const [live, topic] = [viewOf('live', 1), viewOf('topic', 2)];
  const [one, other] = [answerOf(1), answerOf(2)];
  for (const [view, answer] of [
    [live, one],
    [topic, other],
  ] as const) {
    assert.equal(cache.get(view, 'q'), null);
    cache.set(view, 'q', answer);
    assert.equal(cache.get(view, 'q'), answer);
  }
  assert.equal(cache.get(viewOf('live', 3), 'q'), null);
  assert.equal(cache.get(topic, 'q'), other);
  cache.set(live, 'late', one);
  assert.equal(cache.get(viewOf('live', 3), 'late'), null, 'made from a tree that was replaced meanwhile');
});

test('the answer cache keeps the latest answers, up to a number of hits', () => {
  const cache = new AnswerCache();
  const live = viewOf('live', 1);
  cache.get(live, '');
  for (let i = 0; i < 100; i++) {
    cache.set(live, `small ${i}`, answerOf(5));
    assert.ok(cache.get(live, 'small 0'), 'asked for again and again');
  }
  assert.ok(cache.get(live, 'small 1'), 'a hundred small ones fit');
  cache.set(live, 'large', answerOf(1_000));
  assert.ok(cache.get(live, 'large') && cache.get(live, 'small 0'), 'what was used last stays');
  assert.equal(cache.get(live, 'small 2'), null, 'what was not makes room');
});
