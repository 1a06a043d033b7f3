/** Mines decision records and design documents: title, status, decision, reason, and the record that replaces them. */

import { nameOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';
import { type Block, blocksOf, frontMatter, linesOf } from './mine-prose.ts';
import { type Note, plainText } from './mined-note.ts';

const FOLDER = pattern('i')`
  (?:^|\/)(?:adrs?|decisions?|decision-records?|architecture-decisions?|rfcs?|design(?:-?docs?)?|proposals?
  |enhancements?|keps?)\/(?:.+\/)?[^/]+\.(?:md|mdx|rst|txt|adoc)$
`;
const NAMED = /(?:^|\/)(?:adr|rfc|decision)[-_ ]?\d+[^/]*\.(?:md|mdx|rst|txt|adoc)$/i;
const OTHER_DOCUMENT = pattern('i')`
  ^(?:readme|index|template|.*[-_]template|toc|_.*|cmakelists|requirements|licen[cs]e|copying|notice|authors|changelog
  |robots|code[-_]of[-_]conduct|security)\b
`;

/** Whether a path is a document in a folder of decisions, or named like a decision record. */
export function isDecisionPath(path: string): boolean {
  const name = nameOf(path);
  return (FOLDER.test(path) || NAMED.test(path)) && !OTHER_DOCUMENT.test(name) && !/template/i.test(name);
}

const DECISION_HEADING =
  /^(?:\d+[.)]?\s*)?(?:decisions?\b|decision outcome|outcome|solution|proposal|proposed|resolution|what we)/i;
const REASON_HEADING = pattern('i')`
  ^(?:\d+[.)]?\s*)?(?:context|background|motivation|problem|reasons?|rationale|summary|abstract|introduction|why
  |overview)
`;
const CONSEQUENCES_HEADING =
  /^(?:\d+[.)]?\s*)?(?:consequences|implications|outcome|positive|negative|trade-?offs|discussion)/i;
const STATUS_HEADING = /^(?:\d+[.)]?\s*)?status\b/i;
/** Statuses; `superceded` is a misspelling that early ADR tools wrote. */
const KNOWN_STATUS = pattern('i')`
  \b(accepted|approved|rejected|declined|proposed|draft|deprecated|super[sc]eded|implemented|withdrawn|in progress
  |partially implemented|under discussion)\b
`;

export function mineDecision(text: string): Note | null {
  const lines = linesOf(text);
  const front = frontMatter(lines);
  const blocks = blocksOf(lines, front.end);
  const title = titleOf(lines, front, blocks);
  if (title.text === '') return null;
  const status = statusOf(lines, front.fields, blocks);
  const decided = findSection(blocks, DECISION_HEADING, 700);
  const because = findSection(blocks, REASON_HEADING, decided ? 450 : 700);
  const after = findSection(blocks, CONSEQUENCES_HEADING, 250);
  const statement = decided ?? because ?? firstBlocks(blocks);
  const parts = [
    decided?.text,
    because && `Why: ${because.text}`,
    after && `Consequences: ${after.text}`,
    !decided && !because ? statement?.text : undefined,
  ].filter(Boolean);
  const { supersededBy, supersedes } = successionOf(lines, front.fields, blocks);
  const dateMs = dateOf(lines, front.fields);
  return {
    type: 'decision',
    content: `${title.text}${status ? ` (${status})` : ''}${parts.length > 0 ? `: ${parts.join(' ')}` : ''}`,
    origin: 'adr',
    confidence: /reject|declin|withdrawn|supersed|deprecat/i.test(status) ? 0.6 : 0.9,
    startLine: title.line,
    endLine: Math.max(title.line, statement?.endLine ?? title.line),
    ...(status ? { status } : {}),
    ...(supersededBy === undefined ? {} : { supersededBy }),
    ...(supersedes.length > 0 ? { supersedes } : {}),
    ...(dateMs === null ? {} : { dateMs }),
  };
}

