import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenRequests } from './open-requests.ts';

const line = (message: unknown) => Buffer.from(JSON.stringify(message));
const request = (id: number | string, method: string, params?: unknown) =>
  line({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
const answer = (id: number | string) => line({ jsonrpc: '2.0', id, result: {} });
const repeated = (requests: OpenRequests) => requests.repeat().lines.map((each) => JSON.parse(String(each)));

test('a new engine gets the handshake and the unanswered requests; the client gets no answer twice', () => {
  const requests = new OpenRequests();
  for (const message of [
    request(1, 'initialize'),
    line({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    request(2, 'tools/call'),
    request(3, 'tools/call'),
    line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }),
  ])
    requests.noteClient(message, true);
  assert.equal(requests.noteEngine(answer(1)), true);
  assert.deepEqual(
    repeated(requests).map((m) => m.id ?? m.method),
    [1, 'notifications/initialized', 2],
  );
  assert.equal(requests.noteEngine(answer(1)), false, 'the client has it already');
  assert.equal(requests.noteEngine(answer(2)), true);
  assert.equal(requests.count, 0);
});

test('a request is given up after two engines; an attempt without an engine does not count', () => {
  const requests = new OpenRequests();
  requests.noteClient(request('a', 'tools/call'), true);
  requests.noteClient(request('b', 'tools/call'), false);
  assert.deepEqual(requests.repeat().givenUp, []);
  assert.deepEqual(requests.repeat().givenUp, ['a']);
  assert.deepEqual(requests.repeat().givenUp, ['b']);
});

test('a request whose method must not run twice is sent to one engine only', () => {
  const requests = new OpenRequests();
  requests.noteClient(request(1, 'vendor/append'), true);
  requests.noteClient(request(2, 'vendor/append'), false);
  const { lines, givenUp } = requests.repeat();
  assert.deepEqual(givenUp, [1], 'the first engine may have done it');
  assert.deepEqual(
    lines.map((each) => JSON.parse(String(each)).id),
    [2],
  );
});

test('subscriptions are repeated until they end, and a batch is repeated unchanged', () => {
  const requests = new OpenRequests();
  for (const [id, method, uri] of [
    [1, 'resources/subscribe', 'file:///a'],
    [2, 'resources/subscribe', 'file:///b'],
    [3, 'resources/unsubscribe', 'file:///a'],
  ] as const) {
    requests.noteClient(request(id, method, { uri }), true);
    requests.noteEngine(answer(id));
  }
  const batch = line([JSON.parse(String(request(4, 'ping'))), JSON.parse(String(request(5, 'ping')))]);
  requests.noteClient(batch, true);
  requests.noteEngine(answer(4));
  const lines = repeated(requests);
  assert.deepEqual(lines[0].id, 2);
  assert.deepEqual(
    lines[1].map((m: { id: number }) => m.id),
    [4, 5],
  );
});

test("the client's answer to a dead engine does not reach the next one", () => {
  const requests = new OpenRequests();
  requests.noteEngine(request(0, 'roots/list'));
  requests.repeat();
  assert.equal(requests.noteClient(answer(0), true), false);
  assert.equal(requests.noteClient(answer(0), true), true, 'the next engine may ask under the same id');
});
