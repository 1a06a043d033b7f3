import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExpected, loadFunctionQuestions } from '../bench/question-set.ts';

test('the question set has both halves, no question twice, and rarely says the name it asks for', () => {
  const questions = loadFunctionQuestions();
  const repositories = (split: string) => new Set(questions.filter((q) => q.split === split).map((q) => q.repo));
  assert.ok(repositories('open').size >= 5 && repositories('kept').size >= 5);
  assert.ok(questions.length >= 200);
  assert.equal(new Set(questions.map((q) => `${q.repo} ${q.question}`)).size, questions.length);
  for (const { revision, expected, question } of questions) {
    assert.match(revision, /^[0-9a-f]{40}$/);
    assert.ok(expected.length > 0 && expected.every(({ path, symbol }) => path !== '' && symbol !== ''), question);
  }
  const named = questions.filter(({ question, expected }) =>
    expected.some(({ symbol }) => question.split(/[^\w$]+/).includes(symbol.split('.').at(-1)!)),
  );
  assert.ok(named.length <= questions.length / 10, `${named.length} questions contain the function's name`);
});

test('a result is right when its file and the end of its qualified name are those expected', () => {
  const expected = [{ path: 'src/beat.py', symbol: 'Scheduler.tick' }];
  assert.equal(isExpected('src/beat.py', 'beat.Scheduler.tick', expected), true);
  assert.equal(isExpected('src/beat.py', 'beat::Scheduler::tick', expected), true);
  assert.equal(isExpected('src/other.py', 'beat.Scheduler.tick', expected), false);
  assert.equal(isExpected('src/beat.py', 'beat.MyScheduler.tick', expected), false);
  assert.equal(isExpected('src/beat.py', 'beat.Scheduler', expected), false);
  assert.equal(isExpected('src/beat.py', undefined, expected), false);
});