function titleOf(
  lines: readonly string[],
  front: { readonly end: number; readonly fields: ReadonlyMap<string, string> },
  blocks: readonly Block[],
): { readonly text: string; readonly line: number } {
  const at = lines.findIndex((line, i) => i >= front.end && /^(?:#{1,2}|=)\s+\S/.test(line));
  const own = front.fields.get('title');
  const heading = at < 0 ? '' : lines[at]!.replace(/^[#=]+\s*/, '');
  const first = blocks[0];
  // A document without any heading is a list, not a record.
  const text = plainText(own || heading || (first?.headings[0] ?? ''), 160);
  return { text, line: own ? 1 : at < 0 ? (first?.startLine ?? 1) : at + 1 };
}

/** The status from the section "Status", a `Status:` line or the front matter; '' unless it is a known word. */
function statusOf(lines: readonly string[], fields: ReadonlyMap<string, string>, blocks: readonly Block[]): string {
  const line = lines
    .slice(0, 60)
    .filter((each) => /status/i.test(each))
    .map((each) => /^\s*(?:[-*|]\s*)?(?:\*\*|_)?status(?:\*\*|_)?\s*[:|]\s*(.+)$/i.exec(each)?.[1])
    .find(Boolean);
  const own = findSection(blocks, STATUS_HEADING, 120)?.text;
  const status = [own, line, fields.get('status'), fields.get('tags')].find((each) => each && KNOWN_STATUS.test(each));
  if (!status) return '';
  const plain = plainText(status)
    .replace(/[[\]*_`|"]/g, '')
    .replace(/superceded/i, 'superseded');
  const word = KNOWN_STATUS.exec(plain)!;
  const rest = plain.slice(word.index + word[0].length);
  // The status keeps the name of a successor, but no dates, links and remarks.
  const successor = /^[^.;]{0,50}?\b(?:by|in favou?r of)\b\s*([^.;)]{1,60})/i.exec(rest)?.[0] ?? '';
  return `${word[0][0]!.toUpperCase()}${word[0].slice(1).toLowerCase()}${successor}`.trim();
}

const REPLACED = /\b(?:super[sc]eded|replaced|obsoleted)[\s_-]+by\b:?/i;
const REPLACES = /\b(?:super[sc]edes?|replaces?|obsoletes?)\b:?/i;
const REPLACING_LINE = /^\W*(?:status\W+)?(?:super[sc]ede|replace|obsolete)[sd]\b/i;
const REPLACING_SENTENCE = pattern('i')`
  \b(?:we|this (?:adr|rfc|decision|record|document|proposal))\s+(?:\w+\s+){0,3}?(?:super[sc]ede|replace
  |obsolete)[sd]?\b.*?(?=\.\s|$)
`;
const LINKS_HEADING = /^(?:links?|related|more information|references)\b/i;
/** A mention of a record: a link to its file, a word for a record with its number, or a name with a date in front. */
const RECORD = pattern('gi')`
  \]\(([^)\s]+\.(?:md|mdx|rst|txt|adoc)(?:#[^)\s]*)?)\)
  |\b(?:adrs?|rfc|kep|decision|record|proposal)(?:[-_ #]|number|no\.)*(\d{1,5})\b|\b(\d{8}-[\w-]+)
`;
/** A bare number directly after the verb. */
const BARE_NUMBER = /^\W*(\d{1,5})(?=\s*(?:$|[.,:;)](?!\d)|-\s|and\b))/;

/**
 * The record that replaces this one and those that it replaces, by number or file name. Read from the front matter, the
 * status, the links, a line that begins with the verb, and sentences about "this decision". Other prose is ignored: it
 * tells of software that was replaced.
 */
function successionOf(
  lines: readonly string[],
  fields: ReadonlyMap<string, string>,
  blocks: readonly Block[],
): { readonly supersededBy: string | undefined; readonly supersedes: readonly string[] } {
  const relations = [
    ...[...fields].map(([key, value]) => `${key}: ${value}`),
    ...blocks
      .filter(({ headings }) => headings.some((title) => STATUS_HEADING.test(title) || LINKS_HEADING.test(title)))
      .map(({ text }) => text),
    ...lines.flatMap((line) => (REPLACING_LINE.test(line) ? [line] : (REPLACING_SENTENCE.exec(line)?.[0] ?? []))),
  ];
  return {
    supersededBy: relations.flatMap((text) => recordsAfter(text, REPLACED))[0],
    supersedes: [...new Set(relations.flatMap((text) => recordsAfter(text, REPLACES)))],
  };
}

function recordsAfter(text: string, relation: RegExp): string[] {
  const match = relation.exec(text);
  if (!match) return [];
  // Up to the end of the sentence or the next such verb. A full stop inside a link ends nothing: "[3. Use X](…)".
  const rest = text
    .slice(match.index + match[0].length)
    .split(/[.;]\s(?![^[\]]*\]\()|\b(?:super[sc]ede|replace|obsolete)[sd]\b/i)[0]!;
  const named = [...rest.matchAll(RECORD)].map(([, target, number, name]) =>
    number === undefined ? fileName(target ?? name!) : String(Number(number)),
  );
  const number = BARE_NUMBER.exec(rest)?.[1];
  return named.length > 0 || number === undefined ? named : [String(Number(number))];
}

/** The file name of a link in lower case without its extension, for comparison. */
export function fileName(path: string): string {
  return nameOf(path.replace(/[#?].*$/, ''))
    .replace(/\.\w+$/, '')
    .toLowerCase();
}

/** The date stated in the record: file times are those of the checkout. */
function dateOf(lines: readonly string[], fields: ReadonlyMap<string, string>): number | null {
  const line = lines
    .slice(0, 40)
    .map((each) => /^\W*date\W+(\d{4}-\d{2}-\d{2})\b/i.exec(each)?.[1])
    .find(Boolean);
  const dateMs = Date.parse(line ?? /^\d{4}-\d{2}-\d{2}/.exec(fields.get('date') ?? '')?.[0] ?? '');
  return Number.isNaN(dateMs) ? null : dateMs;
}

/** The text below the first matching heading of any level, up to `limit` characters. */
function findSection(
  blocks: readonly Block[],
  heading: RegExp,
  limit: number,
): { readonly text: string; readonly endLine: number } | null {
  // Each heading is tested once: a long document has hundreds of blocks below a few headings.
  const tested = new Map<string, boolean>();
  const isMatch = (title: string): boolean => {
    const result = tested.get(title) ?? heading.test(plainText(title));
    tested.set(title, result);
    return result;
  };
  let above: readonly string[] = [];
  let isBelow = false;
  const at = blocks.findIndex(({ headings }) => {
    if (headings !== above) isBelow = headings.some(isMatch);
    above = headings;
    return isBelow;
  });
  if (at < 0) return null;
  const depth = blocks[at]!.headings.findIndex(isMatch);
  const name = blocks[at]!.headings[depth];
  const own: Pick<Block, 'text' | 'endLine'>[] = [];
  for (let i = at, length = 0; i < blocks.length && length <= limit; i++) {
    const block = blocks[i]!;
    if (block.headings[depth] !== name) break;
    const { text, endLine } = block;
    own.push({ text, endLine });
    length += text.length;
  }
  return { text: plainText(own.map(({ text }) => text).join(' '), limit), endLine: own.at(-1)!.endLine };
}

function firstBlocks(blocks: readonly Block[]): { readonly text: string; readonly endLine: number } | null {
  const own = blocks.filter(({ text }) => text.length > 40).slice(0, 3);
  return own.length === 0
    ? null
    : { text: plainText(own.map(({ text }) => text).join(' '), 700), endLine: own.at(-1)!.endLine };
}
