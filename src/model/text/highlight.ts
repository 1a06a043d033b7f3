/**
 * Light syntax colouring for snippets: comments, strings, numbers and keywords, enough to read by. It scans, it does not parse; a snippet
 * that begins in the middle of a string is coloured wrong and nothing worse.
 */
export type TokenKind = 'plain' | 'comment' | 'string' | 'number' | 'keyword';
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

interface Syntax {
  readonly line: readonly string[];
  readonly block: readonly (readonly [string, string])[];
  /** Delimiters of strings; those of three characters may span lines. */
  readonly quotes: readonly string[];
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const C_WORDS =
  'break case catch class const continue default delete do else enum export extends extern false final finally for goto if implements import in inline instanceof interface internal is let long namespace new null operator override package private protected public return short signed sizeof static struct super switch synchronized template this throw throws true try type typedef typename typeof union unsigned using var virtual void volatile while yield async await abstract readonly nullptr int char bool boolean float double string auto';
const c = (extra: string, options: Partial<Syntax> = {}): Syntax => ({
  line: ['//'],
  block: [['/*', '*/']],
  quotes: ['"', "'"],
  keywords: words(`${C_WORDS} ${extra}`),
  ...options,
});

const JAVASCRIPT = c('function of from as satisfies undefined declare keyof infer get set', {
  quotes: ['"', "'", '`'],
});
const PYTHON: Syntax = {
  line: ['#'],
  block: [],
  quotes: ['"""', "'''", '"', "'"],
  keywords: words(
    'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return True try while with yield self',
  ),
};
const SHELL: Syntax = {
  line: ['#'],
  block: [],
  quotes: ['"', "'"],
  keywords: words(
    'if then else elif fi for while until do done case esac in function return local export set unset readonly',
  ),
};
const DATA: Syntax = { line: ['#'], block: [], quotes: ['"', "'"], keywords: words('true false null yes no') };
const PROSE: Syntax = { line: [], block: [], quotes: [], keywords: new Set() };

const SYNTAXES: Readonly<Record<string, Syntax>> = {
  go: c('func defer go chan map range select fallthrough nil iota any error', { quotes: ['"', "'", '`'] }),
  rust: c(
    'fn impl trait mod use pub crate self Self match loop mut ref move dyn where unsafe as str Some None Ok Err',
    // A single quote is far more often a lifetime than a character.
    { quotes: ['"'] },
  ),
  swift: c('func protocol extension guard defer inout where nil self Self init deinit some any subscript', {
    quotes: ['"""', '"'],
  }),
  kotlin: c('fun val object when companion data sealed lateinit by suspend', { quotes: ['"""', '"', "'"] }),
  scala: c('def val object trait with match given implicit lazy sealed case', { quotes: ['"""', '"'] }),
  java: c('record sealed permits var'),
  csharp: c('record get set init where partial sealed out ref params lock foreach event delegate'),
  php: c('function echo foreach as fn use trait self parent elseif endif', {
    line: ['//', '#'],
  }),
  dart: c('late required mixin on with factory get set', { quotes: ["'''", '"""', '"', "'"] }),
  zig: c('fn pub comptime test errdefer defer orelse usingnamespace error undefined try', { quotes: ['"'] }),
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  javascript: JAVASCRIPT,
  jsx: JAVASCRIPT,
  python: PYTHON,
  ruby: {
    line: ['#'],
    block: [['=begin', '=end']],
    quotes: ['"', "'"],
    keywords: words(
      'alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require attr_reader attr_accessor',
    ),
  },
  elixir: {
    line: ['#'],
    block: [],
    quotes: ['"""', '"'],
    keywords: words(
      'def defp defmodule defmacro defstruct do end fn if else unless case cond with when for in use import alias require raise rescue try after nil true false and or not',
    ),
  },
  lua: {
    line: ['--'],
    block: [['--[[', ']]']],
    quotes: ['"', "'"],
    keywords: words(
      'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
    ),
  },
  haskell: {
    line: ['--'],
    block: [['{-', '-}']],
    quotes: ['"'],
    keywords: words(
      'case class data deriving do else if import in infix instance let module newtype of then type where qualified as hiding forall',
    ),
  },
  sql: {
    line: ['--'],
    block: [['/*', '*/']],
    quotes: ["'", '"'],
    keywords: words(
      'select from where and or not insert into values update set delete create table index view primary key foreign references join left right inner outer on group by order having limit null as distinct union SELECT FROM WHERE AND OR NOT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX VIEW PRIMARY KEY FOREIGN REFERENCES JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING LIMIT NULL AS DISTINCT UNION',
    ),
  },
  bash: SHELL,
  shell: SHELL,
  dockerfile: {
    ...SHELL,
    keywords: words('FROM RUN CMD COPY ADD ENV ARG WORKDIR EXPOSE ENTRYPOINT USER VOLUME LABEL AS'),
  },
  yaml: DATA,
  toml: DATA,
  hcl: { ...DATA, line: ['#', '//'] },
  json: { ...DATA, line: [] },
  proto: c('message service rpc returns repeated optional oneof reserved syntax option'),
  markdown: PROSE,
  mdx: PROSE,
  rst: PROSE,
  text: PROSE,
  xml: PROSE,
};
const GENERIC = c('function fn func def end self nil', { line: ['//'] });

/** Tokens per line of `code`. */
export function highlight(code: string, language: string): Token[][] {
  const syntax = SYNTAXES[language.toLowerCase()] ?? GENERIC;
  const lines: Token[][] = [[]];
  const push = (kind: TokenKind, text: string) => {
    text.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part !== '') lines.at(-1)!.push({ kind, text: part });
    });
  };
  if (syntax === PROSE) {
    push('plain', code);
    return lines;
  }
  const WORD = /[\p{L}_$@][\p{L}\p{N}_$?]*/uy;
  const NUMBER = /\d[\w.]*/y;
  let at = 0;
  let plainFrom = 0;
  const take = (kind: TokenKind, end: number) => {
    if (at > plainFrom) push('plain', code.slice(plainFrom, at));
    push(kind, code.slice(at, end));
    at = end;
    plainFrom = end;
  };
  while (at < code.length) {
    const block = syntax.block.find(([open]) => code.startsWith(open, at));
    if (block) {
      const close = code.indexOf(block[1], at + block[0].length);
      take('comment', close < 0 ? code.length : close + block[1].length);
      continue;
    }
    if (syntax.line.some((mark) => code.startsWith(mark, at))) {
      const end = code.indexOf('\n', at);
      take('comment', end < 0 ? code.length : end);
      continue;
    }
    const quote = syntax.quotes.find((mark) => code.startsWith(mark, at));
    if (quote) {
      take('string', stringEnd(code, at, quote));
      continue;
    }
    WORD.lastIndex = at;
    const word = WORD.exec(code)?.[0];
    if (word) {
      if (syntax.keywords.has(word)) take('keyword', at + word.length);
      else at += word.length;
      continue;
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(code)?.[0];
    if (number) take('number', at + number.length);
    else at++;
  }
  if (at > plainFrom) push('plain', code.slice(plainFrom, at));
  return lines;
}

/** Where the string that opens at `start` ends; an ordinary one never runs past its line, so an apostrophe in prose colours little. */
function stringEnd(code: string, start: number, quote: string): number {
  const spansLines = quote.length === 3 || quote === '`';
  for (let i = start + quote.length; i < code.length; i++) {
    if (code[i] === '\\' && code[i + 1] !== '\n') i++;
    else if (code.startsWith(quote, i)) return i + quote.length;
    else if (code[i] === '\n' && !spansLines) return i;
  }
  return code.length;
}
