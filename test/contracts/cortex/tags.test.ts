/** cortex: tags and data chunks of our own index, filtered on over chunk types and with AND. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createProfile } from '../../../src/contracts/cortex/index.ts';
import { type Message, type RawClient, rawClient } from '../raw-client.ts';
import { sandbox } from '../real-engine.ts';

const box = sandbox(/^(?:go\.mod|internal\/auth\/service\.go)/);
let raw: RawClient;

before(async () => {
  box.write(
    'shop/docs/adr/tokens.md',
    '---\ntags: [architecture, design]\n---\n\n# Tokens\n\nTokens expire because sessions leak. #auth #users\n\n' +
      '## Colours\n\nThe colour #fff, issue #123 and `#code` are no tags.\n\n```c\n#include <stdio.h>\n```\n',
  );
  box.write('shop/docs/operations.md', '---\ntags:\n  - ops\n  - "on-call"\n---\n# Operations\n\nHow to run it.\n');
  await box.engine.index(box.project);
  const profile = createProfile({
    workspace: box.project,
    version: '1',
    log: () => {},
    engine: async () => box.engine,
  });
  raw = rawClient({ profile, engine: box.engine, workspace: box.project });
  await raw.initialize();
});
after(async () => {
  await raw.close();
  await box.close();
});

async function found(query: string, tags: readonly string[], more: Message = {}): Promise<Message[]> {
  const params = { name: 'cortex_search', arguments: { query, tags, limit: 50, ...more } };
  const { result } = await raw.request('tools/call', params);
  return JSON.parse(result.content[0].text).results.map(({ chunk }: Message) => chunk);
}
const pathsOf = (chunks: readonly Message[]) => [...new Set(chunks.map(({ metadata }) => metadata.file_path))];

test('tags come from language, kind, chunk type, folders, front matter and hashtags (CX-07, CX-33)', async () => {
  for (const tags of [
    ['architecture', 'design'],
    ['auth', 'users', 'documentation'],
    ['adr', 'markdown'],
  ])
    assert.deepEqual(pathsOf(await found('tokens', tags)), ['docs/adr/tokens.md'], `${tags}`);
  for (const tag of ['ops', 'on-call'])
    assert.deepEqual(pathsOf(await found('operations', [tag])), ['docs/operations.md'], tag);
  const code = await found('user', ['code', 'go', 'internal']);
  assert.deepEqual(pathsOf(code), ['internal/auth/service.go']);
  assert.ok((await found('user', ['go', 'definitions'])).every(({ chunk_type }) => chunk_type === 'definitions'));
});

test('colours, numbers of issues and code are no tags (CX-33)', async () => {
  for (const tag of ['fff', '123', 'include']) assert.deepEqual(await found('colour', [tag]), [], tag);
  assert.deepEqual(await found('colour', ['code', 'documentation']), []);
});
