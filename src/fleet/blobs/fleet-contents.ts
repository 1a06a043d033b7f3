/**
 * Stores derived contents in the index `blobs`: one document each, identified by blob id, language and extractor,
 * created once by its first writer. Contents have no owner; a subject may read one if a snapshot that it may see names
 * it, or if it has the content's id.
 */
import { createHash } from 'node:crypto';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ContentSource, KnownContent } from '../../store/snapshot-source.ts';
import { CHUNK_STRIDE, type ContentBatch, type ContentKey } from '../../store/store.ts';
import { createDocuments } from '../opensearch/bulk-write.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { packContent, unpackContent } from './packed-content.ts';
import { splitBatch } from './split-batch.ts';

interface Found<T> {
  readonly _id: string;
  readonly found: boolean;
  readonly _source?: T;
}

/** Keys per existence check, and per read: an answer of a few megabytes. */
const KNOWN_AT_ONCE = 1_000;
const READ_AT_ONCE = 100;
const READS_IN_FLIGHT = 3;

/** The document id of a content. */
export function contentIdOf({ blobId, language }: ContentKey, extractor: string): string {
  return `${blobId}.${language}.${suffixOf(extractor)}`;
}

let lastSuffix = { extractor: '', suffix: '' };

/** Cached, because the same extractor is used many times. */
function suffixOf(extractor: string): string {
  if (lastSuffix.extractor !== extractor || lastSuffix.suffix === '')
    lastSuffix = { extractor, suffix: createHash('sha256').update(extractor).digest('hex').slice(0, 16) };
  return lastSuffix.suffix;
}

/** `extractor` identifies everything that decides what is derived, the model included. */
export function fleetContents(cluster: SearchCluster, prefix: string, extractor: string): ContentSource {
  const index = indexName(prefix, 'blobs');
  const idOf = (key: ContentKey) => contentIdOf(key, extractor);
  const get = async <T>(keys: readonly ContentKey[], fields: readonly string[] | true) => {
    const query: Record<string, string> = fields === true ? {} : { _source_includes: fields.join(',') };
    const ids = keys.map(idOf);
    const path = `/${index}/_mget`;
    const { body } = await cluster.ask<{ docs: Found<T>[] }>({ method: 'POST', path, query, body: { ids } });
    return body.docs.map((doc, i) => ({ key: keys[i]!, source: doc.found ? doc._source! : null }));
  };
  return {
    async known(keys) {
      const known: KnownContent[] = [];
      for (const some of portions(keys, KNOWN_AT_ONCE))
        for (const { key, source } of await get<{ bytes: number; lines: number }>(some, ['bytes', 'lines']))
          if (source) known.push({ ...key, ...source });
      return known;
    },
    async *read(keys) {
      const read = async (some: readonly ContentKey[]) => {
        const found = await get<{ data: string }>(some, true);
        return found.flatMap(({ key, source }) => (source ? [checked(key, source.data)] : []));
      };
      yield* inFlight([...portions(keys, READ_AT_ONCE)], read);
    },
    async write(batch) {
      const documents = splitBatch(batch).map((single) => {
        const [content] = single.contents;
        const data = packContent(single).toString('base64');
        const source = {
          blob: content!.blobId,
          language: content!.language,
          extractor,
          bytes: content!.byteSize,
          lines: content!.lineCount,
          chunks: content!.chunks.length / CHUNK_STRIDE,
          storedAtMs: Date.now(),
          data,
        };
        return { index, id: idOf(content!), source, size: data.length + 300 };
      });
      return createDocuments(cluster, documents);
    },
  };
}

/**
 * Checks that the received content is the requested one: an index filled by another program must not replace a content.
 */
function checked(key: ContentKey, data: string): ContentBatch {
  const batch = unpackContent(Buffer.from(data, 'base64'));
  const [content] = batch.contents;
  if (content!.blobId === key.blobId && content!.language === key.language) return batch;
  throw new EngineError('store_corrupt', { path: 'a blob of the fleet', reason: `${key.blobId} is another content` });
}

function* portions<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** Requests ahead and yields in order, so that a reader that unpacks does not wait for the network. */
async function* inFlight(
  portionsOfKeys: readonly (readonly ContentKey[])[],
  read: (keys: readonly ContentKey[]) => Promise<ContentBatch[]>,
): AsyncGenerator<ContentBatch> {
  const waiting: Promise<ContentBatch[]>[] = [];
  let next = 0;
  const start = () => {
    if (next >= portionsOfKeys.length) return;
    const reading = read(portionsOfKeys[next++]!);
    // Awaited later, in order; an earlier failure must not end the process as an unhandled rejection.
    reading.catch(() => undefined);
    waiting.push(reading);
  };
  for (let i = 0; i < READS_IN_FLIGHT; i++) start();
  while (waiting.length > 0) {
    const batches = await waiting.shift()!;
    start();
    yield* batches;
  }
}
