/** A discovery mined from one content or commit, without a path: a content is mined once for all of its paths. */
import type { KnownType } from '../../model/records/discovery.ts';

export interface Note {
  readonly type: KnownType;
  readonly content: string;
  readonly origin: 'adr' | 'guide' | 'config' | 'comment' | 'commit' | 'code';
  readonly confidence: number;
  readonly startLine: number;
  readonly endLine: number;
  /** The status that a decision states: "Accepted", "Superseded by ADR 32". */
  readonly status?: string;
  /** The record that replaces this decision, as its text names it: by number or file name. */
  readonly supersededBy?: string;
  /** Records that this decision replaces, according to its text. */
  readonly supersedes?: readonly string[];
  /** The date stated in the text. */
  readonly dateMs?: number;
  /** The commit that this commit reverts. */
  readonly reverts?: string;
}

/** Notes are shorter; the limit bounds the time of the replacements below. */
const MAX_LENGTH = 4000;
const UNFOLDED = /\s\s|[^\S ]/;

/** Folds white space, removes Markdown links and emphasis, and cuts the text to `limit` characters at a word. */
export function plainText(text: string, limit = Number.POSITIVE_INFINITY): string {
  let plain = text.slice(0, MAX_LENGTH);
  // Most texts contain none of these signs, and includes() is faster than a regular expression.
  if (plain.includes('<')) plain = plain.replace(/<!--[\s\S]*?-->/g, ' ').replace(/<\/?[a-z][^>]*>/gi, ' ');
  if (plain.includes('['))
    plain = plain.replace(/!\[[^\]]*\]\([^)]*\)/g, ' ').replace(/\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
  if (plain.includes('**') || plain.includes('__')) plain = plain.replace(/(\*\*|__)(?=\S)(.+?)\1/g, '$2');
  plain = (UNFOLDED.test(plain) ? plain.replace(/\s+/g, ' ') : plain).trim();
  if (plain.length <= limit) return plain;
  const cut = plain.slice(0, limit);
  const space = cut.lastIndexOf(' ');
  return `${space > limit / 2 ? cut.slice(0, space) : cut}…`;
}
