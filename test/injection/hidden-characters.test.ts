/**
 * Hidden and direction-changing characters of a repository are spelled out in every profile's answers and on the
 * command line; places stay right.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PROFILE_NAMES, type ProfileName } from '../../src/contracts/index.ts';
import { hasHidden } from '../../src/model/untrusted/visible-text.ts';
import { type Message, rawClient } from '../contracts/raw-client.ts';
import { command, sandbox } from '../contracts/real-engine.ts';

const box = sandbox(/^$/);
/** The name shows as a picture, the comment hides an order, the condition reads the other way round than it runs. */
const PATH = 'src/\u202egpj.ts';
const SHOWN = 'src/<U+202E>gpj.ts';
const SOURCE = `/** Checks access\u200b of a \u{e0073}\u{e0061}\u{e0079}user. */
export function checkAccess(level: string): boolean {
  return level !== 'user\u202e \u2066// only admins\u2069 \u2066';
}
`;

before(async () => {
  box.write('shop/go.mod', 'module example.org/shop\n');
  box.write(`shop/${PATH}`, SOURCE);
  box.write('shop/CONTRIBUTING.md', '# Rules\n\nNever commit to\u200b main without a review.\n');
  await box.engine.index(box.project);
});
after(() => box.close());

/** Calls that quote the file, by profile. */
const CALLS: Readonly<Record<ProfileName, readonly [string, Message][]>> = {
  sextant: [
    ['search_code', { query: 'checkAccess' }],
    ['locate_symbol', { name: 'checkAccess', detail: true }],
    ['read_file', { path: SHOWN }],
    ['read_file', { path: PATH, outline: true }],
    ['grep_codebase', { pattern: 'only admins', context_lines: 2 }],
    ['context_search', { query: 'commit to main without a review' }],
    ['code_research', { query: 'what calls checkAccess' }],
  ],
  'context-tool': [
    ['context_search', { query: 'commit to main without a review' }],
    ['read_file', { path: SHOWN }],
    ['grep_codebase', { pattern: 'only admins' }],
  ],
  gocontext: [['search_code', { path: box.project, query: 'checkAccess' }]],
  codecompass: [
    ['search_code', { query: 'checkAccess', workspace: box.project }],
    ['locate_symbol', { name: 'checkAccess', workspace: box.project }],
  ],
  swiftindex: [
    ['search_code', { query: 'checkAccess', path: box.project, format: 'human' }],
    ['search_code', { query: 'checkAccess', path: box.project, format: 'toon' }],
    ['code_research', { query: 'what calls checkAccess', path: box.project }],
  ],
  cortex: [['cortex_search', { query: 'checkAccess level user' }]],
};

for (const profile of PROFILE_NAMES)
  test(`${profile}: no answer holds a hidden character, and those of the repository are spelled out`, async () => {
    const client = rawClient({ profile, engine: box.engine, workspace: box.project });
    await client.initialize();
    try {
      for (const [name, args] of CALLS[profile]) {
        const { result, error } = await client.request('tools/call', { name, arguments: args });
        const texts = textsOf(result ?? error);
        assert.ok(!result?.isError, `${name}: ${JSON.stringify(result ?? error)}`);
        assert.deepEqual(texts.filter(hasHidden), [], name);
        assert.match(JSON.stringify(texts), /<U\+20[0-9A-F]{2}>|<U\+E0073>/, `${name} quotes nothing`);
      }
    } finally {
      await client.close();
    }
  });

test('resources, prompts and completions spell hidden characters out, too', async () => {
  const client = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await client.initialize();
  const asked: Message[] = [
    await client.request('resources/read', { uri: `sextant://file/${encodeURIComponent(SHOWN)}` }),
    await client.request('resources/read', { uri: 'sextant://map' }),
    await client.request('resources/read', { uri: 'sextant://memory' }),
    await client.request('prompts/get', { name: 'onboard' }),
    await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'review_change' },
      argument: { name: 'path', value: 'gpj' },
    }),
  ];
  await client.close();
  for (const { result } of asked) {
    assert.deepEqual(textsOf(result).filter(hasHidden), []);
    assert.match(JSON.stringify(result), /<U\+20[0-9A-F]{2}>/);
  }
});

test('lines, columns and sizes are those of the file', async () => {
  const client = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await client.initialize();
  const ask = async (name: string, args: Message) =>
    (await client.request('tools/call', { name, arguments: args })).result.structuredContent;
  const [match] = (await ask('grep_codebase', { pattern: 'only admins' })).matches;
  const file = await ask('read_file', { path: SHOWN });
  await client.close();
  const line = SOURCE.split('\n')[2]!;
  assert.deepEqual([match.path, match.line, match.column], [SHOWN, 3, line.indexOf('only admins') + 1]);
  assert.deepEqual([file.size, file.total_lines], [Buffer.byteLength(SOURCE), 4]);
});

test('an answer whose hidden characters are spelled out stays within max_tokens', async () => {
  box.write('shop/src/long.md', `# Long\n\n${`${'a\u200bb\u202e '.repeat(10)}\n`.repeat(100)}`);
  const client = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await client.initialize();
  const args = { path: 'src/long.md', max_tokens: 500 };
  const { result } = await client.request('tools/call', { name: 'read_file', arguments: args });
  await client.close();
  assert.match(result.content[0].text, /a<U\+200B>b<U\+202E>/);
  assert.ok(Buffer.byteLength(result.content[0].text) <= 500 * 3.5);
});

test('the command line spells them out for people, and escapes them in JSON', () => {
  const shown = command(box, 'search', box.project, 'checkAccess');
  assert.ok(!hasHidden(shown.replaceAll('\u001b', '')), shown);
  assert.match(shown, /<U\+202E>gpj\.ts/);
  const json = command(box, 'search', box.project, 'checkAccess', '--format', 'json');
  assert.ok(!hasHidden(json));
  assert.match(json, /\\u202egpj\.ts/);
  assert.equal(JSON.parse(json).hits[0].path, PATH);
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
