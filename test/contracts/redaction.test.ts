/** Access tokens stay inside, whichever profile is asked, by whichever tool. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ProfileName, SERVED_PROFILES } from '../../src/contracts/index.ts';
import { TOKENS } from '../../src/model/secrets/token.fixture.ts';
import { workspace } from '../workspace.ts';
import { type Message, rawClient } from './raw-client.ts';

const token = TOKENS['github-pat'];
const place = workspace({
  'go.mod': 'module example.com/forge\n',
  'forge/upload.go': `package forge\n\n// UploadToken is sent with every release.\nconst UploadToken = "${token}"\n\n// UploadRelease sends a release, with ${token}.\nfunc UploadRelease(name string) string {\n\treturn post(name, "${token}")\n}\n\nfunc post(name, key string) string { return name + key }\n`,
  'docs/setup.md': `# Upload a release\n\nThe upload token is \`${token}\`.\n`,
});
before(() => place.engine.index(place.root));
after(() => place.close());

const QUERY = 'UploadRelease';
const FILE = 'forge/upload.go';
/** What the tools of a profile are called with; a tool that answers with text of the project has to be here. */
const CALLS: Readonly<Record<ProfileName, readonly [tool: string, args: Record<string, unknown>][]>> = {
  sextant: [
    ['search_code', { query: QUERY }],
    ['search_docs', { query: 'upload token' }],
    ['locate_symbol', { name: QUERY }],
    ['code_research', { query: `what calls ${QUERY}` }],
    ['read_file', { path: FILE }],
    ['grep_codebase', { pattern: 'UploadToken' }],
    ['context_search', { query: 'upload a release' }],
  ],
  gocontext: [['search_code', { path: place.root, query: QUERY }]],
  'context-tool': [
    ['context_search', { query: QUERY }],
    ['read_file', { path: FILE }],
    ['grep_codebase', { pattern: 'UploadToken' }],
  ],
  codecompass: [
    ['locate_symbol', { path: place.root, name: QUERY, detail_level: 'context' }],
    ['search_code', { path: place.root, query: QUERY, detail_level: 'context' }],
  ],
  swiftindex: [
    ['search_code', { query: QUERY, path: place.root }],
    ['search_docs', { query: 'upload token', path: place.root }],
    ['code_research', { query: `what calls ${QUERY}`, path: place.root }],
  ],
  cortex: [['cortex_search', { query: QUERY }]],
};

for (const profile of SERVED_PROFILES)
  test(`${profile}: no tool shows a token`, async () => {
    const client = rawClient({ profile, engine: place.engine, workspace: place.root });
    await client.initialize();
    for (const [name, args] of CALLS[profile]) {
      const { result, error } = (await client.request('tools/call', { name, arguments: args })) as Message;
      const text = JSON.stringify(result ?? error);
      assert.ok(result && !result.isError, `${name}: ${text}`);
      assert.ok(!text.includes(token.slice(6, 18)), `${name} shows the token: ${text}`);
      if (name !== 'context_search') assert.match(text, /UploadRelease|UploadToken|REDACTED/, `${name}: ${text}`);
    }
    await client.close();
  });

test('sextant: resources show no token either', async () => {
  const client = rawClient({ profile: 'sextant', engine: place.engine, workspace: place.root });
  await client.initialize();
  const { result } = (await client.request('resources/list')) as Message;
  const templates = (await client.request('resources/templates/list')) as Message;
  const uris = (result.resources as { uri: string }[]).map(({ uri }) => uri);
  for (const { uriTemplate } of templates.result.resourceTemplates as { uriTemplate: string }[])
    uris.push(uriTemplate.replace(/\{\+?\w+\}/g, FILE));
  assert.ok(uris.length > 0);
  let shown = '';
  for (const uri of uris) shown += JSON.stringify(await client.request('resources/read', { uri }));
  assert.ok(!shown.includes(token.slice(6, 18)));
  assert.match(shown, /REDACTED_github_pat/);
  await client.close();
});
