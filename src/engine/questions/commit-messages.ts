/**
 * Which commits speak of something? Messages are read newest first and kept as far as they have a word of the question,
 * so that a later call reads on.
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
/** Newest commits with a word of the question. */
const MAX_KEPT = 2_000;

export interface MessageHit {
  readonly commit: Commit;
  /** Of each word: 0 where it does not stand in the message, 1 in its body, 2 in its subject. */
  readonly hits: readonly number[];
}

/** The words of a question that a message may have, without their endings. */
export function wordsOfQuestion(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  const stems = words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, ''));
  return [...new Set(stems.filter((stem) => stem.length > 1))].slice(0, MAX_WORDS);
}

export function readMessage(words: readonly string[], commit: Commit): MessageHit | null {
  if (!hitsOf(words, commit.subject, commit.body).some((hit) => hit > 0)) return null;
  // A hit inside of a token would confirm a guess.
  const hits = hitsOf(words, redactText(commit.subject), redactText(commit.body));
  return hits.some((hit) => hit > 0) ? { commit, hits } : null;
}

function hitsOf(words: readonly string[], subject: string, body: string): number[] {
  const [inSubject, inBody] = [subject.toLowerCase(), body.toLowerCase()];
  return words.map((word) => (inSubject.includes(word) ? 2 : inBody.includes(word) ? 1 : 0));
}

/** Messages with the most of the words first, rare words counting for more; of equals, the newest. */
export function rankMessages(found: readonly MessageHit[], read: number): MessageHit[] {
  const width = found[0]?.hits.length ?? 0;
  const weights = Array.from({ length: width }, (_, i) => {
    const having = found.filter(({ hits }) => hits[i]! > 0).length;
    return Math.log(1 + read / (1 + having));
  });
  const score = ({ hits }: MessageHit) => hits.reduce((sum, hit, i) => sum + (hit / 2) * weights[i]!, 0);
  return [...found].sort((a, b) => score(b) - score(a) || b.commit.dateMs - a.commit.dateMs);
}

/** The newest of the messages found so far. */
export function keptMessages(found: readonly MessageHit[]): readonly MessageHit[] {
  return found.slice(0, MAX_KEPT);
}
