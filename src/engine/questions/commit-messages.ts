/**
 * Finds commits by their message. Messages are read newest first, and those with a word of the query are kept, so that
 * a later call can continue.
 */
import { redactText } from '../../model/secrets/redact.ts';
import type { Commit } from '../../walk/index.ts';

const STOP_WORDS = new Set(
  (
    'the and for was were why what who when how did does has have had this that with from into not are our you ' +
    'which commit commits change changed changes history'
  ).split(' '),
);
const MAX_WORDS = 32;
/** Commits kept, the newest ones. */
const MAX_KEPT_MESSAGES = 2_000;

export interface MessageHit {
  readonly commit: Commit;
  /** For each word of the query: 0 if the message lacks it, 1 if its body has it, 2 if its subject has it. */
  readonly hits: readonly number[];
}

/** The words of a query to look for in messages, without their endings. */
export function wordsOfQuestion(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  const stems = words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, ''));
  return [...new Set(stems.filter((stem) => stem.length > 1))].slice(0, MAX_WORDS);
}

export function readMessage(words: readonly string[], commit: Commit): MessageHit | null {
  if (!hitsOf(words, commit.subject, commit.body).some((hit) => hit > 0)) return null;
  // A match inside an access token would confirm a guess of it, so only redacted text counts.
  const hits = hitsOf(words, redactText(commit.subject), redactText(commit.body));
  return hits.some((hit) => hit > 0) ? { commit, hits } : null;
}

function hitsOf(words: readonly string[], subject: string, body: string): number[] {
  const [inSubject, inBody] = [subject.toLowerCase(), body.toLowerCase()];
  return words.map((word) => (inSubject.includes(word) ? 2 : inBody.includes(word) ? 1 : 0));
}

/** Ranks messages by the words they have, rare words counting more; among equals, the newest first. */
export function rankMessages(found: readonly MessageHit[], read: number): MessageHit[] {
  const width = found[0]?.hits.length ?? 0;
  const weights = Array.from({ length: width }, (_, i) => {
    const matching = found.filter(({ hits }) => hits[i]! > 0).length;
    return Math.log(1 + read / (1 + matching));
  });
  const score = ({ hits }: MessageHit) => hits.reduce((sum, hit, i) => sum + (hit / 2) * weights[i]!, 0);
  return [...found].sort((a, b) => score(b) - score(a) || b.commit.dateMs - a.commit.dateMs);
}

/** The newest messages found so far, up to the limit. */
export function keptMessages(found: readonly MessageHit[]): readonly MessageHit[] {
  return found.slice(0, MAX_KEPT_MESSAGES);
}
