/** Inflates pieces of a few kilobytes with one reused zlib stream, for the same reason as deflater.ts. */
import { constants, createInflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type ZlibInternals, zlibInternals } from './deflater.ts';

/** Parts are about 8 KB (chunked-blob.ts). Longer ones are rare and are inflated by inflateRawSync(). */
const OUTPUT_BYTES = 64 << 10;
/**
 * inflateRawSync() grows its output chunk by chunk. Code deflates to a third or a fourth, so a chunk of six times the
 * input's length takes nearly every output at once, in two thirds of the time.
 */
const CHUNK_RATIO = 6;
const MIN_CHUNK_BYTES = 1024;

interface Inflater extends ZlibInternals {
  readonly output: Buffer;
  failed: boolean;
}

/** Null if the internals of node:zlib are not as expected. */
let inflater: Inflater | null | undefined;

export function inflateBytes(bytes: Uint8Array): Buffer {
  const length = inflateToOutput(bytes);
  return length < 0 ? inflateAlone(bytes) : Buffer.from(inflater!.output.subarray(0, length));
}

/** Inflates to text, without a copy of the bytes. */
export function inflateText(bytes: Uint8Array): string {
  const length = inflateToOutput(bytes);
  return length < 0 ? inflateAlone(bytes).toString() : inflater!.output.toString('utf8', 0, length);
}

/** Inflates with a new stream, which throws if the data is damaged. */
function inflateAlone(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { chunkSize: Math.max(MIN_CHUNK_BYTES, bytes.length * CHUNK_RATIO) });
}

/** The length of the output; -1 if the data is damaged or too long, or the reused stream cannot be made. */
function inflateToOutput(bytes: Uint8Array): number {
  if (inflater === undefined) inflater = makeInflater();
  return inflater === null ? -1 : run(inflater, bytes);
}

function run(used: Inflater, bytes: Uint8Array): number {
  const { handle, state, output } = used;
  used.failed = false;
  handle.reset();
  handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, output, 0, OUTPUT_BYTES);
  return used.failed || state[0] === 0 || state[1] !== 0 ? -1 : OUTPUT_BYTES - state[0]!;
}

/** Makes the reused stream and tests it with sound and damaged data; null if it does not work. */
function makeInflater(): Inflater | null {
  const internals = zlibInternals(createInflateRaw());
  if (internals === null) return null;
  const made: Inflater = { ...internals, output: Buffer.allocUnsafeSlow(OUTPUT_BYTES), failed: false };
  made.handle.onerror = () => {
    made.failed = true;
  };
  try {
    const sample = Buffer.from('what it unpacks is what every other one unpacks, '.repeat(4));
    const packed = deflateRawSync(sample);
    for (const piece of [packed, packed.subarray(0, packed.length - 1), packed]) {
      const length = run(made, piece);
      if (piece !== packed ? length >= 0 : !made.output.subarray(0, Math.max(0, length)).equals(sample)) return null;
    }
  } catch {
    return null;
  }
  return made;
}
