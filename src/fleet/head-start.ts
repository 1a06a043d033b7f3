/**
 * Fetches derived contents from a node of a fleet for an index on a laptop. Requests contain content ids only, so a
 * laptop can request only contents that it has; nothing is sent back.
 */
import { EngineError } from '../model/records/engine-errors.ts';
import type { ContentSource } from '../store/snapshot-source.ts';
import type { ContentKey } from '../store/store.ts';
import { unpackContent } from './blobs/packed-content.ts';
import { BLOBS_AT_ONCE, BLOBS_PATH } from './serving/shared-blobs.ts';

export interface HeadStartOptions {
  /** Of a node, as clients know it; `/mcp` behind it is left out. */
  readonly url: string;
  readonly token: string | undefined;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 60_000;

/** `extractor`: what this version derives by; a fleet of another version has nothing for it. */
export function headStart(options: HeadStartOptions, extractor: string): Pick<ContentSource, 'read'> {
  const url = options.url.replace(/\/+$/, '').replace(/\/mcp$/, '') + BLOBS_PATH;
  return {
    async *read(keys) {
      for (let from = 0; from < keys.length; from += BLOBS_AT_ONCE) {
        const some = keys.slice(from, from + BLOBS_AT_ONCE);
        const requested = new Set(some.map(keyOf));
        for (const data of await ask(url, options, { extractor, keys: some })) {
          const batch = unpackContent(Buffer.from(data, 'base64'));
          // A content that was not requested would replace another file's.
          if (requested.has(keyOf(batch.contents[0]!))) yield batch;
        }
      }
    },
  };
}

async function ask(url: string, { token, signal }: HeadStartOptions, body: unknown): Promise<readonly string[]> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const failed = (reason: string, cause?: unknown) =>
    new EngineError('fleet_unavailable', { reason: `${url} ${reason}`, seconds: 15 }, cause);
  const headers = {
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const content = JSON.stringify(body);
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body: content,
    redirect: 'error',
    signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
  }).catch((error: Error) => {
    throw failed(`does not answer: ${error.message}`, error);
  });
  if (reply.status === 401) {
    const reason = `${url} refused the token: set the variable that fleet.token_env names (SEXTANT_FLEET_TOKEN).`;
    throw new EngineError('fleet_refused', { reason });
  }
  if (!reply.ok) throw failed(`answered ${reply.status}`);
  const { blobs } = (await reply.json()) as { readonly blobs?: readonly string[] };
  return blobs ?? [];
}

function keyOf({ blobId, language }: ContentKey): string {
  return `${blobId} ${language}`;
}
