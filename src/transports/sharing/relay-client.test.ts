import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { relayClient, type Upstream } from './relay-client.ts';

/** Takes nothing and asks the writer to wait, as the socket of a killed process does. */
function fullEngine(): Upstream {
  return { readable: new PassThrough(), writable: new Writable({ highWaterMark: 1, write: () => undefined }) };
}

/** Answers every request with its method. */
function workingEngine(): Upstream {
  const [readable, writable] = [new PassThrough(), new PassThrough()];
  writable.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) {
      const { id, method } = JSON.parse(line);
      readable.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { method } })}\n`);
    }
  });
  return { readable, writable };
}

test('the relay reads from the client again after an engine died while the input was paused', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const full = fullEngine();
  const engines = [full, workingEngine()];
  const stop = new AbortController();
  const relay = relayClient({ input, output, connect: async () => engines.shift()!, signal: stop.signal });
  const ask = (id: number, method: string) => input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`);
  const answer = async () => JSON.parse(String((await once(output, 'data'))[0])).result.method;

  // By then the relay has its engine.
  await new Promise(setImmediate);
  ask(1, 'tools/list');
  await new Promise(setImmediate);
  assert.equal(input.isPaused(), true);
  const first = answer();
  full.readable.destroy();
  assert.equal(await first, 'tools/list');
  const second = answer();
  ask(2, 'ping');
  assert.equal(await second, 'ping');
  stop.abort();
  await relay;
});
