import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TreeView } from '../../store/store.ts';
import { TreeAnswers } from './tree-answers.ts';

test('TreeAnswers computes an answer once per tree and drops the least recently used', () => {
  const answers = new TreeAnswers<string>();
  const [one, other] = [{} as TreeView, {} as TreeView];
  let made = 0;
  const ask = (view: TreeView, question: string) => {
    const before = made;
    const answer = answers.get(view, question, () => `${question} ${++made}`);
    return { answer, isNew: made > before };
  };
  assert.deepEqual(ask(one, 'a'), { answer: 'a 1', isNew: true });
  assert.deepEqual(ask(one, 'a'), { answer: 'a 1', isNew: false });
  assert.deepEqual(ask(other, 'a'), { answer: 'a 2', isNew: true });
  for (let i = 0; i < 19; i++) ask(one, `q${i}`);
  assert.equal(ask(one, 'a').isNew, false, 'given again, it stays');
  ask(one, 'q19');
  assert.deepEqual([ask(one, 'a').isNew, ask(one, 'q0').isNew], [false, true]);
  assert.throws(() => answers.get(one, 'wrong', () => assert.fail('refused')), /refused/);
  assert.equal(ask(one, 'wrong').isNew, true, 'a refusal is not kept');
});
