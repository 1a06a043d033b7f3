/**
 * Serves derived contents to clients that have the file already: a client that names a content by its git id has the
 * content, or got the id from a client that has it. A token is required all the same.
 */
import { fleetContents } from '../blobs/fleet-contents.ts';
import { packContent } from '../blobs/packed-content.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';

export const BLOBS_PATH = '/blobs';
export const BLOBS_AT_ONCE = 200;
const BLOB_ID = /^[0-9a-f]{40}$/;
const LANGUAGE = /^[\w+#-]{1,40}$/;
const MAX_EXTRACTOR_CHARS = 300;

export interface BlobRequest {
  readonly extractor: string;
  readonly keys: readonly { readonly blobId: string; readonly language: string }[];
}

/** Base64 of each existing content, as packContent() packs it; null for an invalid request. */
export async function sharedBlobs(cluster: SearchCluster, prefix: string, body: Buffer): Promise<string[] | null> {
  const requested = readBlobRequest(body);
  if (!requested) return null;
  const blobs: string[] = [];
  for await (const batch of fleetContents(cluster, prefix, requested.extractor).read(requested.keys))
    blobs.push(packContent(batch).toString('base64'));
  return blobs;
}

export function readBlobRequest(body: Buffer): BlobRequest | null {
  const request = readExtractor<BlobRequest>(body);
  if (!request) return null;
  const { extractor, keys } = request;
  if (!Array.isArray(keys) || keys.length > BLOBS_AT_ONCE) return null;
  return keys.every(isKey) ? { extractor, keys } : null;
}

/** Parses the request's extractor; null if it has none. The rest is not checked. */
export function readExtractor<T extends { readonly extractor: string }>(body: Buffer): T | null {
  let request: Partial<T> | null;
  try {
    request = JSON.parse(body.toString('utf8')) as Partial<T> | null;
  } catch {
    return null;
  }
  const extractor = request?.extractor;
  return typeof extractor === 'string' && extractor.length <= MAX_EXTRACTOR_CHARS ? (request as T) : null;
}

export function isKey(key: BlobRequest['keys'][number] | null): boolean {
  return BLOB_ID.test(String(key?.blobId)) && LANGUAGE.test(String(key?.language));
}
