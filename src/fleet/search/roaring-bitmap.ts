/**
 * A set of integers in the portable format of Roaring bitmaps, which OpenSearch accepts in place of a list of terms: a
 * few kilobytes for tens of thousands of numbers. Pure. https://github.com/RoaringBitmap/RoaringFormatSpec
 */

/** The format without run containers. */
const COOKIE = 12_346;
/** Larger containers are bitmaps of 65,536 bits; others are sorted lists of 16-bit numbers. */
const MAX_ARRAY_LENGTH = 4_096;
const BITS_BYTES = 8_192;

/** `numbers`: from 0 to 2^31 - 1, in any order. */
export function roaringBitmap(numbers: readonly number[]): Buffer {
  const containers = containersOf(numbers);
  const header = Buffer.alloc(8 + containers.length * 8);
  header.writeUInt32LE(COOKIE, 0);
  header.writeUInt32LE(containers.length, 4);
  const bodies = containers.map(({ low }) => (low.length > MAX_ARRAY_LENGTH ? bitsOf(low) : listOf(low)));
  let offset = header.length;
  containers.forEach(({ high, low }, i) => {
    header.writeUInt16LE(high, 8 + i * 4);
    header.writeUInt16LE(low.length - 1, 10 + i * 4);
    header.writeUInt32LE(offset, 8 + containers.length * 4 + i * 4);
    offset += bodies[i]!.length;
  });
  return Buffer.concat([header, ...bodies]);
}

interface Container {
  /** The upper 16 bits of the container's numbers; `low` holds the lower ones, sorted. */
  readonly high: number;
  readonly low: number[];
}

function containersOf(numbers: readonly number[]): Container[] {
  const containers: Container[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const high = number >>> 16;
    if (containers.at(-1)?.high !== high) containers.push({ high, low: [] });
    containers.at(-1)!.low.push(number & 0xffff);
  }
  return containers;
}

function listOf(low: readonly number[]): Buffer {
  const body = Buffer.alloc(low.length * 2);
  low.forEach((number, i) => {
    body.writeUInt16LE(number, i * 2);
  });
  return body;
}

function bitsOf(low: readonly number[]): Buffer {
  const body = Buffer.alloc(BITS_BYTES);
  for (const number of low) body[number >> 3]! |= 1 << (number & 7);
  return body;
}
