/** A discovery of one content or one commit, without a path: contents are mined once, wherever they lie. */
import type { KnownType } from '../../model/records/discovery.ts';

export interface Note {
  readonly type: KnownType;
  readonly content: string;
  readonly origin: 'adr' | 'guide' | 'config' | 'comment' | 'commit' | 'code';
  readonly confidence: number;
  readonly startLine: number;
  readonly endLine: number;
  /** A decision's own word on itself: "Accepted", "Superseded by ADR 32". */
  readonly status?: string;
  /** The record that replaces this decision, as its text names it: by number, or by the name of its file. */
  readonly supersededBy?: string;
  /** Records that this decision says it replaces. */
  readonly supersedes?: readonly string[];
  /** The day that the text itself bears. */
  readonly dateMs?: number;
  /** The commit that this one takes back. */
  readonly reverts?: string;
}

/** Notes are a fraction of this; each sign that is taken off may cost the rest of the text. */
const MAX_LENGTH = 4000;
const UNFOLDED = /\s\s|[^\S ]/;

/** White space folded, Markdown links and emphasis taken off, at most `limit` characters and cut at a word. */
export function plainText(text: string, limit = Number.POSITIVE_INFINITY): string {
  let plain = text.slice(0, MAX_LENGTH);
  // Each is looked for before it is taken off: most texts have none of them.
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
