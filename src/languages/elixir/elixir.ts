import type { ImportRecord, SymbolRecord } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { elixirImports } from './imports.ts';
import { elixirNames } from './names.ts';
import { elixirPaths } from './paths.ts';
import { elixirTests } from './test-runner.ts';

/** The grammar reads declarations, attributes and control flow as calls, too. */
const NOT_CALLS = new Set(
  (
    'def defp defmacro defmacrop defmodule defprotocol defimpl defstruct defexception defdelegate defguard ' +
    'defguardp defn defnp defoverridable ' +
    'alias import use require if unless case cond with for receive try fn quote unquote unquote_splicing raise ' +
    'reraise throw super and or not in ' +
    'when doc moduledoc typedoc spec type typep opaque callback macrocallback behaviour impl derive enforce_keys ' +
    'deprecated dialyzer compile ' +
    'optional_callbacks external_resource before_compile after_compile t __MODULE__ field'
  ).split(' '),
);

export const elixir: LanguageDescriptor = {
  id: 'elixir',
  name: 'Elixir',
  aliases: ['ex', 'exs'],
  extensions: ['.ex', '.exs'],
  fileNames: ['mix.lock'],
  paths: elixirPaths,
  interpreters: ['elixir'],
  family: 'code',
  comments: 'hash',
  grammar: 'elixir',
  separator: '.',
  lineComment: '#',
  blockComment: null,
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: ['do_block'],
  dottedNames: true,
  visibilityOf: (declaration) => (/^(?:def(?:macro|guard|n)?p\b|@typep\b)/.test(declaration) ? 'private' : 'public'),
  kindOf: (kind, _name, _parentKind, declaration) => {
    if (kind === 'module') return declaration.startsWith('defprotocol') ? 'protocol' : 'module';
    return kind === 'function' && /^def(?:macro|guard)/.test(declaration) ? 'macro' : kind;
  },
  // In `def f(x) when …` the operator is no name.
  nameOf: (raw) => (raw === 'when' ? '' : raw.replace(/^:|:\s*$/g, '').trim()),
  continues: (previous, current) => wordOf(previous) === wordOf(current) && arityOf(previous) === arityOf(current),
  readImports,
  refine,
  keepReference: (name, receiver) => name !== 't' && (receiver !== '' || !NOT_CALLS.has(name)),
  names: elixirNames,
  imports: elixirImports,
  tests: elixirTests,
  strings: { multiline: true, interpolation: /#\{/g },
};

function wordOf(signature: string): string {
  return signature.slice(0, signature.indexOf(' '));
}

/** Clauses of one function have the same arity, counted by the commas at the first level of brackets. */
function arityOf(signature: string): number {
  const open = signature.indexOf('(');
  if (open < 0) return 0;
  let depth = 0;
  let count = 0;
  for (let i = open; i < signature.length; i++) {
    const c = signature[i]!;
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') {
      depth--;
      if (depth === 0) return /^\s*$/.test(signature.slice(open + 1, i)) ? 0 : count + 1;
    } else if (c === ',' && depth === 1) count++;
  }
  return count + 1;
}

/** `alias A.{B, C}`, `alias X.Y, as: Z`, `import M, only: [f: 2]`, `use M`, `require M`. */
function readImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const match = /^(alias|import|use|require)[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?=[\s,)]|$)/.exec(statement);
  if (!match) return [];
  const [, word, source] = match;
  if (match[3]) {
    return match[3]
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => ({ source: `${source}.${name}`, alias: name.slice(name.lastIndexOf('.') + 1), names: [] }));
  }
  const renamed = /\bas:\s*(\w+)/.exec(statement)?.[1];
  const only = /\bonly:\s*\[([^\]]*)\]/.exec(statement)?.[1] ?? '';
  const names = [...only.matchAll(/(?<!\w)(\w+[?!]?):/g)].map((name) => ({ name: name[1]!, local: name[1]! }));
  if (word === 'import' && names.length === 0) names.push({ name: '*', local: '*' });
  const alias = renamed ?? (word === 'import' ? '' : source!.slice(source!.lastIndexOf('.') + 1));
  return [{ source: source!, alias, names }];
}

/** The documentation of a module is inside of it; a comment before it is more often a licence. */
function refine(symbols: readonly SymbolRecord[]): readonly SymbolRecord[] {
  return symbols.map((symbol) =>
    symbol.doc.endsWith('"""') ? { ...symbol, doc: symbol.doc.replace(/\s*"""$/, '') } : symbol,
  );
}
