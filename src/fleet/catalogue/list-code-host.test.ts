import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { listCodeHost } from './list-code-host.ts';

/** A code host on the loopback with 130 repositories, of which the third is archived. */
async function startHost(field: string) {
  const seen: { url: string; token: string }[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const { authorization, 'private-token': privateToken } = request.headers;
    seen.push({ url: pathname, token: authorization ?? String(privateToken) });
    const from = (Number(searchParams.get('page')) - 1) * 100;
    const all = Array.from({ length: 130 }, (_, i) => ({ [field]: `https://host/acme/r${i}.git`, archived: i === 2 }));
    const isKnown = pathname.includes('acme');
    response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isKnown ? all.slice(from, from + 100) : { message: 'Not Found' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { seen, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, stop: () => server.close() };
}

test('all pages of a GitHub organisation and of a GitLab group are listed, without archived repositories', async (t) => {
  for (const [kind, field, url, token] of [
    ['github', 'clone_url', '/api/orgs/acme/repos', 'Bearer secret'],
    ['gitlab', 'http_url_to_repo', '/api/groups/acme%2Fback/projects', 'secret'],
  ] as const) {
    const { seen, apiUrl, stop } = await startHost(field);
    t.after(stop);
    const owner = kind === 'github' ? 'acme' : 'acme/back';
    const addresses = await listCodeHost({ kind, owner, apiUrl, token: 'secret' });
    assert.equal(addresses.length, 129);
    assert.equal(addresses[2], 'https://host/acme/r3.git');
    assert.deepEqual(seen, [
      { url, token },
      { url, token },
    ]);
    await assert.rejects(listCodeHost({ kind, owner: 'nobody', apiUrl }), /answered 404 for nobody/);
  }
});

test('a host that lists a folder of this machine is refused', async (t) => {
  const server = createServer((_, response) => response.end('[{"clone_url":"file:///srv/private.git"}]'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(listCodeHost({ kind: 'github', owner: 'acme', apiUrl }), {
    code: 'fetch_failed',
    message: /^Fetching acme failed: the host lists/,
  });
});
