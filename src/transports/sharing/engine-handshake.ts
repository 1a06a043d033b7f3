/**
 * The first lines of a connection to the engine. Both sides name their version and digest, and prove that they know the
 * user's secret; the client says what it wants. On Unix the folder keeps other users out; on Windows anybody may make a
 * pipe of any name, and only the proof tells the engine from an impostor.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { EngineAddress } from './engine-address.ts';

const LONGEST_LINE = 256 * 1024;
/** An engine that does not answer for longer is no help: the caller then opens its own. */
const PATIENCE_MS = 5_000;

export class HandshakeRefused extends Error {}
/** The other side disconnected: an engine that was just shutting down. */
export class HandshakeLost extends Error {}

/** Client side. Throws HandshakeRefused where the other side is no engine of ours, or HandshakeLost. */
export async function greetEngine(socket: Socket, address: EngineAddress, wish: unknown): Promise<void> {
  const nonce = randomBytes(16).toString('hex');
  send(socket, { sextant: address.version, digest: address.digest, nonce });
  const answer = await receive(socket);
  if (answer.digest !== address.digest || answer.sextant !== address.version)
    throw new HandshakeRefused('The engine is of another version or has other settings.');
  if (!isProof(answer.proof, address, `engine ${nonce}`)) throw new HandshakeRefused('The engine has no proof.');
  send(socket, { proof: prove(address, `client ${String(answer.nonce)}`), wish });
}

/** Engine side: what the client wants. Throws HandshakeRefused. */
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

export function send(socket: Socket, message: Readonly<Record<string, unknown>>): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** One line, which must be a JSON object; what follows it stays in the socket. */
export async function receive(socket: Socket, patienceMs = PATIENCE_MS): Promise<Record<string, unknown>> {
  const line = await receiveLine(socket, patienceMs);
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch {
    // Not an engine, or not one of ours.
  }
  throw new HandshakeRefused('The other side does not speak our language.');
}

function receiveLine(socket: Socket, patienceMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const stop = () => {
      clearTimeout(timer);
      socket.off('data', take).off('end', lost).off('close', lost).off('error', lost);
      socket.pause();
    };
    const fail = (reason: string, Kind: typeof HandshakeRefused | typeof HandshakeLost = HandshakeRefused) => {
      stop();
      reject(new Kind(reason));
    };
    const lost = () => fail('The connection was closed.', HandshakeLost);
    const timer = setTimeout(() => fail('No answer.'), patienceMs);
    const take = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(10);
      if (end < 0 && held.length > LONGEST_LINE) return fail('The line is too long.');
      if (end < 0) return;
      stop();
      if (end + 1 < held.length) socket.unshift(held.subarray(end + 1));
      resolve(held.toString('utf8', 0, end));
    };
    socket.on('data', take).on('end', lost).on('close', lost).on('error', lost);
    socket.resume();
  });
}
