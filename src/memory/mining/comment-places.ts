/**
 * Finds the comments of a file in one pass that recognises strings too, because "TODO" in a string is data. It uses no
 * grammar: comments of thousands of files are read, also in languages without a grammar.
 */

import { type CommentForm, languageById, PLAIN_TEXT } from '../../languages/index.ts';

/** Ranges in a text: start and end offsets in turn. */
export type Spans = readonly number[];

/**
 * Patterns for strings and comments. An unclosed opening must not make each of many matches scan to the end of the
 * text: either the end of the text closes it, or its length is limited (an apostrophe, a shift operator).
 */
const DOUBLE = /"(?:\\.|[^"\\\n]){0,500}"/;
const SINGLE = /'(?:\\.|[^'\\\n]){0,500}'/;
/** A character literal; not a Rust lifetime or an apostrophe. */
const CHARACTER = /'(?:\\[^\n']{1,10}|[^'\\\n])'/;
const TEMPLATE = /`(?:\\[\s\S]|[^`\\])*(?:`|(?![\s\S]))/;
const TRIPLE = /"""[\s\S]*?"""|'''[\s\S]*?'''/;
const RUST_RAW = /\br(?<rail>#{1,4})"[\s\S]*?(?:"\k<rail>|(?![\s\S]))/;
const HEREDOC =
  /<<[-~]?(?<quote>["']?)(?<word>[A-Za-z_]\w{0,40})(?!\w)\k<quote>.{0,200}\n[\s\S]{0,4000}?^[ \t]*\k<word>\b/;
/** Two slashes, but not those of a URL. */
const SLASHES = /(?<!:)\/\/.*/;
const BLOCK = /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/;
/** A hash that is not part of a colour, an anchor or a length expression. */
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
/** Comment syntax by file extension, for languages that are indexed as text. */
const BY_ENDING = table([
  [C_LIKE, 'groovy gradle m mm v sv sol thrift cu metal glsl hlsl wgsl d hx less scss'],
  [HASHES, 'r jl pl pm tcl nim cr ps1 psm1 cmake nix awk coffee gd mk'],
  [DASHES, 'elm adb ads vhd vhdl purs'],
  [SEMICOLONS, 'lisp lsp el clj cljs cljc edn scm rkt asm'],
  [PERCENTS, 'tex sty erl hrl'],
  [ML, 'ml mli fs fsi fsx pas'],
  [BASIC, 'vb bas vbs'],
]);

/** The pattern for comments and strings of a language; null for an unknown syntax. */
export function commentSyntax(language: string, path: string): RegExp | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const descriptor = languageById(language);
  if (descriptor?.comments) return BY_FORM[descriptor.comments];
  return !descriptor || descriptor.id === PLAIN_TEXT ? (BY_ENDING.get(ending) ?? null) : null;
}

/** `syntax`: the language's pattern of commentSyntax. */
export function commentSpans(text: string, syntax: RegExp): Spans {
  const spans: number[] = [];
  // In Python, a triple-quoted string on lines of its own is documentation.
  for (const { 0: found, index } of text.matchAll(syntax))
    if (!STRING.test(found) || (syntax === PYTHON && TRIPLED.test(found) && isAlone(text, index)))
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

/** Whether a comment ends with its line, as opposed to a block comment. */
export function isLineComment(found: string): boolean {
  return /^(?:\/\/|#|--(?!\[)|;|%|')/.test(found);
}
