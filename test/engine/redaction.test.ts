/** Access tokens in ordinary source: what is shown, exported and indexed instead of them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Engine } from '../../src/engine/index.ts';
import { noise, TOKENS } from '../../src/model/secrets/token.fixture.ts';
import { workspace } from '../workspace.ts';

const pat = TOKENS['github-pat'];
const aws = TOKENS['aws-access-token'];
const FILES = {
  'src/client.py': `"""Talks to the forge."""\nimport forge\n\nFORGE_TOKEN = "${pat}"  # for uploads\n\n\ndef upload_release(name):\n    """Uploads a release with ${pat}."""\n    return forge.post(name, token="${pat}", retries=3)\n\n\ndef main():\n    return upload_release("v1")\n`,
  'docs/setup.md': `# Set up\n\nPut the key \`${aws}\` into the environment before you upload a release.\n`,
  'config/app.yml': `forge:\n  token: ${pat}\n  retries: 3\n`,
};
const SECRET_PARTS = [pat.slice(8, 20), pat.slice(-12), aws.slice(8)];

const place = workspace(FILES);
after(() => place.close());

/** Everything that an engine answers about the three files. */
async function allAnswers(engine: Engine): Promise<Record<string, unknown>> {
  const { root } = place;
  const search = (query: string, more = {}) => engine.search(root, { query, ...more });
  const located = await engine.locate(root, { name: 'upload_release' });
  const id = located.symbols[0]!.symbolId;
  return {
    words: await search('how is a release uploaded to the forge', { explain: true }),
    name: await search('FORGE_TOKEN'),
    docs: await search('set up the key for uploads'),
    located,
    symbol: await engine.symbol(root, id),
    research: await engine.research(root, { query: 'what calls upload_release' }),
    map: await engine.map(root),
    read: await engine.readFile(root, { path: 'src/client.py' }),
    lines: await engine.readFile(root, { path: 'config/app.yml', startLine: 2, endLine: 2 }),
    grep: await engine.grep(root, { pattern: 'token' }),
    context: await engine.contextSearch(root, { query: 'how are releases uploaded' }),
    discoveries: await engine.discoveries(root, { whole: true }),
    exported: [...(await engine.exportChunks(root)).chunks].map(({ vector: _vector, ...chunk }) => chunk),
  };
}

test('no answer of the engine holds a token, and places stay where they were', async () => {
  await place.engine.index(place.root);
  const answers = await allAnswers(place.engine);
  for (const [name, answer] of Object.entries(answers))
    for (const part of SECRET_PARTS) assert.ok(!JSON.stringify(answer).includes(part), `${name} shows ${part}`);
  const { content } = answers.read as { content: string };
  assert.equal(content.length, FILES['src/client.py'].length);
  assert.match(content, /^FORGE_TOKEN = "REDACTED_github_pat_x+" {2}# for uploads$/m);
  const { matches } = answers.grep as { matches: { path: string; line: number; column: number; text: string }[] };
  assert.deepEqual(
    matches.filter(({ path }) => path === 'src/client.py').map(({ line, column }) => [line, column]),
    [
      [4, 7],
      [9, 29],
    ],
  );
});

test('the index holds none, so no search confirms a guess at one', async () => {
  const { reader, view } = await place.openTree();
  for (let file = 0; file < view.files.length; file++) {
    const text = JSON.stringify(reader.detail(view.contentOf[file]!)) + reader.text(view.contentOf[file]!);
    for (const part of SECRET_PARTS) assert.ok(!text.includes(part), view.files[file]!.path);
  }
  const found = async (token: string) =>
    (await place.engine.search(place.root, { query: `"${token}"`, mode: 'keyword' })).hits.map(({ path }) => path);
  assert.deepEqual(await found(pat), await found(`ghp_${noise(36, undefined, 11)}`));
});

test('redaction that is switched off shows everything once the index is made again', async () => {
  const plain = place.anotherEngine({ redact: false });
  const { outdated } = await plain.status(place.root);
  assert.equal(outdated, true);
  await plain.index(place.root);
  const { hits } = await plain.search(place.root, { query: 'FORGE_TOKEN' });
  assert.ok(hits.some(({ content }) => content.includes(pat)));
  assert.ok((await plain.readFile(place.root, { path: 'src/client.py' })).content.includes(pat));
  assert.equal((await plain.grep(place.root, { pattern: pat })).totalMatches, 4);
  // An index that was made without redaction gives nothing away either.
  const answers = await allAnswers(place.engine);
  for (const [name, answer] of Object.entries(answers))
    for (const part of SECRET_PARTS) assert.ok(!JSON.stringify(answer).includes(part), `${name} shows ${part}`);
});
