import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EngineAddress } from './engine-address.ts';
import { greetEngine, HandshakeLost, HandshakeRefused, receiveClient } from './engine-handshake.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-hs-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const ADDRESS: EngineAddress = {
  path: process.platform === 'win32' ? `\\\\.\\pipe\\sextant-test-${process.pid}` : join(folder, 's'),
  version: '1.0.0',
  digest: 'abc',
  secret: 'the secret of the user',
};

/** The result of a handshake on both sides. */
async function meet(client: Partial<EngineAddress>, engine: (socket: Socket) => Promise<unknown>) {
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((ready) => server.listen(ADDRESS.path, ready));
  const served = new Promise((resolve) => {
    server.once('connection', (socket) => {
      const done = (wish: unknown) => {
        resolve(wish);
        socket.destroySoon();
      };
      engine(socket).then(done, done);
    });
  });
  const socket = openSocket(ADDRESS.path);
  const greeted = await greetEngine(socket, { ...ADDRESS, ...client }, { kind: 'stdio' }).then(
    () => 'greeted',
    (error: unknown) => error,
  );
  socket.destroy();
  const wish = await served;
  await new Promise((closed) => server.close(closed));
  return { greeted, wish };
}

test("with the same user, version and settings, the engine receives the client's wish", async () => {
  const { greeted, wish } = await meet({}, (socket) => receiveClient(socket, ADDRESS));
  assert.equal(greeted, 'greeted');
  assert.deepEqual(wish, { kind: 'stdio' });
});

test('both sides refuse another version, other settings or another secret', async () => {
  for (const other of [{ version: '2.0.0' }, { digest: 'xyz' }, { secret: 'a guess' }]) {
    const { greeted, wish } = await meet(other, (socket) => receiveClient(socket, ADDRESS));
    assert.ok(greeted instanceof HandshakeRefused, JSON.stringify(other));
    assert.ok(wish instanceof Error, JSON.stringify(other));
  }
});

test('an impostor that repeats the greeting has no proof; a disconnecting engine is lost, not refused', async () => {
  const impostor = await meet({}, async (socket) => {
    socket.write(`${JSON.stringify({ sextant: '1.0.0', digest: 'abc', nonce: 'n', proof: 'n' })}\n`);
  });
  assert.ok(impostor.greeted instanceof HandshakeRefused);
  const gone = await meet({}, async (socket) => socket.destroy());
  assert.ok(gone.greeted instanceof HandshakeLost);
});
