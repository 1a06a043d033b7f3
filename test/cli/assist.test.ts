/**
 * Help with questions, as a user configures it: a language model and an embedding provider behind real addresses, and
 * eval.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startServer } from '../../src/embed/providers/test-server.ts';
import { ended, SAMPLE, sandbox } from './sextant.ts';

const box = sandbox();
const server = await startServer(() => ({}));
before(() => {
  box.write(SAMPLE);
  assert.equal(box.run(['index']).code, 0);
});
after(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
});

/** Not in one go: the server that answers is in this process. */
async function run(args: string[], env: Record<string, string> = {}) {
  const child = box.start(args, { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => {
    stdout += part;
  });
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  child.stdin.end();
  const { code } = await ended(child);
  return { code, stdout, stderr };
}

const LLM = { SEXTANT_LLM_PROVIDER: 'ollama', SEXTANT_LLM_MODEL: 'm', SEXTANT_LLM_BASE_URL: server.url };
const QUESTION = ['search', 'how does the delay grow after a failed request', '--expand', '--synthesize'];

test('search --expand and --synthesize work without a language model, and say so', async () => {
  const { stdout } = await run([...QUESTION, '--format', 'json']);
  const { expansion, synthesis } = JSON.parse(stdout);
  assert.equal(expansion.source, 'builtin');
  assert.equal(synthesis.source, 'builtin');
  assert.match(synthesis.summary, /retry\/policy\.go/);
  assert.ok(synthesis.follow_ups.length > 0, stdout);
  const shown = await run(QUESTION);
  assert.match(shown.stdout, /Also looked for \(built in\): /);
  assert.match(shown.stdout, /Summary \(built in\)\n/);
  assert.match(shown.stdout, /Ask next\n- /);
  assert.equal(server.asked.length, 0);
});

test('search --synthesize asks the configured language model and names it', async () => {
  server.reply = (_asked, number) => ({
    body: { message: { content: number === 1 ? 'NextDelay\nPolicy' : 'The delay doubles.\n- Who uses Policy?' } },
  });
  const { stdout, stderr } = await run([...QUESTION, '--format', 'json'], LLM);
  const { expansion, synthesis, hits } = JSON.parse(stdout);
  assert.deepEqual(expansion, { source: 'llm', model: 'ollama/m', terms: ['NextDelay', 'Policy'] });
  assert.deepEqual(synthesis, {
    source: 'llm',
    model: 'ollama/m',
    summary: 'The delay doubles.',
    follow_ups: ['Who uses Policy?'],
  });
  assert.equal(hits[0].path, 'retry/policy.go', stderr);
  await run(['search', 'delay'], LLM);
  assert.equal(server.asked.length, 2, 'a plain search sends nothing');
});

test('a project cannot switch a language model on, and one without a name is refused', async () => {
  box.write({ '.sextant/config.yml': `llm:\n  provider: ollama\n  model: m\n  base_url: ${server.url}\n` });
  const { stdout, stderr } = await run([...QUESTION, '--format', 'json']);
  assert.equal(JSON.parse(stdout).expansion.source, 'builtin');
  assert.match(stderr, /llm\.provider is ignored/);
  assert.equal(server.asked.length, 0);
  box.write({ '.sextant/config.yml': '' });
  const refused = await run(QUESTION, { SEXTANT_LLM_PROVIDER: 'openai' });
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /name a model/);
});

test('an embedding provider that is down: the index is made, the exit code tells, words answer', async () => {
  server.reply = () => ({ status: 400, body: { error: 'no such model' } });
  const provider = {
    SEXTANT_HOME: `${box.home}-other`,
    SEXTANT_EMBEDDING_PROVIDER: 'cortex',
    SEXTANT_EMBEDDING_BASE_URL: server.url,
    SEXTANT_EMBEDDING_DIMS: '4',
  };
  const made = await run(['index'], provider);
  assert.notEqual(made.code, 0);
  assert.match(made.stdout, /Indexed \d+ files/);
  assert.match(made.stderr, /no such model/);
  const { code, stdout } = await run(['search', 'NextDelay', '--format', 'json'], provider);
  assert.equal(code, 0);
  const answer = JSON.parse(stdout);
  assert.equal(answer.hits[0].path, 'retry/policy.go');
  assert.equal(answer.mode, 'keyword');
  assert.match(answer.notices.join(), /No vectors of cortex/);
});

test('eval scores one’s own questions', async () => {
  box.write({
    'questions.yml':
      '- query: NextDelay\n  expect: retry/policy.go\n- query: sums up the orders of a month\n  expect: [report.py]\n- query: addToCart\n  expect: web/basket.ts\n',
  });
  const { stdout, code } = await run(['eval', 'questions.yml', '--format', 'json']);
  assert.equal(code, 0);
  const { ndcg_at_10: ndcg, first_right: first, in_first_ten: ten, questions } = JSON.parse(stdout);
  assert.deepEqual(
    questions.map(({ rank }: { rank: number | null }) => rank),
    [1, 1, null],
  );
  assert.deepEqual(
    [ndcg, first, ten].map((share) => share.toFixed(3)),
    ['0.667', '0.667', '0.667'],
  );
  const shown = await run(['eval', 'questions.yml']);
  assert.match(shown.stdout, /^NDCG@10 0\.667 over 3 questions; first result right 67 %, among ten 67 %\n/);
  assert.match(
    shown.stdout,
    /missed: addToCart\n {4}wanted web\/basket\.ts; first was web\/cart\.ts\n {4}not in the index: web\/basket\.ts/,
  );
  box.write({ 'broken.yml': '- question: what\n' });
  const broken = await run(['eval', 'broken.yml']);
  assert.notEqual(broken.code, 0);
  assert.match(broken.stderr, /question 1 has no `query`/);
});

test('eval: one path in several spellings, a question that cannot be asked, text that would steer a terminal', async () => {
  const file = 'retry/policy.go';
  const spellings = JSON.stringify([{ query: 'NextDelay', expect: [`./${file}`, file, 'policy.go', box.path(file)] }]);
  box.write({
    'spellings.json': spellings,
    'unasked.yml': `- query: NextDelay\n  expect: ${file}\n- query: "lang:klingon delay"\n  expect: ${file}\n`,
    'steering.yml': '- query: "\\e[31mNextDelay"\n  expect: "\\e[2Jx"\n',
  });
  const { stdout } = await run(['eval', 'spellings.json', '--format', 'json']);
  assert.equal(JSON.parse(stdout).ndcg_at_10, 1);
  const unasked = await run(['eval', 'unasked.yml']);
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /Question 2, "lang:klingon delay": Unknown language/);
  assert.ok(!(await run(['eval', 'steering.yml'])).stdout.includes('\u001b'));
});

test('eval says when its figures are those of words alone', async () => {
  box.write({ 'words.yml': '- query: NextDelay\n  expect: retry/policy.go\n' });
  const env = { SEXTANT_EMBEDDING_PROVIDER: 'cortex', SEXTANT_EMBEDDING_BASE_URL: 'http://127.0.0.1:1' };
  const { stdout } = await run(['eval', 'words.yml'], env);
  assert.match(stdout, /No vectors of cortex\/cortex-embed\/384 in this index: keyword answer/);
});
