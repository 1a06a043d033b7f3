/**
 * Fetches derived contents from a fleet node for an index on a laptop. Requests contain content ids only, so a laptop
 * can request only contents that it has; nothing else is sent.
 */
import type { ContentSource } from '../store/snapshot-source.ts';
import type { ContentKey } from '../store/store.ts';
import { askNode, type NodeAddress, unexpectedReply } from './ask-node.ts';
import { unpackContent } from './blobs/packed-content.ts';
import { BLOBS_AT_ONCE, BLOBS_PATH } from './serving/shared-blobs.ts';

/** `extractor` identifies this version; a fleet of another version has nothing for it. */
export function headStart(node: NodeAddress, extractor: string): Pick<ContentSource, 'read'> {
  return {
    async *read(keys) {
      for (let from = 0; from < keys.length; from += BLOBS_AT_ONCE) {
        const some = keys.slice(from, from + BLOBS_AT_ONCE);
        const requested = new Set(some.map(keyOf));
        const reply = await askNode(node, BLOBS_PATH, { extractor, keys: some });
        if (reply.status !== 200) throw unexpectedReply(node, reply);
        const { blobs = [] } = reply.json as { readonly blobs?: readonly string[] };
        for (const data of blobs) {
          const batch = unpackContent(Buffer.from(data, 'base64'));
          // Drops contents that were not requested: they would replace those of other files.
          if (requested.has(keyOf(batch.contents[0]!))) yield batch;
        }
      }
    },
  };
}

function keyOf({ blobId, language }: ContentKey): string {
  return `${blobId} ${language}`;
}
