import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { PLAIN_TEXT } from '../languages/index.ts';
import { blobId } from '../walk/index.ts';
import { giveContents } from './give-contents.ts';

/** In pieces: this file itself holds none. */
const TOKEN = ['ghp', 'x7Rk2mQ9vT4bN8cW1zL5yH3jD6fG0sAe4uPq'].join('_');

interface Sent {
  readonly path: string;
  readonly keys?: readonly { readonly blobId: string }[];
  readonly contents?: readonly { readonly blobId: string; readonly text: string }[];
}
type Reply = readonly [status: number, json: unknown, headers?: Record<string, string>];

/** Answers in the place of a node, and notes what is sent to it. */
async function nodeThat(t: TestContext, answer: (sent: Sent, nth: number) => Reply) {
  const all: Sent[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const sent: Sent = { path: request.url!, ...(JSON.parse(Buffer.concat(pieces).toString()) as object) };
      all.push(sent);
      const [status, json, headers = {}] = answer(sent, all.length);
      response.writeHead(status, headers).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, token: undefined, all };
}

const contentOf = (text: string, language = PLAIN_TEXT) => ({
  blobId: blobId(Buffer.from(text)),
  language,
  text: () => text,
});
const takeAll = ({ keys, contents }: Sent): Reply =>
  keys ? [200, { missing: keys }] : [200, { created: contents!.length, refused: 0 }];

test('ids are sent first, then missing texts; redacted texts and texts with a secret are not sent', async (t) => {
  const [known, mine] = [contentOf('known to the fleet\n'), contentOf('known to me\n')];
  const secret = `const token = '${TOKEN}';\n`;
  // As an index holds it that redacts, and one that does not.
  const redacted = { ...contentOf(secret, 'typescript'), text: () => secret.replace(TOKEN, 'x'.repeat(TOKEN.length)) };
  const plain = contentOf(secret, 'typescript');
  const node = await nodeThat(t, (sent) => {
    const missing = sent.keys?.filter((key) => key.blobId !== known.blobId);
    return missing ? [200, { missing }] : takeAll(sent);
  });
  const portions = [[known, mine, redacted, plain]];
  assert.deepEqual(await giveContents(node, { extractor: 'v1', portions }), { given: 1, known: 1, withheld: 2 });
  assert.deepEqual(
    node.all.map(({ path, contents: texts }) => [path, texts?.map(({ text }) => text)]),
    [
      ['/blobs/missing', undefined],
      ['/blobs/given', ['known to me\n']],
    ],
  );
});

test("requests stay within the node's limits of texts and bytes", async (t) => {
  const node = await nodeThat(t, takeAll);
  const lines = (n: number) => `${n}\n${'a line of some words\n'.repeat(25_000)}`;
  const large = [contentOf(lines(1)), contentOf(lines(2)), contentOf(lines(3)), contentOf(lines(4).repeat(3))];
  const small = Array.from({ length: 90 }, (_, i) => contentOf(`small ${i}\n`));
  const report = await giveContents(node, { extractor: 'v1', portions: [[...large, ...small]] });
  assert.deepEqual(report, { given: 93, known: 0, withheld: 1 });
  for (const { contents = [] } of node.all) {
    assert.ok(contents.length <= 50);
    assert.ok(contents.reduce((sum, { text }) => sum + text.length, 0) <= 1 << 20);
  }
});

test('a busy node is asked again; a refusing node is quoted', async (t) => {
  const portions = [[contentOf('mine\n')]];
  const busy = await nodeThat(t, (sent, nth) =>
    nth % 2 === 1 ? [429, { error: 'busy' }, { 'Retry-After': '0' }] : takeAll(sent),
  );
  assert.equal((await giveContents(busy, { extractor: 'v1', portions })).given, 1);
  assert.equal(busy.all.length, 4);
  const later = await nodeThat(t, () => [429, { error: 'enough for today' }, { 'Retry-After': '9000' }]);
  const closed = await nodeThat(t, () => [403, { error: 'not from you' }]);
  const older = await nodeThat(t, () => [404, { error: { message: 'Nothing is served here.' } }]);
  for (const [node, code, words] of [
    [later, 'gift_refused', /enough for today/],
    [closed, 'gift_refused', /not from you.*/],
    [older, 'fleet_unavailable', /answered 404/],
  ] as const)
    await assert.rejects(giveContents(node, { extractor: 'v1', portions }), { code, message: words });
});
