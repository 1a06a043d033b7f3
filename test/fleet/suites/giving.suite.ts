/** Contents that a laptop gives to the fleet: by the real binary, and by requests that no laptop would make. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packContent } from '../../../src/fleet/blobs/packed-content.ts';
import type { FleetNode } from '../../../src/fleet/fleet.ts';
import { asSubject } from '../../../src/fleet/serving/subjects.ts';
import { derivationOf } from '../../../src/fleet/worker/derivation.ts';
import { auditEntries } from '../audit-entries.ts';
import { askTool, indexByBinary, runSextant, serveFleet } from '../fleet-node.ts';
import { dumpOf, type FleetUnderTest, fleetFor } from '../fleet-under-test.ts';
import { openNodeOf } from '../fleet-workspace.ts';

/** In pieces: this file itself holds none. */
const TOKEN = ['ghp', 'x7Rk2mQ9vT4bN8cW1zL5yH3jD6fG0sAe4uPq'].join('_');

async function contentsOf(under: FleetUnderTest): Promise<number> {
  await under.connection.ask({ method: 'POST', path: `/${under.prefix}-blobs/_refresh` });
  return (await under.fleet.status()).contents;
}

interface Indexed {
  readonly code: number;
  readonly err: string;
  readonly report: {
    readonly files_indexed: number;
    readonly contents_given: number | null;
    readonly contents_withheld: number | null;
    readonly project: { readonly store_folder: string };
  };
}

async function indexAs(
  under: FleetUnderTest,
  subject: string,
  home: string,
  folder: string,
  more: readonly string[],
): Promise<Indexed> {
  const env = { SEXTANT_FLEET_TOKEN: `token-of-${subject}-for-tests` };
  const child = runSextant(under, join(under.folder, home), ['index', folder, '--format', 'json', ...more], env);
  let [out, err] = ['', ''];
  child.stdout!.on('data', (piece) => (out += piece));
  child.stderr!.on('data', (piece) => (err += piece));
  const [code] = (await once(child, 'close')) as [number];
  return { code, err, report: JSON.parse(out) as Indexed['report'] };
}

test('an index on a laptop gives the texts that the fleet lacks, and the next laptop that has the files takes them', async (t) => {
  const under = await fleetFor(t);
  const shared = { 'src/a.ts': 'export function alpha() {}\n' };
  await under.fleet.add({ name: 'acme/shared', url: under.repository('shared', shared), ref: null, groups: [] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: ['givers'], bob: [] }, ['--give-groups', 'givers']);
  const laptop = under.repository('laptop', {
    ...shared,
    'src/own.go': 'package own\n\nfunc OwnGift() {}\n',
    'src/own.h': 'struct own { int gift; };\n',
    'src/token.ts': `export const token = '${TOKEN}';\n`,
  });
  writeFileSync(join(laptop, 'src/draft.py'), 'def draft_gift():\n    return 1\n');
  assert.equal(await contentsOf(under), 1);

  const refused = await indexAs(under, 'bob', 'bob', laptop, ['--fleet', node.url, '--give']);
  assert.equal(refused.code, 6);
  const { error } = refused.report as unknown as { error: { code: string; message: string } };
  assert.equal(error.code, 'gift_refused');
  assert.match(error.message, /--give-groups/);
  assert.equal(await contentsOf(under), 1);

  const given = await indexAs(under, 'ann', 'ann', laptop, ['--fleet', node.url, '--give']);
  assert.equal(given.code, 0, given.err);
  assert.deepEqual([given.report.contents_given, given.report.contents_withheld], [3, 1]);
  assert.equal(await contentsOf(under), 4);
  const again = await indexAs(under, 'ann', 'ann', laptop, ['--fleet', node.url, '--give']);
  assert.deepEqual([again.report.contents_given, again.report.contents_withheld], [0, 1]);

  // The file with the token was not given; a header is parsed to know its language, and what git does not know to have
  // an id.
  const helped = await indexAs(under, 'bob', 'helped', laptop, ['--fleet', node.url]);
  assert.equal(helped.report.files_indexed, 3);
  assert.equal(helped.report.contents_given, null);
  const alone = await indexAs(under, 'bob', 'alone', laptop, []);
  const dump = ({ report }: Indexed) => dumpOf(under.config, report.project.store_folder, laptop);
  assert.deepEqual(dump(helped), dump(alone));

  const bob = await node.client('bob');
  const { text } = await askTool(bob, 'search_code', { query: 'OwnGift draft_gift' });
  assert.doesNotMatch(text, /own\.go|draft\.py|func OwnGift/, 'what was given is of no repository');
  await node.stop();
  const entries = await auditEntries(under);
  const taken = entries.filter(({ tool, subject }) => tool === 'take' && subject === 'bob');
  assert.ok(taken.some(({ results }) => Number(results) > 0));
  const gifts = entries.filter(({ tool }) => tool === 'give');
  assert.deepEqual(
    gifts.map(({ subject, results, outcome }) => [subject, results, outcome]),
    [
      ['bob', null, 'gift_refused'],
      ['ann', 3, 'ok'],
    ],
  );
});

