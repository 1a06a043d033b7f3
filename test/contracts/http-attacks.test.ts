/**
 * Attacks on the HTTP server that the security pages of OWASP and MCP describe, as raw bytes, because a client library
 * would not send them. Slower attacks are in test/hostile.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type HttpHandle, serveHttp } from '../../src/transports/index.ts';
import { envelope } from './raw-client.ts';
import { noEngine, toyProfile } from './toy-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-attacks-'));
let server: HttpHandle;
let bearer: string;
before(async () => {
  server = await serveHttp({
    profiles: [toyProfile(), { ...toyProfile(), name: 'other' }],
    engine: noEngine,
    workspace: null,
    version: '0.0.0',
    log: () => {},
    host: '127.0.0.1',
    port: 0,
    tokenFile: { path: join(folder, 'token'), create: true },
  });
  bearer = `Authorization: Bearer ${server.token}`;
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const TYPES = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream';
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

/** Sends raw bytes and returns the whole response until the server closes the connection. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
const request = (first: string, headers: readonly string[], body = '') =>
  `${[`${first} HTTP/1.1`, 'Host: 127.0.0.1', bearer, ...headers].join('\r\n')}\r\n\r\n${body}`;
const post = (path: string, body: string, headers: readonly string[] = []) =>
  request(`POST ${path}`, [TYPES, 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, ...headers], body);

test('the server refuses requests of ambiguous length and does not answer bytes after them', async () => {
  const hidden = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const length = `Content-Length: ${hidden.length}`;
  const ambiguous = [
    [length, 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', length],
    [length, 'Content-Length: 0'],
    ['Content-Length: 0', length],
    [`Content-Length: 0, ${hidden.length}`],
    ['Content-Length: -1'],
    ['Content-Length: +5'],
    ['Content-Length: 0x10'],
    ['Content-Length : 5'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding: chunked\r\n folded'],
    ['X-Fold: a\r\n b'],
    ['X-Nul: a\0b'],
    ['Host: 127.0.0.1'],
    ['Host: evil.example'],
  ].map(async (headers) => {
    const text = await exchange(request('POST /mcp', [TYPES, ...headers], hidden));
    const [first, ...others] = statuses(text);
    assert.ok(first === 400 || first === undefined, `${JSON.stringify(headers)}: ${text}`);
    assert.deepEqual(others, [], JSON.stringify(headers));
  });
  const malformed = [
    '5;ext=\nGET / \r\n',
    '\x01\r\n',
    'FFFFFFFFFFFFFFFFF\r\nx',
    '5\r\nabcdeX0\r\n\r\n',
    '5\nabcde\n0\n\n',
  ].map(async (chunks) => {
    const text = await exchange(request('POST /mcp', [TYPES, 'Transfer-Encoding: chunked'], chunks + hidden));
    assert.ok(!statuses(text).includes(200), `${JSON.stringify(chunks)}: ${text}`);
  });
  await Promise.all([...ambiguous, ...malformed]);
});

test('the server refuses invalid request lines, other protocols and tunnels', async () => {
  for (const bytes of [
    'GET /\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    `GET /metrics HTTP/1.1\nHost: 127.0.0.1\n${bearer}\n\n`,
    request('CONNECT 127.0.0.1:22', []),
    request('GET /\r\nX: y', []),
  ])
    assert.ok(!statuses(await exchange(bytes)).includes(200), JSON.stringify(bytes));
  const upgrade = await exchange(
    request('GET /mcp', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: eA==']),
  );
  assert.doesNotMatch(upgrade, / 101 /);
  assert.deepEqual(statuses(await exchange(request('TRACE /mcp', ['Connection: close']))), [405]);
});

test('the server refuses endless headers and URLs', async () => {
  assert.deepEqual(statuses(await exchange(request('GET /mcp', [`X-Long: ${'a'.repeat(20_000)}`]))), [431]);
  assert.deepEqual(statuses(await exchange(request(`GET /${'a'.repeat(20_000)}`, []))), [431]);
  const many = Array.from({ length: 3_000 }, (_, i) => `X-${i}: 1`);
  assert.deepEqual(statuses(await exchange(request('GET /mcp', many))), [431]);
});

test('the server accepts the token only in its header, once and complete', async () => {
  const token = server.token!;
  const ask = async (path: string, headers: readonly string[]) =>
    statuses(
      await exchange(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers.map((h) => `${h}\r\n`).join('')}\r\n`,
      ),
    )[0];
  for (const [path, headers] of [
    [`/metrics?token=${token}`, []],
    [`/metrics?access_token=${token}`, []],
    ['/metrics', [`Cookie: token=${token}`]],
    ['/metrics', [`X-Authorization: Bearer ${token}`]],
    ['/metrics', [`Authorization: Basic ${Buffer.from(`:${token}`).toString('base64')}`]],
    ['/metrics', [`Authorization: Bearer ${token.slice(0, -1)}`]],
    ['/metrics', [`Authorization: Bearer ${token}x`]],
    ['/metrics', [`Authorization: Bearer ${token.toUpperCase()}`]],
    ['/metrics', ['Authorization: Bearer']],
    ['/metrics', ['Authorization: Bearer wrong', `Authorization: Bearer ${token}`]],
    ['/healthz/../metrics', []],
    ['/metrics#/healthz', []],
    ['/%6detrics', []],
    ['/mcp/../metrics', []],
  ] as const)
    assert.notEqual(await ask(path, headers), 200, `${path} ${headers}`);
  assert.equal(await ask('/metrics', [`Authorization: Bearer ${token}`]), 200);
  assert.equal(await ask('/metrics', [`authorization: bearer ${token}`]), 200);
});

test('no response has a header that lets a page of another origin read it', async () => {
  const origin = ['Origin: http://localhost:3000', 'Connection: close'];
  for (const bytes of [
    request('OPTIONS /mcp', [
      ...origin,
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: content-type',
    ]),
    request('GET /metrics', origin),
    post('/mcp', INITIALIZE, ['Origin: http://localhost:3000']),
  ]) {
    const text = await exchange(bytes);
    assert.doesNotMatch(text, /access-control-/i);
    assert.match(text, /x-content-type-options: nosniff/i);
  }
});

test('the server chooses session ids, which are valid for one profile until the session ends', async () => {
  const idOf = (text: string) => /^mcp-session-id: (\S+)/im.exec(text)?.[1];
  const chosen = '11111111-1111-4111-8111-111111111111';
  const fixed = await exchange(post('/mcp', INITIALIZE, [`Mcp-Session-Id: ${chosen}`]));
  const id = idOf(fixed)!;
  assert.notEqual(id, chosen);
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  const status = async (path: string, session: string) =>
    statuses(await exchange(post(path, ping, [`Mcp-Session-Id: ${session}`])))[0];
  assert.equal(await status('/mcp', chosen), 404);
  assert.equal(await status('/mcp/other', id), 404);
  assert.equal(await status('/mcp', `${id}, ${id}`), 404);
  assert.equal(await status('/mcp', '__proto__'), 404);
  assert.equal(await status('/mcp', id), 200);
  const stranger = post('/mcp', ping, [`Mcp-Session-Id: ${id}`]).replace(`${bearer}\r\n`, '');
  assert.deepEqual(statuses(await exchange(stranger)), [401], 'the id alone opens nothing');
  assert.deepEqual(
    statuses(await exchange(request('DELETE /mcp', [`Mcp-Session-Id: ${id}`, 'Connection: close']))),
    [200],
  );
  assert.equal(await status('/mcp', id), 404);
});

test('JSON keys such as __proto__ change no object', async () => {
  const evil = '{"polluted":true}';
  const nested = `{"__proto__":${evil},"constructor":{"prototype":${evil}},"prototype":${evil}}`;
  const bodies = [
    `{"jsonrpc":"2.0","id":1,"method":"initialize","__proto__":${evil},"params":{"protocolVersion":"2025-11-25","capabilities":${nested},"clientInfo":{"name":"t","version":"1","__proto__":${evil}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x","__proto__":${evil}},"_meta":${JSON.stringify(envelope()).slice(0, -1)},"__proto__":${evil}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":${nested},"_meta":${JSON.stringify(envelope())}}}`,
    nested,
    `[${nested}]`,
  ];
  for (const body of bodies) {
    await exchange(post('/mcp', body));
    await exchange(
      post('/mcp', body, ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: echo']),
    );
  }
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.deepEqual(statuses(await exchange(post('/mcp', INITIALIZE))), [200]);
});
