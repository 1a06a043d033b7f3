/** Who may ask: tokens of an identity provider, quotas, webhooks; as clients meet them, by the built binary. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Repositories } from '../../../src/fleet/catalogue/repositories.ts';
import { askTool, indexByBinary, serveFleet } from '../fleet-node.ts';
import { fleetFor } from '../fleet-under-test.ts';
import { startIssuer } from '../issuer-under-test.ts';

const AUDIENCE = 'https://code.acme.example/mcp';
const SECRET = 'a secret of the webhooks';

test('tokens of an issuer are checked as the MCP specification has it, and their groups decide what is seen', async (t) => {
  const under = await fleetFor(t);
  const issuer = await startIssuer(t, AUDIENCE);
  for (const [name, group] of [
    ['alpha', 'a'],
    ['beta', 'b'],
  ] as const) {
    const remote = under.repository(name, { 'src/a.ts': `export function ${name}Only() {}\n` });
    await under.fleet.add({ name: `acme/${name}`, url: remote, ref: null, groups: [group] });
  }
  await indexByBinary(under);
  const flags = ['--issuer', issuer.url, '--audience', AUDIENCE, '--scope', 'code:read', '--groups-claim', 'teams'];
  const node = await serveFleet(under, { robot: [] }, flags);
  const good = { scope: 'openid code:read', teams: ['a'] };

  const ann = await node.clientWith(await issuer.token(good));
  const seen = await askTool(ann, 'search_code', { query: 'alphaOnly betaOnly' });
  assert.match(seen.text, /acme\/alpha\/src\/a\.ts/);
  assert.doesNotMatch(seen.text, /acme\/beta/);

  const status = async (token: string | null) => {
    const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
    const reply = await fetch(`${node.url}/mcp`, { method: 'POST', headers, body: '{}' });
    return [reply.status, reply.headers.get('www-authenticate') ?? ''] as const;
  };
  const metadata = 'resource_metadata="https://code.acme.example/.well-known/oauth-protected-resource"';
  assert.deepEqual(await status(null), [401, `Bearer ${metadata}`]);
  for (const change of [
    { audience: 'https://other.example/mcp' },
    { issuer: 'https://elsewhere.example' },
    { expires: Math.floor(Date.now() / 1000) - 120 },
    { foreign: true },
  ])
    assert.deepEqual(await status(await issuer.token(good, change)), [
      401,
      `Bearer error="invalid_token", ${metadata}`,
    ]);
  // Nothing is signed: the header says so.
  const unsigned = [{ alg: 'none' }, { sub: 'ann', iss: issuer.url, aud: AUDIENCE, exp: 9e9, ...good }, ''];
  const none = unsigned.map((part) => part && Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  assert.equal((await status(none))[0], 401);
  assert.deepEqual(await status(await issuer.token({ teams: ['a'] })), [
    403,
    `Bearer error="insufficient_scope", scope="code:read", ${metadata}`,
  ]);
  for (const path of ['', '/mcp']) {
    const reply = await fetch(`${node.url}/.well-known/oauth-protected-resource${path}`);
    assert.deepEqual(await reply.json(), {
      resource: AUDIENCE,
      authorization_servers: [issuer.url],
      bearer_methods_supported: ['header'],
      resource_name: 'Sextant fleet',
      scopes_supported: ['code:read'],
    });
  }
  const robot = await node.client('robot');
  assert.equal((await askTool(robot, 'search_code', { query: 'alphaOnly' })).isError, true, 'static tokens stay');
});

test('a subject over its quota hears when to come back, and others are not held up', async (t) => {
  const under = await fleetFor(t);
  const node = await serveFleet(under, { ann: [], bob: [] }, ['--requests-per-minute', '2']);
  const ask = (name: string) =>
    fetch(`${node.url}/metrics`, { headers: { Authorization: `Bearer token-of-${name}-for-tests` } });
  const replies = await Promise.all(Array.from({ length: 30 }, () => ask('ann')));
  const refused = replies.filter(({ status }) => status === 429);
  // Another request is allowed every 30 s, so a slow machine changes this by few.
  assert.ok(refused.length >= 20 && refused.length < 30, `${refused.length} of 30 were refused`);
  const seconds = Number(refused[0]!.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 30, `Retry-After: ${seconds}`);
  assert.match(await refused[0]!.text(), /Too many requests: 2 a minute/);
  assert.equal((await ask('bob')).status, 200);
});

test('a push that a code host announces queues a look at the repository; a wrong signature does not', async (t) => {
  const under = await fleetFor(t);
  const repositories = new Repositories(under.connection, under.prefix);
  const remote = under.repository('billing', { 'a.ts': 'export const a = 1;\n' });
  const secret = join(under.folder, 'webhook-secret');
  writeFileSync(secret, `${SECRET}\n`, { mode: 0o600 });
  await under.fleet.add({ name: 'github.com/acme/billing', url: remote, ref: null, groups: [] });
  await under.work();
  assert.equal((await repositories.find('github.com/acme/billing'))?.wantedAtMs, null);
  const node = await serveFleet(under, { ann: [] }, ['--webhook-secret', secret]);
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    repository: { clone_url: 'https://github.com/acme/billing.git' },
  });
  const push = async (key: string) => {
    const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    const headers = { 'X-GitHub-Event': 'push', 'X-Hub-Signature-256': signature, 'Content-Type': 'application/json' };
    const reply = await fetch(`${node.url}/webhooks/push`, { method: 'POST', headers, body });
    return [reply.status, await reply.json()] as const;
  };
  assert.deepEqual(await push('another secret'), [401, { error: 'The signature is missing or wrong.' }]);
  assert.equal((await repositories.find('github.com/acme/billing'))?.wantedAtMs, null);
  assert.deepEqual(await push(SECRET), [202, { queued: 1 }]);
  assert.ok((await repositories.find('github.com/acme/billing'))?.wantedAtMs);
  under.commit(remote, { 'b.ts': 'export const b = 1;\n' });
  assert.equal((await under.work())[0]?.files, 2);
});