test('a node takes so much a day from one caller, and says when it takes more', async (t) => {
  const under = await fleetFor(t);
  const node = await serveFleet(under, { ann: ['givers'] }, ['--give-groups', 'givers', '--give-megabytes', '1']);
  const linesOf = (name: string) =>
    Array.from({ length: 20_000 }, (_, i) => `A line of ${name}, number ${i}.\n`).join('');
  const laptop = under.repository('laptop', { 'one.txt': linesOf('one'), 'two.txt': linesOf('two') });
  const { code, report } = await indexAs(under, 'ann', 'ann', laptop, ['--fleet', node.url, '--give']);
  assert.equal(code, 6);
  assert.match(JSON.stringify(report), /gift_refused.*--give-megabytes/);
  assert.equal(await contentsOf(under), 1, 'what was taken before stays');
});

const idOf = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');

async function give(node: FleetNode, group: string, extractor: string, contents: readonly unknown[]) {
  const body = async () => Buffer.from(JSON.stringify({ extractor, contents }));
  const request = { method: 'POST', path: '/blobs/given', headers: {}, body };
  const subject = { name: `one of ${group}`, groups: new Set([group]) };
  return (await asSubject(subject, () => node.admission.answerAdmitted(request)))!;
}

test('a text is taken only as what it is: under its own id, derived as a worker would, without secrets, so much a day', async (t) => {
  const under = await fleetFor(t);
  const { extractor } = derivationOf(under.config);
  const node = await openNodeOf(under, { giveGroups: ['givers'], giveBytesPerDay: 1_000 });
  const text = 'export function honestGift() {}\n';
  const honest = { blobId: idOf(text), language: 'typescript', text };

  const refusals: readonly (readonly [status: number, group: string, extractor: string, content: unknown])[] = [
    [403, 'others', extractor, honest],
    [409, 'givers', `${extractor}.other`, honest],
    [400, 'givers', extractor, { ...honest, text: 'export function poisonedGift() {}\n' }],
    [400, 'givers', extractor, { ...honest, blobId: `${honest.blobId}/..` }],
    [400, 'givers', extractor, { ...honest, text: null }],
    [400, 'givers', extractor, null],
  ];
  for (const [status, group, by, content] of refusals)
    assert.equal((await give(node, group, by, [content])).status, status, JSON.stringify([group, content]));
  const closed = await openNodeOf(under);
  assert.equal((await give(closed, 'givers', extractor, [honest])).status, 403, 'off unless the operator names groups');

  const secret = `const token = '${TOKEN}';\n`;
  const npmrc = '//registry.acme.example/:_authToken=d41d8cd98f00\n';
  const left = [
    { blobId: idOf(secret), language: 'typescript', text: secret },
    { blobId: idOf(npmrc), language: 'text', text: npmrc },
    { ...honest, language: 'no-language' },
  ];
  assert.deepEqual((await give(node, 'givers', extractor, left)).json, { created: 0, refused: 3 });
  assert.equal(await contentsOf(under), 0);

  assert.deepEqual((await give(node, 'givers', extractor, [honest])).json, { created: 1, refused: 0 });
  assert.deepEqual((await give(node, 'givers', extractor, [honest])).json, { created: 0, refused: 0 });
  const long = `export const long = '${'long '.repeat(170)}';\n`;
  const tooMuch = await give(node, 'givers', extractor, [{ blobId: idOf(long), language: 'typescript', text: long }]);
  assert.equal(tooMuch.status, 429);
  assert.ok(Number(tooMuch.headers?.['Retry-After']) > 0);

  const url = under.repository('honest', { 'src/gift.ts': text });
  await under.fleet.add({ name: 'acme/honest', url, ref: null, groups: [] });
  const [report] = await under.work();
  assert.deepEqual([report!.files, report!.derived, report!.created], [1, 0, 0], 'a worker finds what was given');

  const other = await fleetFor(t);
  await other.fleet.add({ name: 'acme/honest', url, ref: null, groups: [] });
  assert.equal((await other.work())[0]?.created, 1);
  const stored = async ({ contents }: FleetUnderTest) => {
    for await (const batch of contents.read([honest])) return packContent(batch);
    return null;
  };
  assert.deepEqual(await stored(under), await stored(other));
});
