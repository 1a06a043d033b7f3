/**
 * Inflates pieces of some kilobytes, one after the other, with one stream's inside, as deflater.ts packs them, and for
 * the same reason.
 */
import { constants, createInflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type ZlibInternals, zlibInternals } from './deflater.ts';

/** Parts are about 8 KB (chunked-blob.ts). Longer ones are rare, and get a stream of their own. */
const ROOM = 64 << 10;
/**
 * Code packs to a third or a fourth: with room for six times its length, nearly all of it is unpacked in one piece, in
 * two thirds of the time.
 */
const RATIO = 6;
const LEAST_ROOM = 1024;

interface Inside extends ZlibInternals {
  readonly room: Buffer;
  failed: boolean;
}

/** Null where Node is not as expected. */
let inside: Inside | null | undefined;

export function inflateBytes(bytes: Uint8Array): Buffer {
  const length = unpack(bytes);
  return length < 0 ? alone(bytes) : Buffer.from(inside!.room.subarray(0, length));
}

/** Inflates to text, without a copy of the bytes. */
export function inflateText(bytes: Uint8Array): string {
  const length = unpack(bytes);
  return length < 0 ? alone(bytes).toString() : inside!.room.toString('utf8', 0, length);
}

/** Uses a stream of its own, which throws if the data is damaged. */
function alone(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { chunkSize: Math.max(LEAST_ROOM, bytes.length * RATIO) });
}

/** How much of the room the piece takes; -1 where it is damaged, too long, or Node not as expected. */
function unpack(bytes: Uint8Array): number {
  if (inside === undefined) inside = open();
  return inside === null ? -1 : run(inside, bytes);
}

function run(used: Inside, bytes: Uint8Array): number {
  const { handle, state, room } = used;
  used.failed = false;
  handle.reset();
  handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, room, 0, ROOM);
  return used.failed || state[0] === 0 || state[1] !== 0 ? -1 : ROOM - state[0]!;
}

function open(): Inside | null {
  const parts = zlibInternals(createInflateRaw());
  if (parts === null) return null;
  const made: Inside = { ...parts, room: Buffer.allocUnsafeSlow(ROOM), failed: false };
  made.handle.onerror = () => {
    made.failed = true;
  };
  try {
    const sample = Buffer.from('what it unpacks is what every other one unpacks, '.repeat(4));
    const packed = deflateRawSync(sample);
    for (const piece of [packed, packed.subarray(0, packed.length - 1), packed]) {
      const length = run(made, piece);
      if (piece !== packed ? length >= 0 : !made.room.subarray(0, Math.max(0, length)).equals(sample)) return null;
    }
  } catch {
    return null;
  }
  return made;
}
