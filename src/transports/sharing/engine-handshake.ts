/**
 * The handshake of a connection to the shared engine. Both sides send their version and digest and prove that they know
 * the user's secret; the client sends its request to be served. On Unix the folder keeps other users out; on Windows
 * any user may create a pipe of any name, so only the proof tells the engine from an impostor.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { EngineAddress } from './engine-address.ts';

const MAX_LINE_BYTES = 256 * 1024;
/** Timeout for an answer; the caller then opens its own engine. */
const ANSWER_TIMEOUT_MS = 5_000;

export class HandshakeRefused extends Error {}
/** The other side disconnected, as an engine does that is shutting down. */
export class HandshakeLost extends Error {}

/**
 * The client's side. Throws HandshakeRefused if the other side is not an engine with the same settings, or
 * HandshakeLost.
 */
export async function greetEngine(socket: Socket, address: EngineAddress, wish: unknown): Promise<void> {
  const nonce = randomBytes(16).toString('hex');
  send(socket, { sextant: address.version, digest: address.digest, nonce });
  const answer = await receive(socket);
  if (answer.digest !== address.digest || answer.sextant !== address.version)
    throw new HandshakeRefused('The engine is of another version or has other settings.');
  if (!isProof(answer.proof, address, `engine ${nonce}`)) throw new HandshakeRefused('The engine has no proof.');
  send(socket, { proof: prove(address, `client ${String(answer.nonce)}`), wish });
}

/** The engine's side; returns the client's wish. Throws HandshakeRefused. */
export async function receiveClient(socket: Socket, address: EngineAddress): Promise<unknown> {
  const greeting = await receive(socket);
  const nonce = randomBytes(16).toString('hex');
  const proof = prove(address, `engine ${String(greeting.nonce)}`);
  send(socket, { sextant: address.version, digest: address.digest, nonce, proof });
  if (greeting.digest !== address.digest || greeting.sextant !== address.version)
    throw new HandshakeRefused('The client is of another version or has other settings.');
  const wanted = await receive(socket);
  if (!isProof(wanted.proof, address, `client ${nonce}`)) throw new HandshakeRefused('The client has no proof.');
  return wanted.wish;
}

function prove({ secret, digest }: EngineAddress, text: string): string {
  return createHmac('sha256', secret).update(`${digest} ${text}`).digest('hex');
}

function isProof(given: unknown, address: EngineAddress, text: string): boolean {
  const expected = Buffer.from(prove(address, text));
  const received = Buffer.from(String(given));
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function send(socket: Socket, message: Readonly<Record<string, unknown>>): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** Reads one line, which must be a JSON object; later bytes stay in the socket. */
async function receive(socket: Socket, timeoutMs = ANSWER_TIMEOUT_MS): Promise<Record<string, unknown>> {
  const line = await receiveLine(socket, timeoutMs);
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch {
    // Not JSON: some other program is listening.
  }
  throw new HandshakeRefused('The other side did not answer with a JSON object.');
}

function receiveLine(socket: Socket, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const stop = () => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onClosed).off('close', onClosed).off('error', onClosed);
      socket.pause();
    };
    const fail = (reason: string, Kind: typeof HandshakeRefused | typeof HandshakeLost = HandshakeRefused) => {
      stop();
      reject(new Kind(reason));
    };
    const onClosed = () => fail('The connection was closed.', HandshakeLost);
    const timer = setTimeout(() => fail('No answer.'), timeoutMs);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(10);
      if (end < 0 && received.length > MAX_LINE_BYTES) return fail('The line is too long.');
      if (end < 0) return;
      stop();
      if (end + 1 < received.length) socket.unshift(received.subarray(end + 1));
      resolve(received.toString('utf8', 0, end));
    };
    socket.on('data', onData).on('end', onClosed).on('close', onClosed).on('error', onClosed);
    socket.resume();
  });
}
