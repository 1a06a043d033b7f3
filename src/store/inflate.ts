import { inflateRawSync } from 'node:zlib';

/** Code packs to a third or a fourth: with room for six times its length, nearly all of it is unpacked in one piece, in two thirds of the time. */
const ROOM = 6;
const LEAST_ROOM = 1024;

export function inflate(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { chunkSize: Math.max(LEAST_ROOM, bytes.length * ROOM) });
}
