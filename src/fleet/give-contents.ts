/**
 * Gives a fleet the contents that it lacks from an index on a laptop: sends ids first, then the texts that the node
 * requests. A text with redacted tokens is not the content of its id any more and is not sent.
 */
import type { ContentsExport, IndexedContent } from '../engine/engine.ts';
import { EngineError } from '../model/records/engine-errors.ts';
import type { ContentKey } from '../store/store.ts';
import { askNode, type NodeAddress, unexpectedReply } from './ask-node.ts';
import { GIVEN_AT_ONCE, GIVEN_BYTES, type GivenText, isOriginal, nameOfGiven } from './blobs/given-text.ts';
import { GIVEN_PATH, MISSING_PATH } from './serving/given-contents.ts';

export interface GiftReport {
  /** Contents that were new to the fleet. */
  readonly given: number;
  /** Contents that the fleet had already. */
  readonly known: number;
  /** Contents that were not sent or not accepted: with a secret, generated, too large, or stored in another form. */
  readonly withheld: number;
}

type Counts = { -readonly [Name in keyof GiftReport]: GiftReport[Name] };

/**
 * Throws gift_refused if the node accepts nothing from this user, or not now. Contents that were accepted before stay.
 */
export async function giveContents(node: NodeAddress, { extractor, portions }: ContentsExport): Promise<GiftReport> {
  const counts: Counts = { given: 0, known: 0, withheld: 0 };
  for (const portion of portions) {
    const missing = await missingOf(node, extractor, portion);
    counts.known += portion.length - missing.length;
    for (const texts of requestsOf(missing, counts)) await send(node, extractor, texts, counts);
  }
  return counts;
}

async function missingOf(
  node: NodeAddress,
  extractor: string,
  portion: readonly IndexedContent[],
): Promise<readonly IndexedContent[]> {
  const keys = portion.map(({ blobId, language }) => ({ blobId, language }));
  const reply = (await request(node, MISSING_PATH, { extractor, keys })) as { missing?: readonly ContentKey[] };
  const missing = new Set(reply.missing?.map(keyOf));
  return portion.filter((content) => missing.has(keyOf(content)));
}

/** Groups the texts that may be given into requests within the node's limits. */
function* requestsOf(contents: readonly IndexedContent[], counts: Counts): Generator<readonly GivenText[]> {
  let texts: GivenText[] = [];
  let bytes = 0;
  for (const content of contents) {
    const given = { blobId: content.blobId, language: content.language, text: content.text() };
    // The size as it is sent.
    const size = Buffer.byteLength(JSON.stringify(given.text));
    if (size > GIVEN_BYTES || !isOriginal(given) || nameOfGiven(given) === null) {
      counts.withheld++;
      continue;
    }
    if (texts.length === GIVEN_AT_ONCE || bytes + size > GIVEN_BYTES) {
      yield texts;
      texts = [];
      bytes = 0;
    }
    texts.push(given);
    bytes += size;
  }
  if (texts.length > 0) yield texts;
}

async function send(node: NodeAddress, extractor: string, texts: readonly GivenText[], counts: Counts): Promise<void> {
  const reply = (await request(node, GIVEN_PATH, { extractor, contents: texts })) as {
    readonly created: number;
    readonly refused: number;
  };
  counts.given += reply.created;
  counts.withheld += reply.refused;
  counts.known += texts.length - reply.created - reply.refused;
}

const REFUSALS: ReadonlySet<number> = new Set([403, 409, 429]);

async function request(node: NodeAddress, path: string, body: unknown): Promise<unknown> {
  const reply = await askNode(node, path, body);
  if (reply.status === 200) return reply.json;
  const { error } = (reply.json ?? {}) as { readonly error?: unknown };
  if (REFUSALS.has(reply.status) && typeof error === 'string') throw new EngineError('gift_refused', { reason: error });
  throw unexpectedReply(node, reply);
}

function keyOf({ blobId, language }: ContentKey): string {
  return `${blobId} ${language}`;
}
