/** Who may ask a server over HTTP: hosts, origins, tokens, folders. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Engine } from '../../src/engine/engine.ts';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { folder, INITIALIZE, JSON_HEADERS, post, send, serve } from './http-setup.ts';

test('a foreign Host or Origin is refused, a local or absent Origin is not', async () => {
  for (const headers of [
    { host: 'evil.example' },
    { host: 'evil.example:80' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
    { host: '127.0.0.1.evil.example' },
  ] as Record<string, string>[])
    assert.equal((await post('/mcp', INITIALIZE, headers)).status, 403, JSON.stringify(headers));
  for (const headers of [{ origin: 'http://localhost:3000' }, { host: 'localhost' }, {}] as Record<string, string>[])
    assert.equal((await post('/mcp', INITIALIZE, headers)).status, 200, JSON.stringify(headers));
});

test('another address wants a token, compares it, and never shows it', async () => {
  await assert.rejects(serve({ host: '0.0.0.0' }), /--token-file/);
  const path = join(folder, 'token');
  const tokenFile = { path, create: false };
  writeFileSync(path, 'short\n', { mode: 0o600 });
  await assert.rejects(serve({ host: '0.0.0.0', tokenFile }), /16/);
  for (const unsendable of [
    'two words of some length',
    'first-line-of-it\nsecond-line-of-it',
    'schlüssel-von-einiger-länge',
  ]) {
    writeFileSync(path, unsendable);
    await assert.rejects(serve({ tokenFile }), /one word/, unsendable);
  }
  await assert.rejects(serve({ tokenFile: { path: folder, create: false } }), {
    code: 'invalid_input',
    message: /cannot be read/,
  });
  const token = 'a-token-of-enough-length';
  writeFileSync(path, `${token}\n`);
  const logged: string[] = [];
  const open = await serve({ host: '0.0.0.0', tokenFile, log: (...parts) => logged.push(JSON.stringify(parts)) });
  try {
    assert.doesNotMatch(open.url, /0\.0\.0\.0/, 'an address that can be typed in elsewhere');
    const url = `http://127.0.0.1:${open.port}`;
    const attempt = (authorization?: string) =>
      send(`${url}/mcp`, { headers: { ...JSON_HEADERS, ...(authorization && { authorization }) }, body: INITIALIZE });
    const refused = await attempt();
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['www-authenticate'], 'Bearer');
    assert.equal((await attempt('Bearer wrong')).status, 401);
    assert.equal((await attempt(`Basic ${token}`)).status, 401);
    assert.equal((await attempt(`Bearer ${token}`)).status, 200);
    assert.equal((await send(`${url}/metrics`, { method: 'GET' })).status, 401);
    assert.equal((await send(`${url}/healthz`, { method: 'GET' })).status, 200);
    assert.equal(logged.join().includes(token), false);
  } finally {
    await open.close();
  }
});

test('a loopback server makes a token that only its owner can read, and keeps it', async () => {
  const tokenFile = { path: join(folder, 'data', 'token'), create: true };
  const servers = await Promise.all([serve({ tokenFile }), serve({ tokenFile })]);
  try {
    const [one, other] = servers.map(({ token }) => token);
    assert.match(one!, /^[\w-]{43}$/);
    assert.equal(one, other, 'servers that start at once share it');
    assert.equal(readFileSync(tokenFile.path, 'utf8'), `${one}\n`);
    if (process.platform !== 'win32') assert.equal(statSync(tokenFile.path).mode & 0o777, 0o600);
    const url = `${servers[0]!.url}/mcp`;
    assert.equal((await send(url, { headers: JSON_HEADERS, body: INITIALIZE })).status, 401);
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${one}` };
    assert.equal((await send(url, { headers, body: INITIALIZE })).status, 200);
    await assert.rejects(
      serve({ host: '0.0.0.0', tokenFile }),
      /--token-file/,
      'others need one that was made for them',
    );
  } finally {
    for (const one of servers) await one.close();
  }
});

test('a token file that others can read or write is refused', { skip: process.platform === 'win32' }, async () => {
  for (const create of [true, false])
    for (const mode of [0o644, 0o640, 0o620, 0o604]) {
      const path = join(folder, `token-${mode.toString(8)}-${create}`);
      writeFileSync(path, 'a-token-of-enough-length\n');
      chmodSync(path, mode);
      const refused = { code: 'invalid_input', message: new RegExp(`mode ${mode.toString(8)}`) };
      await assert.rejects(serve({ tokenFile: { path, create } }), refused);
    }
});

test('a request without the token learns nothing', async () => {
  const tokenFile = { path: join(folder, 'silent', 'token'), create: true };
  const own = await serve({ tokenFile });
  try {
    const answers = new Set<string>();
    for (const path of ['/mcp', '/mcp/toy', '/mcp/nothing', '/metrics', '/', '/nothing'])
      for (const body of ['{', INITIALIZE]) {
        const { status, headers, text } = await send(own.url + path, { headers: JSON_HEADERS, body });
        answers.add(`${status} ${Object.keys(headers).sort()} ${text}`);
      }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assert.match([...answers][0]!, /^401 /);
    // A client that asks for a way to authorize must learn that there is none.
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server'])
      assert.equal((await send(own.url + path, { method: 'GET' })).status, 404, path);
  } finally {
    await own.close();
  }
});

test('a client reaches the workspace and, on loopback, registered projects: no other folder of the machine', async () => {
  const tokenFile = { path: join(folder, 'token-of-many'), create: false };
  const token = 'a-token-of-enough-length';
  writeFileSync(tokenFile.path, token, { mode: 0o600 });
  const workspace = join(folder, 'served');
  mkdirSync(join(workspace, 'src'), { recursive: true });
  symlinkSync(folder, join(workspace, 'out'));
  const registered = join(folder, 'registered');
  mkdirSync(registered);
  const asked: string[] = [];
  const engine = {
    readFile: (path: string) => {
      asked.push(path);
      return Promise.reject(new EngineError('file_not_found', { path: 'x' }));
    },
    findPaths: () => Promise.resolve([]),
    registeredRoots: () => Promise.resolve([join(folder, 'registered')]),
  } as unknown as Engine;
  const options = { profiles: ['sextant'] as const, engine, workspace, tokenFile };
  const codes = async (host: string) => {
    const open = await serve({ ...options, host });
    const client = new Client({ name: 't', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    const address = new URL(`http://127.0.0.1:${open.port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    const found: string[] = [];
    for (const project of [
      undefined,
      'src',
      '..',
      folder,
      '/etc',
      join(workspace, 'out'),
      join(folder, 'gone'),
      registered,
    ]) {
      const { structuredContent } = await client.callTool({
        name: 'read_file',
        arguments: { path: 'x', ...(project && { project }) },
      });
      found.push((structuredContent as { error: { code: string } }).error.code);
    }
    await client.close();
    await open.close();
    return found;
  };
  const [here, away] = ['file_not_found', 'not_served'];
  assert.deepEqual(await codes('0.0.0.0'), [here, here, away, away, away, away, away, away]);
  assert.deepEqual(asked, [workspace, join(workspace, 'src')]);
  assert.deepEqual(await codes('127.0.0.1'), [here, here, away, away, away, away, away, here]);
});
