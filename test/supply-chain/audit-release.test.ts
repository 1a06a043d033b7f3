import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let answer: { readonly status: number; readonly body: unknown } = { status: 405, body: {} };

/** A registry that answers audits as the test wants, and knows no package. */
const registry = createServer((request, response) => {
  const isAudit = request.url?.includes('/advisories/bulk');
  request.resume();
  response.writeHead(isAudit ? answer.status : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isAudit ? answer.body : {}));
});
before(() => once(registry.listen(0, '127.0.0.1'), 'listening'));
after(() => registry.close());

async function audit(): Promise<{ code: number; output: string }> {
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const env = { ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0' };
  const child = spawn(process.execPath, ['scripts/audit-release.mjs'], { cwd: ROOT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

test('issue 21.10: a release audit passes only where the registry answered and named nothing', async () => {
  answer = { status: 200, body: {} };
  const { code, output } = await audit();
  assert.match(output, /^No known vulnerability in \d+ packages\.$/m);
  assert.equal(code, 0);
});

test('issue 21.10: a known vulnerability of a shipped package fails the release audit and is named', async () => {
  const advisory = { id: 1, url: 'https://example.com/1', title: 'made up', severity: 'low', vulnerable_versions: '*' };
  answer = { status: 200, body: { pino: [{ ...advisory, cwe: [], cvss: { score: 0, vectorString: null } }] } };
  const { code, output } = await audit();
  assert.match(output, /^pino .*low$/m);
  assert.equal(code, 1);
});

test('issue 21.10: a registry that answers no audits is a failure in plain words, never a pass', async () => {
  answer = { status: 405, body: {} };
  const { code, output } = await audit();
  assert.match(output, /^No audit was made, so this release is not audited: /m);
  assert.equal(code, 2);
});
