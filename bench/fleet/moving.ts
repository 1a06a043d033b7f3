/**
 * What moves faster from OpenSearch to a node: the contents of a repository one document each, as the fleet keeps them,
 * or the same bytes in segments of a few megabytes.
 */
import { packContent, unpackContent } from '../../src/fleet/blobs/packed-content.ts';
import type { SnapshotHead } from '../../src/fleet/snapshots/published-snapshots.ts';
import type { BenchedFleet } from './fleet.ts';

export interface Moved {
  readonly contents: number;
  readonly mb: number;
  readonly segments: number;
  readonly blobsMs: number;
  readonly segmentsMs: number;
}

const SEGMENT_BYTES = 4 << 20;
const LENGTH_BYTES = 4;
const ROUNDS = 3;

/** The quickest of some rounds, in turns; everything is unpacked. */
export async function compareMoving(fleet: BenchedFleet, { repository, ref }: SnapshotHead): Promise<Moved> {
  const { connection } = fleet;
  const { files } = (await fleet.snapshots.read(repository, ref))!;
  const keys = [...new Map(files.map((file) => [`${file.blobId} ${file.language}`, file])).values()];
  const packed: Buffer[] = [];
  for await (const batch of fleet.contents.read(keys)) packed.push(packContent(batch));
  const index = `${fleet.prefix}-segments`;
  const mappings = { dynamic: false };
  const settings = { number_of_shards: 3, number_of_replicas: 1 };
  await connection.ask({ method: 'PUT', path: `/${index}`, body: { settings, mappings } });
  const segments = joined(packed);
  for (const [i, segment] of segments.entries())
    await connection.ask({ method: 'PUT', path: `/${index}/_doc/${i}`, body: { data: segment.toString('base64') } });
  const readBlobs = async () => {
    let read = 0;
    for await (const _ of fleet.contents.read(keys)) read++;
    return read;
  };
  const readSegments = async () => {
    const read = await Promise.all(
      segments.map(async (_, i) => {
        const { body } = await connection.ask<{ _source: { data: string } }>({
          method: 'GET',
          path: `/${index}/_doc/${i}`,
        });
        return [...cut(Buffer.from(body._source.data, 'base64'))].map(unpackContent).length;
      }),
    );
    return read.reduce((sum, count) => sum + count, 0);
  };
  const times = { blobs: Number.POSITIVE_INFINITY, segments: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    times.blobs = Math.min(times.blobs, await timed(readBlobs, packed.length));
    times.segments = Math.min(times.segments, await timed(readSegments, packed.length));
  }
  await connection.ask({ method: 'DELETE', path: `/${index}` });
  return {
    contents: packed.length,
    mb: packed.reduce((sum, { length }) => sum + length, 0) / (1 << 20),
    segments: segments.length,
    blobsMs: times.blobs,
    segmentsMs: times.segments,
  };
}

async function timed(read: () => Promise<number>, expected: number): Promise<number> {
  const started = performance.now();
  const count = await read();
  if (count !== expected) throw new Error(`${count} contents arrived of ${expected}`);
  return performance.now() - started;
}

function joined(contents: readonly Buffer[]): Buffer[] {
  const segments: Buffer[] = [];
  let parts: Buffer[] = [];
  let size = 0;
  const end = () => {
    if (parts.length > 0) segments.push(Buffer.concat(parts));
    parts = [];
    size = 0;
  };
  for (const content of contents) {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(content.length);
    parts.push(length, content);
    size += LENGTH_BYTES + content.length;
    if (size >= SEGMENT_BYTES) end();
  }
  end();
  return segments;
}

function* cut(segment: Buffer): Generator<Buffer> {
  for (let at = 0; at < segment.length; ) {
    const length = segment.readUInt32LE(at);
    yield segment.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
    at += LENGTH_BYTES + length;
  }
}
