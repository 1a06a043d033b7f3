/** Languages as the scanner sees them: comments, strings, keywords. Data; highlight.ts uses it. */

/** The rules of a language that its scanner needs. */
export interface Syntax {
  readonly line: readonly string[];
  readonly block: readonly (readonly [string, string])[];
  /** Delimiters of strings; those of three characters may span lines. */
  readonly quotes: readonly string[];
  readonly keywords: ReadonlySet<string>;
  /** Called functions and types have colours of their own. */
  readonly hasNames: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const C_WORDS =
  'break case catch class const continue default delete do else enum export extends extern false final finally ' +
  'for goto if implements import in inline instanceof interface internal is let long namespace new null operator ' +
  'override package private protected public return short signed sizeof static struct super switch synchronized ' +
  'template this throw throws true try type typedef typename typeof union unsigned using var virtual void ' +
  'volatile while yield async await abstract readonly nullptr int char bool boolean float double string auto';
const c = (extra: string, options: Partial<Syntax> = {}): Syntax => ({
  line: ['//'],
  block: [['/*', '*/']],
  quotes: ['"', "'"],
  keywords: words(`${C_WORDS} ${extra}`),
  hasNames: true,
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
    'and as assert async await break class continue def del elif else except False finally for from global if ' +
      'import in is lambda match case None nonlocal not or pass raise return True try while with yield self cls',
  ),
  hasNames: true,
};
const SHELL: Syntax = {
  line: ['#'],
  block: [],
  quotes: ['"', "'"],
  keywords: words(
    'if then else elif fi for while until do done case esac in function return local export set unset readonly',
  ),
  hasNames: false,
};
const DATA: Syntax = {
  line: ['#'],
  block: [],
  quotes: ['"', "'"],
  keywords: words('true false null yes no'),
  hasNames: false,
};

const CSS_WORDS = words('@media @import @font-face @supports @keyframes @layer @container @charset !important');

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
      'alias and begin break case class def defined? do else elsif end ensure false for if in module next nil ' +
        'not or redo rescue retry return self super then true undef unless until when while yield require ' +
        'attr_reader attr_accessor',
    ),
    hasNames: true,
  },
  elixir: {
    line: ['#'],
    block: [],
    quotes: ['"""', '"'],
    keywords: words(
      'def defp defmodule defmacro defstruct do end fn if else unless case cond with when for in use import ' +
        'alias require raise rescue try after nil true false and or not',
    ),
    hasNames: true,
  },
  lua: {
    line: ['--'],
    block: [['--[[', ']]']],
    quotes: ['"', "'"],
    keywords: words(
      'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
    ),
    hasNames: true,
  },
  haskell: {
    line: ['--'],
    block: [['{-', '-}']],
    quotes: ['"'],
    keywords: words(
      'case class data deriving do else if import in infix instance let module newtype of then type where ' +
        'qualified as hiding forall',
    ),
    hasNames: true,
  },
  sql: {
    line: ['--'],
    block: [['/*', '*/']],
    quotes: ["'", '"'],
    keywords: words(
      'select from where and or not insert into values update set delete create table index view primary key ' +
        'foreign references join left right inner outer on group by order having limit null as distinct union ' +
        'SELECT FROM WHERE AND OR NOT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX VIEW PRIMARY KEY ' +
        'FOREIGN REFERENCES JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING LIMIT NULL AS DISTINCT UNION',
    ),
    hasNames: false,
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
  protobuf: c('message service rpc returns repeated optional oneof reserved syntax option'),
  css: c('important from to and not only', { line: [], hasNames: false, keywords: CSS_WORDS }),
  graphql: c('query mutation subscription fragment on schema scalar input directive repeatable', {
    line: ['#'],
    block: [],
  }),
  makefile: { ...SHELL, keywords: words('ifeq ifneq ifdef ifndef else endif include define endef export override') },
  ini: { ...DATA, line: [';', '#'] },
};
const GENERIC = c('function fn func def end self nil');

export function syntaxOf(language: string): Syntax {
  return SYNTAXES[language] ?? GENERIC;
}
