/** Hostile remotes, and credentials in an address that other users of the machine must not see. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOfUrl, withoutCredentials } from '../../../model/records/repository-name.ts';
import { makeRepository, makeTree } from '../../temp-tree.fixture.ts';
import { fetchMirror, remoteHead } from './git-mirror.ts';

const LIMITS = { silenceMs: 60_000, totalMs: 60_000, maxBytes: 0, maxMemoryBytes: 2 ** 31 };

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function packet(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

function commandLinesWith(text: string): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.flatMap((pid) => {
    try {
      const line = readFileSync(join('/proc', pid, 'cmdline'), 'latin1');
      return line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });
}

test('a password in an address reaches the remote and no process list; git’s transports are killed with git', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const seen: (string | undefined)[] = [];
  const host = await serve(t, ({ headers }) => seen.push(headers.authorization));
  const stop = new AbortController();
  const asking = remoteHead({ url: `http://me:s3cr%40t@${host}/acme/billing` }, null, stop.signal);
  while (seen.length === 0) await sleep(20);
  const lines = commandLinesWith(host);
  assert.ok(
    lines.some((line) => line.includes('remote-http')),
    'the transport is a process of its own',
  );
  assert.deepEqual(commandLinesWith('s3cr'), []);
  assert.deepEqual(seen, [`Basic ${Buffer.from('me:s3cr@t').toString('base64')}`]);
  stop.abort();
  await assert.rejects(asking, { code: 'cancelled' });
  for (let tries = 0; tries < 500 && commandLinesWith(host).length > 0; tries++) await sleep(20);
  assert.deepEqual(commandLinesWith(host), []);
});

test('a token is not sent to another host after a redirect', async (t) => {
  const elsewhere: (string | undefined)[] = [];
  const refs = `${packet('# service=git-upload-pack\n')}0000${packet('version 2\n')}${packet('ls-refs\n')}0000`;
  const thief = await serve(t, (request, response) => {
    elsewhere.push(request.headers.authorization);
    response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
    response.end(refs);
  });
  const host = await serve(t, (request, response) => {
    response.writeHead(302, { Location: `http://${thief}${request.url}` });
    response.end();
  });
  for (const remote of [
    { url: `http://${host}/acme/billing`, token: 'secret' },
    { url: `http://me:secret@${host}/acme/billing` },
  ])
    await assert.rejects(remoteHead(remote, null), { code: 'fetch_failed' });
  assert.deepEqual(elsewhere, []);
  await assert.rejects(remoteHead({ url: `http://${host}/acme/billing` }, null), { code: 'fetch_failed' });
  assert.ok(elsewhere.length > 0, 'without one a redirect is followed');
  assert.deepEqual(new Set(elsewhere), new Set([undefined]));
});

test('git is stopped if a remote lists refs without end', { skip: process.platform !== 'linux' }, async (t) => {
  const host = await serve(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
    response.write(`${packet('# service=git-upload-pack\n')}0000`);
    const line = packet(`${'a'.repeat(40)} refs/heads/${'x'.repeat(60_000)}\n`).repeat(20);
    const more = () => {
      while (response.write(line));
      response.once('drain', more);
    };
    more();
  });
  const asking = remoteHead({ url: `http://${host}/a/b` }, null, undefined, { ...LIMITS, maxMemoryBytes: 100 << 20 });
  await assert.rejects(asking, (error: Error) => /took too much memory/.test(error.message));
});

test('a remote repository that is too large is refused, and its partial pack is deleted', async (t) => {
  const tree = makeRepository(t, { 'large.bin': randomBytes(300_000), 'a.ts': 'x' });
  tree.commit();
  const mirror = join(makeTree(t).root, 'mirror');
  const fetching = fetchMirror(mirror, { url: `file://${tree.root}` }, 'main', undefined, {
    ...LIMITS,
    maxBytes: 100_000,
  });
  await assert.rejects(fetching, (error: Error) => /larger than 100000 bytes/.test(error.message));
  await fetchMirror(mirror, { url: tree.root }, 'main');
  assert.ok(existsSync(join(mirror, 'objects', 'pack')));
});

test('a mirror with too many packs is made anew', async (t) => {
  const tree = makeRepository(t, { 'a.ts': 'x' });
  tree.commit();
  const mirror = join(makeTree(t).root, 'mirror');
  const packs = join(mirror, 'objects', 'pack');
  await fetchMirror(mirror, { url: tree.root }, 'main');
  const [pack] = readdirSync(packs).filter((name) => name.endsWith('.pack'));
  // The packs that many fetches leave.
  for (let i = 0; i < 40; i++) cpSync(join(packs, pack!), join(packs, `pack-${String(i).padStart(40, '0')}.pack`));
  tree.git('commit', '-q', '--allow-empty', '-m', 'two');
  await fetchMirror(mirror, { url: tree.root }, 'main');
  assert.equal(readdirSync(packs).filter((name) => name.endsWith('.pack')).length, 1);
});

test('an address is shown without its credentials', () => {
  for (const [address, shown] of [
    ['https://me:p@ss@host/a/b', 'https://***@host/a/b'],
    ['http://host/a?private_token=x', 'http://host/a?***'],
    [
      "fatal: unable to access 'https://me:x@host/a/': no 'ssh://git@b/c'",
      "fatal: unable to access 'https://***@host/a/': no 'ssh://***@b/c'",
    ],
    ['https://host/a@b', 'https://host/a@b'],
  ] as const)
    assert.equal(withoutCredentials(address), shown);
  assert.equal(nameOfUrl('https://me:p@ss@host/acme/billing.git'), 'host/acme/billing');
});
