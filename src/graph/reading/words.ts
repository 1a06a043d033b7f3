/**
 * Where a name stands in a text as code: outside of comments and strings, but inside of what a string takes in. Text as people write it, no grammar.
 * Mining looks for the opposite, comments, of more languages and in one pass over thousands of files (memory/mining/comment-places.ts).
 */
import { languageById } from '../../languages/registry.ts';
import { closingOf, stringEnd } from '../../languages/runtime/reading/split.ts';

export interface Word {
  readonly line: number;
  readonly column: number;
  /** The whole of a string in quotes: `'on_init'`. */
  readonly quoted: boolean;
}

type Range = readonly [start: number, end: number];

/** A sign between single quotes; everything else there is a string. */
const CHARACTERS = new Set(['c', 'cpp', 'java', 'csharp', 'go', 'rust', 'kotlin', 'scala', 'zig', 'haskell', 'swift']);
/** Strings may go on over lines without a mark of their own. */
const LONG_STRINGS = new Set(['rust', 'php', 'ruby', 'elixir']);
/** Backquotes set names apart. */
const QUOTED_NAMES = new Set(['kotlin', 'swift', 'scala', 'haskell', 'csharp', 'java', 'c', 'cpp', 'rust', 'zig']);
/** What begins code inside of a string. */
const TAKEN_IN: Readonly<Record<string, RegExp>> = {
  python: /\{/g,
  csharp: /\{/g,
  kotlin: /\$\{/g,
  dart: /\$\{/g,
  scala: /\$\{/g,
  ruby: /#\{/g,
  elixir: /#\{/g,
  swift: /\\\(/g,
  php: /\{(?=\$)/g,
};
const SCRIPT_TAKES_IN = /\$\{/g;

/** Every place of a name, in order. In most languages `$` belongs to a name; in PHP it stands before one. */
export function findWords(text: string, name: string, language: string, script: boolean): Word[] {
  const found: { at: number; quoted: boolean }[] = [];
  const part = language === 'php' ? /[\w\u0080-\uffff]/ : /[\w$\u0080-\uffff]/;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (part.test(before) || part.test(after)) continue;
    found.push({ at, quoted: before === after && (before === "'" || before === '"') });
  }
  if (found.length === 0) return [];
  const aside = notCode(text, found.at(-1)!.at, language, script);
  const words: Word[] = [];
  let range = 0;
  let line = 1;
  let start = 0;
  for (const { at, quoted } of found) {
    while (range < aside.length && aside[range]![1] <= at) range++;
    const isAside = range < aside.length && aside[range]![0] <= at;
    // A name in a comment may stand in quotes, too: a string begins with its quote.
    if (isAside && !(quoted && aside[range]![0] === at - 1)) continue;
    for (let next = text.indexOf('\n', start); next >= 0 && next < at; next = text.indexOf('\n', start)) {
      line++;
      start = next + 1;
    }
    words.push({ line, column: at - start + 1, quoted: isAside });
  }
  return words;
}

/** Comments and strings up to a place, in order. */
function notCode(text: string, last: number, language: string, script: boolean): Range[] {
  const descriptor = languageById(language);
  const [open, close] = descriptor?.blockComment ?? ['', ''];
  const comments = [descriptor?.lineComment ?? '', open].filter(Boolean).map((mark) => mark.replace(/\W/g, '\\$&'));
  const next = new RegExp(['["\'`]', ...comments, ...(language === 'php' ? ['#(?!\\[)', '\\?>'] : [])].join('|'), 'g');
  const ranges: Range[] = [];
  next.lastIndex = language === 'php' ? outsideOfPhp(text, 0, ranges) : 0;
  for (let mark = next.exec(text); mark && mark.index <= last; mark = next.exec(text)) {
    const [sign] = mark;
    const at = mark.index;
    if (sign === '"' || sign === "'" || sign === '`') next.lastIndex = string(text, at, language, script, ranges);
    else if (sign === open) next.lastIndex = add(ranges, at, endOf(text, close, at + sign.length));
    else if (sign === '?>') next.lastIndex = outsideOfPhp(text, at + 2, ranges);
    else next.lastIndex = add(ranges, at, endOf(text, '\n', at));
  }
  return ranges;
}

function outsideOfPhp(text: string, from: number, ranges: Range[]): number {
  return add(ranges, from, endOf(text, '<?', from));
}

function add(ranges: Range[], start: number, end: number): number {
  if (end > start) ranges.push([start, end]);
  return Math.max(end, start + 1);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

function string(text: string, at: number, language: string, script: boolean, ranges: Range[]): number {
  const quote = text[at]!;
  if (quote === '`' && QUOTED_NAMES.has(language)) return at + 1;
  if (quote === "'" && CHARACTERS.has(language)) {
    const character = /^'(?:\\[^'\n]{1,9}|\\'|[^\\'\n])'/.exec(text.slice(at, at + 12));
    return character ? add(ranges, at, at + character[0].length) : at + 1;
  }
  const long = quote !== '`' && text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : '';
  let end = 0;
  if (long !== '') end = endOf(text, long, at + 3);
  else if (quote === '`' && language === 'go') end = endOf(text, quote, at + 1);
  else if (language === 'rust' && /\br#+$/.test(text.slice(Math.max(0, at - 6), at)))
    end = endOf(text, `"${'#'.repeat(/#+$/.exec(text.slice(Math.max(0, at - 6), at))![0].length)}`, at + 1);
  else if (LONG_STRINGS.has(language)) end = longEnd(text, at);
  else end = stringEnd(text, at) + 1;
  // An apostrophe, or a quote of a pattern: no string begins here.
  if (end === at + 1) return end;
  const takesIn = script ? (quote === '`' ? SCRIPT_TAKES_IN : undefined) : TAKEN_IN[language];
  const isPlain =
    (language === 'python' && !/\b\w*[fFtT]\w*$/.test(text.slice(Math.max(0, at - 3), at))) ||
    (language === 'csharp' && !/\$@?$/.test(text.slice(Math.max(0, at - 2), at)));
  let from = at;
  if (takesIn && !isPlain)
    for (const match of text.slice(at, end).matchAll(takesIn)) {
      const opening = at + match.index + match[0].length - 1;
      const closing = opening < from ? -1 : closingOf(text.slice(0, end), opening);
      if (closing < 0) continue;
      add(ranges, from, opening + 1);
      from = closing;
    }
  return add(ranges, from, end);
}

function longEnd(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === text[quote]) return i + 1;
  }
  return quote + 1;
}
