/**
 * Finds the places of a name in the code of a text: outside of comments and strings, inside of string interpolations.
 * It scans text without a grammar. Mining finds comments, in more languages and in one pass over thousands of files
 * (memory/mining/comment-places.ts).
 */
import type { LanguageDescriptor } from '../../languages/language.ts';
import { closingOf, stringEnd } from '../../languages/runtime/reading/split.ts';
import type { StringRules } from '../../languages/string-rules.ts';

export interface Word {
  readonly line: number;
  readonly column: number;
  /** The name is a whole string literal: `'on_init'`. */
  readonly quoted: boolean;
}

type Range = readonly [start: number, end: number];

const NAME_PART = /[\w$\u0080-\uffff]/;

/** Every place of a name, in order. */
export function findWords(text: string, name: string, language: LanguageDescriptor | null): Word[] {
  const found: { at: number; quoted: boolean }[] = [];
  const part = language?.strings?.namePart ?? NAME_PART;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (part.test(before) || part.test(after)) continue;
    found.push({ at, quoted: before === after && (before === "'" || before === '"') });
  }
  if (found.length === 0) return [];
  const nonCode = findNonCode(text, found.at(-1)!.at, language);
  const words: Word[] = [];
  let range = 0;
  let line = 1;
  let start = 0;
  let lineEnd = text.indexOf('\n');
  for (const { at, quoted } of found) {
    while (range < nonCode.length && nonCode[range]![1] <= at) range++;
    const isNonCode = range < nonCode.length && nonCode[range]![0] <= at;
    // A quoted name in a comment is no string literal: that range would begin at the quote.
    if (isNonCode && !(quoted && nonCode[range]![0] === at - 1)) continue;
    for (; lineEnd >= 0 && lineEnd < at; lineEnd = text.indexOf('\n', start)) {
      line++;
      start = lineEnd + 1;
    }
    words.push({ line, column: at - start + 1, quoted: isNonCode });
  }
  return words;
}

/** Ranges of comments and strings up to an offset, in order. */
function findNonCode(text: string, last: number, language: LanguageDescriptor | null): Range[] {
  const rules = language?.strings ?? {};
  const [open, close] = language?.blockComment ?? ['', ''];
  const [opensCode, closesCode] = rules.codeMarks ?? ['', ''];
  const marks = [language?.lineComment ?? '', open, closesCode]
    .filter(Boolean)
    .map((mark) => mark.replace(/\W/g, '\\$&'));
  const comments = (rules.moreComments ?? []).map(({ source }) => source);
  const next = new RegExp(['["\'`]', ...marks, ...comments].join('|'), 'g');
  const ranges: Range[] = [];
  const addTemplateText = (from: number) => add(ranges, from, endOf(text, opensCode, from));
  next.lastIndex = opensCode === '' ? 0 : addTemplateText(0);
  for (let mark = next.exec(text); mark && mark.index <= last; mark = next.exec(text)) {
    const [sign] = mark;
    const at = mark.index;
    if (sign === '"' || sign === "'" || sign === '`') next.lastIndex = addString(text, at, rules, ranges);
    else if (sign === open) next.lastIndex = add(ranges, at, endOf(text, close, at + sign.length));
    else if (sign === closesCode) next.lastIndex = addTemplateText(at + sign.length);
    else next.lastIndex = add(ranges, at, endOf(text, '\n', at));
  }
  return ranges;
}

function add(ranges: Range[], start: number, end: number): number {
  if (end > start) ranges.push([start, end]);
  return Math.max(end, start + 1);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

function addString(text: string, at: number, rules: StringRules, ranges: Range[]): number {
  const quote = text[at]!;
  if (quote === '`' && rules.quotedNames) return at + 1;
  if (quote === "'" && rules.characters) {
    const character = /^'(?:\\[^'\n]{1,9}|\\'|[^\\'\n])'/.exec(text.slice(at, at + 12));
    return character ? add(ranges, at, at + character[0].length) : at + 1;
  }
  const end = endOfString(text, at, rules);
  // An apostrophe, or a quote of a pattern: no string begins here.
  if (end === at + 1) return end;
  let from = at;
  if (rules.interpolation && isInterpolating(text, at, rules))
    for (const match of text.slice(at, end).matchAll(rules.interpolation)) {
      const opening = at + match.index + match[0].length - 1;
      const closing = opening < from ? -1 : closingOf(text.slice(0, end), opening);
      if (closing < 0) continue;
      add(ranges, from, opening + 1);
      from = closing;
    }
  return add(ranges, from, end);
}

function endOfString(text: string, at: number, rules: StringRules): number {
  const quote = text[at]!;
  const long = quote !== '`' && text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : '';
  if (long !== '') return endOf(text, long, at + 3);
  const raw = rules.rawEnd?.(quote, text.slice(Math.max(0, at - 6), at));
  if (raw) return endOf(text, raw, at + 1);
  return rules.multiline ? longEnd(text, at) : stringEnd(text, at) + 1;
}

/** In some languages only strings with a certain quote or prefix interpolate code. */
function isInterpolating(text: string, at: number, { interpolatingQuote, interpolatingPrefix }: StringRules): boolean {
  if (interpolatingQuote && text[at] !== interpolatingQuote) return false;
  return interpolatingPrefix?.test(text.slice(Math.max(0, at - 3), at)) ?? true;
}

function longEnd(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === text[quote]) return i + 1;
  }
  return quote + 1;
}
