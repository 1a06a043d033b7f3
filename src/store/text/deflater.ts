/**
 * Deflates pieces of a few kilobytes with one reused zlib stream. deflateRawSync() of node:zlib makes a stream with a
 * quarter of a megabyte of memory for each piece, which takes half as long as the compression itself. node:zlib has no
 * public way to reuse a stream, so this uses its internals. If they are not as expected, deflateRawSync() is used.
 */
import { constants, createDeflateRaw, deflateRawSync } from 'node:zlib';

const OPTIONS = { level: 1 } as const;
/** Longer texts are rare and are deflated by deflateRawSync(). */
const MAX_INPUT_BYTES = 32 * 1024;
/** Room for incompressible input and the headers of its blocks. */
const OUTPUT_BYTES = MAX_INPUT_BYTES + 1024;

interface Handle {
  reset(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputLength: number,
    output: Uint8Array,
    outputAt: number,
    outputLength: number,
  ): void;
}

export interface ZlibInternals {
  readonly handle: Handle & { onerror?: () => void };
  /** After a call: the unused bytes of the output, and the unread bytes of the input. */
  readonly state: Uint32Array;
}

interface Compressor extends ZlibInternals {
  readonly output: Buffer;
}

let compressor: Compressor | null | undefined;

export function deflateRaw(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_INPUT_BYTES) return deflateRawSync(bytes, OPTIONS);
  if (compressor === undefined) compressor = makeCompressor();
  return (compressor && run(compressor, bytes)) ?? deflateRawSync(bytes, OPTIONS);
}

/** Null if one call did not deflate the whole input. */
function run({ handle, state, output }: Compressor, bytes: Uint8Array): Uint8Array | null {
  handle.reset();
  handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, output, 0, output.length);
  const left = state[0]!;
  if (state[1] !== 0 || left === 0) return null;
  return new Uint8Array(output.subarray(0, output.length - left));
}

/** Makes the reused stream and compares its output with deflateRawSync(); null if it does not work. */
function makeCompressor(): Compressor | null {
  const internals = zlibInternals(createDeflateRaw(OPTIONS));
  if (internals === null) return null;
  const made = { ...internals, output: Buffer.allocUnsafeSlow(OUTPUT_BYTES) };
  try {
    const sample = Buffer.from('what it packs is what every other compressor packs, '.repeat(4));
    for (let i = 0; i < 2; i++) {
      const packed = run(made, sample);
      if (!packed || !deflateRawSync(sample, OPTIONS).equals(packed)) return null;
    }
  } catch {
    return null;
  }
  return made;
}

/** The internals of a node:zlib stream; null if they are not as expected. */
export function zlibInternals(stream: object): ZlibInternals | null {
  const { _handle: handle, _writeState: state } = stream as {
    readonly _handle?: ZlibInternals['handle'];
    readonly _writeState?: Uint32Array;
  };
  if (typeof handle?.writeSync !== 'function' || typeof handle.reset !== 'function') return null;
  return state instanceof Uint32Array && state.length >= 2 ? { handle, state } : null;
}
