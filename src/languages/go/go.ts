import type { ImportRecord, SymbolRecord } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { wordSet } from '../name-rules.ts';
import { goImports } from './imports.ts';
import { goNames } from './names.ts';
import { maskNewValues } from './new-values.ts';
import { goPaths } from './paths.ts';
import { goTests } from './test-runner.ts';

/** Built-in names of the language: no file defines them. */
const PREDECLARED = wordSet(
  'bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 ' +
    'uint32 uint64 uintptr any',
  'comparable append cap copy delete len make new panic print println recover T K V',
);

export const go: LanguageDescriptor = {
  id: 'go',
  name: 'Go',
  aliases: ['golang'],
  extensions: ['.go'],
  fileNames: [],
  paths: goPaths,
  interpreters: [],
  family: 'code',
  comments: 'c',
  // Packages of the standard library have no host.
  standardLibrary: /^[^.]+(?:\/.*)?$/,
  grammar: 'go',
  separator: '.',
  plainNames: true,
  knownReads: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  bodyNodes: [],
  visibilityOf: (_declaration, name) => (/^\p{Lu}/u.test(name) ? 'public' : 'internal'),
  mask: maskNewValues,
  plainSignatures: true,
  readImports: readGoImports,
  refine: (symbols) => symbols.map(ungrouped),
  keepReference: (name, receiver) => receiver !== '' || !PREDECLARED.has(name),
  names: goNames,
  imports: goImports,
  tests: goTests,
  strings: { characters: true, rawEnd: (quote) => (quote === '`' ? quote : '') },
};

/** The only constant of a group in parentheses (`const ( X = 1`) starts at the group in the syntax tree. */
function ungrouped(symbol: SymbolRecord): SymbolRecord {
  const signature = symbol.signature.replace(/^(var|const|type) \( /, '$1 ');
  return signature === symbol.signature ? symbol : { ...symbol, signature };
}

/**
 * Reads `import x "path"`, alone or in a group. Without an alias the local name is the name of the package, which by
 * convention is the last segment of the path.
 */
function readGoImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const match = /^(?:([\w.]+)\s+)?["`]([^"`]+)["`]/.exec(statement.trim());
  if (!match) return [];
  const [, alias, source] = match;
  if (alias === '.') return [{ source: source!, names: [{ name: '*', local: '*' }], alias: '' }];
  if (alias === '_') return [{ source: source!, names: [], alias: '' }];
  const parts = source!.split('/');
  const last = parts[parts.length - 1]!;
  const base = /^v\d+$/.test(last) && parts.length > 1 ? parts[parts.length - 2]! : last;
  return [{ source: source!, names: [], alias: alias ?? base.replace(/\.v\d+$/, '').replace(/^go-|-go$/g, '') }];
}
