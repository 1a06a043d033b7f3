/**
 * Deflates pieces of some kilobytes, one after the other, with one compressor: node:zlib makes a new one for each, a
 * stream with a quarter of a megabyte behind it, which takes half as long again as the compression. It has the parts
 * for this, though not as a function of its own; where they are not as they were found here, each piece gets its
 * compressor.
 */
import { constants, createDeflateRaw, deflateRawSync } from 'node:zlib';

const OPTIONS = { level: 1 } as const;
/** Longer texts are rare, and get a compressor of their own. */
const LONGEST = 32 * 1024;
/** Of a piece that does not pack at all, with all that is added to it. */
const ROOM = LONGEST + 1024;

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
  /** After a call: how much room is left in the output, and how much of the input. */
  readonly state: Uint32Array;
}

interface Compressor extends ZlibInternals {
  readonly output: Buffer;
}

let compressor: Compressor | null | undefined;

export function deflateRaw(bytes: Uint8Array): Uint8Array {
  if (bytes.length > LONGEST) return deflateRawSync(bytes, OPTIONS);
  if (compressor === undefined) compressor = makeCompressor();
  return (compressor && run(compressor, bytes)) ?? deflateRawSync(bytes, OPTIONS);
}

/** Null where it did not come to an end in one go. */
function run({ handle, state, output }: Compressor, bytes: Uint8Array): Uint8Array | null {
  handle.reset();
  handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, output, 0, output.length);
  const left = state[0]!;
  if (state[1] !== 0 || left === 0) return null;
  return new Uint8Array(output.subarray(0, output.length - left));
}

function makeCompressor(): Compressor | null {
  const parts = zlibInternals(createDeflateRaw(OPTIONS));
  if (parts === null) return null;
  const made = { ...parts, output: Buffer.allocUnsafeSlow(ROOM) };
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
