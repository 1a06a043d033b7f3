import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { concerns, readPush } from './webhooks.ts';

const SECRET = 'a secret of the webhook';
const payload = {
  ref: 'refs/heads/main',
  repository: { clone_url: 'https://github.com/acme/billing.git', html_url: 'https://github.com/acme/billing' },
};
const body = Buffer.from(JSON.stringify(payload));
const sum = (bytes: Buffer, secret = SECRET) => createHmac('sha256', secret).update(bytes).digest('hex');
const record = (change: Partial<RepositoryRecord> = {}) =>
  ({ name: 'github.com/acme/billing', url: 'x', ref: null, branch: 'main', ...change }) as RepositoryRecord;

test('pushes of GitHub, Gitea and GitLab are read by their own headers', () => {
  const gitlab = Buffer.from(
    JSON.stringify({ ref: 'refs/heads/main', project: { git_http_url: 'https://github.com/acme/billing.git' } }),
  );
  for (const [headers, bytes] of [
    [{ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${sum(body)}` }, body],
    [{ 'x-gitea-event': 'push', 'x-gitea-signature': sum(body) }, body],
    [{ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET }, gitlab],
  ] as const) {
    const push = readPush({ headers, body: bytes }, SECRET);
    assert.equal(push.kind, 'push');
    if (push.kind !== 'push') continue;
    assert.equal(concerns(push, record()), true);
    assert.equal(concerns(push, record({ branch: 'release' })), false);
    assert.equal(concerns(push, record({ name: 'github.com/acme/other' })), false);
  }
});

test('a request that does not prove the secret is refused, whatever it says', () => {
  const event = { 'x-github-event': 'push' };
  for (const headers of [
    event,
    { ...event, 'x-hub-signature-256': '' },
    { ...event, 'x-hub-signature-256': `sha256=${sum(body, 'another')}` },
    { ...event, 'x-hub-signature-256': `sha256=${sum(Buffer.from('{}'))}` },
    { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'wrong' },
    // A wrong signature is not made good by anything beside it.
    { ...event, 'x-hub-signature-256': 'sha256=00', 'x-gitlab-token': SECRET },
  ])
    assert.equal(readPush({ headers, body }, SECRET).kind, 'refused');
});

test('webhooks tell pushes from other events and other requests', () => {
  const signed = (bytes: Buffer, name: string) => ({ 'x-github-event': name, 'x-hub-signature-256': sum(bytes) });
  assert.equal(readPush({ headers: signed(body, 'ping'), body }, SECRET).kind, 'other');
  const broken = Buffer.from('{"ref": 1}');
  assert.equal(readPush({ headers: signed(broken, 'push'), body: broken }, SECRET).kind, 'malformed');
});
