/**
 * Where the comments of a file stand. Found in one pass that knows strings too: "TODO" in a string is data. No grammar
 * is asked: comments are read of thousands of files, and of languages that have none.
 */

import { type CommentForm, languageById, PLAIN_TEXT } from '../../languages/index.ts';

/** Places in a text, as start and end in turn. */
export type Spans = readonly number[];

/**
 * A sign that nothing closes must not be looked past to the end of the text again and again: what never stands alone
 * ends with the text, and of what does (an apostrophe, a shift) only so much is looked at.
 */
const DOUBLE = /"(?:\\.|[^"\\\n]){0,500}"/;
const SINGLE = /'(?:\\.|[^'\\\n]){0,500}'/;
/** A character literal of one sign: a lifetime or an apostrophe does not match. */
const CHARACTER = /'(?:\\[^\n']{1,10}|[^'\\\n])'/;
const TEMPLATE = /`(?:\\[\s\S]|[^`\\])*(?:`|(?![\s\S]))/;
const TRIPLE = /"""[\s\S]*?"""|'''[\s\S]*?'''/;
const RUST_RAW = /\br(?<rail>#{1,4})"[\s\S]*?(?:"\k<rail>|(?![\s\S]))/;
const HEREDOC =
  /<<[-~]?(?<quote>["']?)(?<word>[A-Za-z_]\w{0,40})(?!\w)\k<quote>.{0,200}\n[\s\S]{0,4000}?^[ \t]*\k<word>\b/;
/** Not the two slashes of an address. */
const SLASHES = /(?<!:)\/\/.*/;
const BLOCK = /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/;
/** Not in the middle of a word, where it is a colour, an anchor or a length. */
const HASH = /(?<=^|[\s;])#(?!\[).*/;
const MARKUP = /<!--[\s\S]*?(?:-->|(?![\s\S]))/;

const syntax = (...parts: readonly RegExp[]) => new RegExp(parts.map(({ source }) => source).join('|'), 'gm');

const C_LIKE = syntax(SLASHES, BLOCK, RUST_RAW, TRIPLE, DOUBLE, CHARACTER);
const SCRIPT = syntax(SLASHES, BLOCK, TEMPLATE, DOUBLE, SINGLE);
const MIXED = syntax(MARKUP, SLASHES, BLOCK, HASH, DOUBLE, SINGLE);
const COMPONENT = syntax(MARKUP, SLASHES, BLOCK, TEMPLATE, DOUBLE, SINGLE);
const HASHES = syntax(/^=begin\b[\s\S]*?(?:^=end\b|(?![\s\S]))/, HEREDOC, TRIPLE, HASH, DOUBLE, SINGLE);
const PYTHON = syntax(TRIPLE, /#.*/, DOUBLE, SINGLE);
const TERRAFORM = syntax(HEREDOC, HASH, SLASHES, BLOCK, DOUBLE);
const DASHES = syntax(
  /--\[(?<level>=*)\[[\s\S]*?(?:\]\k<level>\]|(?![\s\S]))/,
  /\{-[\s\S]*?(?:-\}|(?![\s\S]))/,
  BLOCK,
  /--.*/,
  DOUBLE,
  SINGLE,
);
const XML = syntax(MARKUP);
const SEMICOLONS = syntax(/;.*/, /"(?:\\[\s\S]|[^"\\])*(?:"|(?![\s\S]))/);
const PERCENTS = syntax(/(?<!\\)%.*/, DOUBLE);
const ML = syntax(/\(\*[\s\S]*?(?:\*\)|(?![\s\S]))/, /(?<=^|\s)\/\/.*/, DOUBLE);
const BASIC = syntax(/"[^"\n]*"/, /'.*/);

const table = (entries: readonly (readonly [RegExp, string])[]) =>
  new Map(entries.flatMap(([own, names]) => names.split(' ').map((name) => [name, own] as const)));

const BY_FORM: Readonly<Record<CommentForm, RegExp>> = {
  c: C_LIKE,
  script: SCRIPT,
  python: PYTHON,
  hash: HASHES,
  'hash-and-c': TERRAFORM,
  dashes: DASHES,
  markup: XML,
  'markup-and-code': MIXED,
  'markup-and-script': COMPONENT,
};
/** Languages that are indexed as text. */
const BY_ENDING = table([
  [C_LIKE, 'groovy gradle m mm v sv sol thrift cu metal glsl hlsl wgsl d hx less scss'],
  [HASHES, 'r jl pl pm tcl nim cr ps1 psm1 cmake nix awk coffee gd mk'],
  [DASHES, 'elm adb ads vhd vhdl purs'],
  [SEMICOLONS, 'lisp lsp el clj cljs cljc edn scm rkt asm'],
  [PERCENTS, 'tex sty erl hrl'],
  [ML, 'ml mli fs fsi fsx pas'],
  [BASIC, 'vb bas vbs'],
]);

/** The comments and strings of the language; null if neither can be recognised. */
export function commentSyntax(language: string, path: string): RegExp | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const descriptor = languageById(language);
  if (descriptor?.comments) return BY_FORM[descriptor.comments];
  return !descriptor || descriptor.id === PLAIN_TEXT ? (BY_ENDING.get(ending) ?? null) : null;
}

export function commentSpans(text: string, own: RegExp): Spans {
  const spans: number[] = [];
  // A string that stands alone is what documents a Python function.
  for (const { 0: found, index } of text.matchAll(own))
    if (!STRING.test(found) || (own === PYTHON && TRIPLED.test(found) && isAlone(text, index)))
      spans.push(index, index + found.length);
  return spans;
}

const STRING = /^(?:["`]|'.*'$|'''|r#|<<)/;
const TRIPLED = /^(?:"""|''')/;

function isAlone(text: string, index: number): boolean {
  let i = index - 1;
  while (text[i] === ' ' || text[i] === '\t') i--;
  return i < 0 || text[i] === '\n';
}

/** A comment begins with a sign that each of its lines repeats, as opposed to one that is closed. */
export function isLineComment(found: string): boolean {
  return /^(?:\/\/|#|--(?!\[)|;|%|')/.test(found);
}
