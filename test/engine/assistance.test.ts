/**
 * Related words and summaries: built in, from a configured model over HTTP, and built in again while that model is
 * down.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createLanguageModel, LLM_PROVIDERS, type LlmProvider } from '../../src/embed/index.ts';
import { startServer } from '../../src/embed/providers/test-server.ts';
import { workspace } from '../workspace.ts';

const server = await startServer(() => ({}));
const space = workspace({
  'src/accounts/authenticate.ts':
    '/** Checks the name and the secret of a member. Throws when they do not belong together. */\nexport function authenticateMember(name: string, secret: string): Member {\n  return loadMember(name, secret);\n}\n',
  'src/accounts/member.ts':
    "import { authenticateMember } from './authenticate.ts';\n\n/** Somebody who may enter. */\nexport interface Member {\n  readonly name: string;\n}\n\nexport class Guest implements Member {\n  readonly name = 'guest';\n}\n\n/** Opens the door for a member who is known. */\nexport function enter(name: string, secret: string): Member {\n  return authenticateMember(name, secret);\n}\n",
  'src/store/erase.ts':
    '/** Takes a record out for good. */\nexport function removeRecord(table: string, key: string): boolean {\n  return table !== key;\n}\n',
  'src/store/settings.ts': '/** Where the tables live. */\nexport const tableConfig = { folder: "tables" };\n',
  'src/pause.ts':
    '/** Waits a little. */\nexport const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));\n',
});
before(() => space.engine.index(space.root));
after(async () => {
  await space.close();
  await server.close();
});
beforeEach(() => {
  server.asked.length = 0;
});

const search = (query: string, more: object = {}) => space.engine.search(space.root, { query, ...more });
const first = async (query: string, more: object = {}) => (await search(query, more)).hits[0]?.path;

test('synonyms and abbreviations find what the question does not name', async () => {
  assert.equal(await first('delete a row', { mode: 'keyword' }), 'src/store/erase.ts');
  assert.equal(await first('auth of a caller', { mode: 'keyword' }), 'src/accounts/authenticate.ts');
  assert.equal(await first('table cfg', { mode: 'keyword' }), 'src/store/settings.ts');
});

test('a single name is not expanded', async () => {
  const { hits } = await search('erase', { mode: 'keyword' });
  assert.deepEqual([...new Set(hits.map(({ path }) => path))], ['src/store/erase.ts']);
});

test('built-in expansion: words of this repository, the same each time', async () => {
  const { expansion, notices } = await search('how is a login checked', { expandQuery: true });
  assert.equal(expansion?.source, 'builtin');
  assert.ok(expansion.terms.includes('authenticate'), expansion.terms.join(', '));
  assert.deepEqual(notices, []);
  const again = await space.anotherEngine().search(space.root, { query: 'how is a login checked', expandQuery: true });
  assert.deepEqual(again.expansion, expansion);
  assert.equal((await search('how is a login checked')).expansion, undefined);
});

test('related words that the code uses find it, where the question alone finds nothing', async () => {
  assert.deepEqual((await search('login')).hits, []);
  const { hits, expansion } = await search('login', { expandQuery: true });
  assert.ok(hits.some(({ path }) => path === 'src/accounts/authenticate.ts'));
  const related = new RegExp(expansion!.terms.join('|'), 'i');
  for (const { content } of hits) assert.match(content, related, 'the others are not listed for that');
  assert.deepEqual((await search('zxqv wvutsr', { expandQuery: true })).hits, []);
});

test('built-in summary: symbols in their own words, their relations, questions to ask next', async () => {
  const { synthesis, hits } = await search('how is a member checked when somebody enters', { synthesize: true });
  assert.equal(synthesis?.source, 'builtin');
  assert.match(synthesis.summary, new RegExp(`^${hits.length} places? in \\d+ files?`));
  assert.match(
    synthesis.summary,
    /authenticateMember \(function, src\/accounts\/authenticate\.ts:1-4\): Checks the name and the secret of a member\.\n/,
  );
  assert.match(synthesis.summary, /Relations: .*enter calls authenticateMember \(src\/accounts\/member\.ts:14\)/);
  assert.ok(synthesis.followUps.includes('What calls authenticateMember?'), synthesis.followUps.join(' '));
  assert.equal(
    (await search('zxqv wvutsr', { synthesize: true })).synthesis,
    undefined,
    'nothing is summed up from nothing',
  );
});

const replies: Record<LlmProvider, (text: string) => unknown> = {
  openai: (text) => ({ choices: [{ message: { content: text } }] }),
  anthropic: (text) => ({ content: [{ type: 'text', text }] }),
  ollama: (text) => ({ message: { content: text } }),
};

test('a configured model expands and sums up; the answer names it', async () => {
  for (const provider of LLM_PROVIDERS) {
    server.asked.length = 0;
    server.reply = (_asked, number) => ({
      body: replies[provider](
        number === 1
          ? '- `authenticateMember`\n2. removeRecord, secret'
          : 'It is done in authenticate.ts.\n\n- Who may enter?',
      ),
    });
    const languageModel = createLanguageModel({ provider, model: 'm', baseUrl: server.url });
    const engine = space.anotherEngine({ languageModel });
    assert.equal(engine.languageModel, `${provider}/m`);
    const query = 'who is let in';
    const answer = await engine.search(space.root, { query, expandQuery: true, synthesize: true });
    assert.deepEqual(answer.expansion, {
      source: 'llm',
      model: `${provider}/m`,
      terms: ['authenticateMember', 'removeRecord', 'secret'],
    });
    assert.equal(answer.hits[0]?.path, 'src/accounts/authenticate.ts');
    assert.deepEqual(answer.synthesis, {
      source: 'llm',
      model: `${provider}/m`,
      summary: 'It is done in authenticate.ts.',
      followUps: ['Who may enter?'],
    });
    assert.match(JSON.stringify(server.asked[0]!.body), /who is let in/);
    assert.match(JSON.stringify(server.asked[1]!.body), /src\/accounts\/authenticate\.ts:1/);
    assert.equal(server.asked.length, 2);
    await engine.search(space.root, { query });
    assert.equal(server.asked.length, 2, 'a plain search asks nobody');
  }
});

test('a model that is down or says nothing is replaced by what is built in, with a notice, and asked again next time', async () => {
  const languageModel = createLanguageModel({
    provider: 'ollama',
    model: 'm',
    baseUrl: server.url,
    maxAttempts: 1,
  });
  const engine = space.anotherEngine({ languageModel });
  const request = { query: 'how is the secret of a member checked', expandQuery: true, synthesize: true };
  server.reply = () => ({ status: 503 });
  const answer = await engine.search(space.root, request);
  assert.deepEqual([answer.expansion?.source, answer.synthesis?.source], ['builtin', 'builtin']);
  assert.equal(answer.notices.length, 2);
  assert.match(answer.notices[0]!, /HTTP 503\. The built-in expansion is used/);
  assert.equal(server.asked.length, 1, 'not asked for a summary, too, after it failed');
  server.reply = () => ({ body: { message: { content: ' \n' } } });
  assert.match((await engine.search(space.root, request)).notices.join(), /ollama\/m gave no expansion/);
  server.reply = () => ({ body: { message: { content: 'secret' } } });
  assert.equal((await engine.search(space.root, request)).expansion?.source, 'llm');
});

test('terms that the caller found are used as they are', async () => {
  const expansion = { source: 'client', terms: ['removeRecord'] } as const;
  const answer = await search('make it go away', { expandQuery: true, expansion });
  assert.deepEqual(answer.expansion, expansion);
  assert.equal(answer.hits[0]?.path, 'src/store/erase.ts');
});
