/**
 * Derived contents for those who have the file already: a client that names a content by its git id has it, or got
 * the id from one that has. A static or issued token is needed all the same.
 */
import { fleetContents } from '../blobs/fleet-contents.ts';
import { packContent } from '../blobs/packed-content.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';

export const BLOBS_PATH = '/blobs';
export const BLOBS_AT_ONCE = 200;
const BLOB_ID = /^[0-9a-f]{40}$/;
const LANGUAGE = /^[\w+#-]{1,40}$/;
const LONGEST_EXTRACTOR = 300;

interface BlobRequest {
  readonly extractor: string;
  readonly keys: readonly { readonly blobId: string; readonly language: string }[];
}

/** Base64 of each content that is there, as packContent() gives it; null for a request that is not as it should be. */
export async function sharedBlobs(cluster: SearchCluster, prefix: string, body: Buffer): Promise<string[] | null> {
  const requested = readRequest(body);
  if (!requested) return null;
  const blobs: string[] = [];
  for await (const batch of fleetContents(cluster, prefix, requested.extractor).read(requested.keys))
    blobs.push(packContent(batch).toString('base64'));
  return blobs;
}

function readRequest(body: Buffer): BlobRequest | null {
  let request: Partial<BlobRequest>;
  try {
    request = JSON.parse(body.toString('utf8')) as Partial<BlobRequest>;
  } catch {
    return null;
  }
  const { extractor, keys } = request ?? {};
  if (typeof extractor !== 'string' || extractor.length > LONGEST_EXTRACTOR) return null;
  if (!Array.isArray(keys) || keys.length > BLOBS_AT_ONCE) return null;
  const isKey = (key: BlobRequest['keys'][number] | null) =>
    BLOB_ID.test(String(key?.blobId)) && LANGUAGE.test(String(key?.language));
  return keys.every(isKey) ? { extractor, keys } : null;
}
