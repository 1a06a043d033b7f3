import type { SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { jvmImports } from './imports.ts';
import { javaNames } from './names.ts';
import { jvmPaths } from './paths.ts';
import { jvmTests } from './test-runner.ts';

export const java: LanguageDescriptor = {
  id: 'java',
  name: 'Java',
  aliases: [],
  extensions: ['.java'],
  fileNames: [],
  paths: jvmPaths,
  interpreters: [],
  family: 'code',
  comments: 'c',
  standardLibrary: /^(?:java|javax|kotlin|scala)\./,
  typedHeads: true,
  grammar: 'java',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['line_comment', 'block_comment'],
  attributeNodes: ['marker_annotation', 'annotation'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: [],
  visibilityOf,
  // Common types of java.lang and type parameters: no file of a project defines them. A lower-case type is a package
  // before a type.
  keepReference: (name, _receiver, kind) =>
    !/^(?:[A-Z]\d?|Override|String|Object|Integer|Long|Boolean|Double|Void)$/.test(name) &&
    (kind !== 'type' || !/^[a-z]/.test(name)),
  kindOf: (kind, _name, _parent, declaration) =>
    kind === 'field' && /\bstatic\b[^=(]*\bfinal\b|\bfinal\b[^=(]*\bstatic\b/.test(declaration) ? 'constant' : kind,
  refine: (symbols) => symbols.map((symbol) => component(symbol, symbols[symbol.parent])),
  names: javaNames,
  imports: jvmImports,
  tests: jvmTests,
  strings: { characters: true, quotedNames: true },
};

/** The components of a record are read through public methods of the same name. */
function component(symbol: SymbolRecord, parent: SymbolRecord | undefined): SymbolRecord {
  const isComponent =
    symbol.kind === 'field' &&
    /^(?:[\w-]+ )*record /.test(parent?.signature ?? '') &&
    !/\bstatic\b/.test(symbol.signature);
  return isComponent ? { ...symbol, visibility: 'public' } : symbol;
}

function visibilityOf(declaration: string, _name: string, kind: SymbolKind, parentKind: SymbolKind | null): Visibility {
  const word = /^(?:[^(={]*?\s)?(public|protected|private)\s/.exec(declaration)?.[1];
  if (word) return word as Visibility;
  // Members of an interface and constants of an enum are public by default.
  if (parentKind === 'interface' || (parentKind === 'enum' && kind === 'constant')) return 'public';
  return kind === 'module' ? 'public' : 'internal';
}
