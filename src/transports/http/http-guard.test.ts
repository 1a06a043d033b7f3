import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { checkAccess, normaliseHost } from './http-guard.ts';

const status = (bound: string, headers: Record<string, string>, target = '/mcp') => {
  const rawHeaders = Object.entries(headers).flat();
  const request = { headers, rawHeaders } as unknown as IncomingMessage;
  return (
    checkAccess(request, new URL(target, 'http://localhost'), { host: normaliseHost(bound), token: null })?.status ??
    200
  );
};

test('a server accepts the address it is bound to, in every notation, and loopback', () => {
  for (const [bound, named] of [
    ['fd00::2', '[fd00::2]:7420'],
    ['[::1]', '[::1]:7420'],
    ['LOCALHOST', 'localhost'],
    ['Box.Example', 'box.example:7420'],
    ['192.0.2.2', '192.0.2.2'],
    ['192.0.2.2', '127.0.0.1:1'],
    ['0.0.0.0', '198.51.100.7:7420'],
    ['::', '[2001:db8::1]:7420'],
  ] as const) {
    assert.equal(status(bound, { host: named }), 200, `${bound} as ${named}`);
    assert.equal(status(bound, { host: named, origin: `http://${named}` }), 200, `${bound} from ${named}`);
  }
  for (const [bound, named] of [
    ['fd00::2', '[fd00::3]'],
    ['192.0.2.2', '192.0.2.3'],
    ['0.0.0.0', 'evil.example'],
    ['127.0.0.1', '192.0.2.2'],
  ] as const)
    assert.equal(status(bound, { host: named }), 403, `${bound} as ${named}`);
});

test("a server that other machines can reach accepts this machine's name, a loopback server does not", () => {
  const own = hostname();
  for (const bound of ['0.0.0.0', '::', '192.0.2.2'])
    for (const named of [own, `${own}:7420`, `${own}.local`]) assert.equal(status(bound, { host: named }), 200, named);
  for (const bound of ['127.0.0.1', '::1']) assert.equal(status(bound, { host: `${own}.local` }), 403);
});

test('a Host header that is not a name with an optional port gets 400, also with a user name in it', () => {
  for (const host of [
    'user:pw@localhost',
    'user@127.0.0.1:7420',
    'localhost/x',
    'localhost?',
    'local%68ost',
    'a b',
    '',
  ])
    assert.equal(status('127.0.0.1', { host }), 400, host);
  assert.equal(status('127.0.0.1', {}), 400, 'none');
  assert.equal(status('127.0.0.1', { host: 'localhost', HOST: 'localhost' }), 400, 'two');
});

test('an absolute URL in the request line must name this server, too', () => {
  const host = { host: '127.0.0.1' };
  assert.equal(status('127.0.0.1', host, 'http://127.0.0.1:7420/mcp'), 200);
  assert.equal(status('127.0.0.1', host, 'http://evil.example/mcp'), 403);
  assert.equal(status('127.0.0.1', host, '//evil.example/mcp'), 403);
  assert.equal(status('127.0.0.1', host, 'http://user:pw@127.0.0.1/mcp'), 400);
});
