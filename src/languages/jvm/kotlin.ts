import type { ImportRecord, SymbolKind } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { jvmImports } from './imports.ts';
import { maskKotlin } from './kotlin-mask.ts';
import { kotlinNames } from './names.ts';
import { jvmPaths } from './paths.ts';
import { jvmTests } from './test-runner.ts';

export const kotlin: LanguageDescriptor = {
  id: 'kotlin',
  name: 'Kotlin',
  aliases: ['kt'],
  extensions: ['.kt', '.kts', '.ktm'],
  fileNames: [],
  paths: jvmPaths,
  interpreters: ['kotlin'],
  family: 'code',
  comments: 'c',
  standardLibrary: /^(?:java|javax|kotlin|scala)\./,
  grammar: 'kotlin',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['line_comment', 'block_comment'],
  attributeNodes: ['annotation'],
  wrapperNodes: [],
  plainNames: true,
  bodyNodes: ['class_body', 'enum_class_body', 'function_body', 'block', 'getter', 'setter', 'property_delegate'],
  visibilityOf: (declaration) => {
    // A modifier after the name belongs to the constructor.
    const head = declaration.split(/[({=]|\b(?:class|object|interface)\b/, 1)[0]!;
    const word = /\b(?:private|protected|internal)\b/.exec(head)?.[0];
    return word === 'private' || word === 'protected' || word === 'internal' ? word : 'public';
  },
  kindOf,
  readImports,
  mask: maskKotlin,
  plainSignatures: true,
  keepReference: (name, _receiver, kind) =>
    !/^(?:[A-Z]\d?|Unit|Any|Int|Long|String|Boolean|Nothing)$/.test(name) && (kind !== 'type' || !/^[a-z]/.test(name)),
  names: kotlinNames,
  imports: jvmImports,
  tests: jvmTests,
  strings: { characters: true, quotedNames: true, interpolation: /\$\{/g },
};

/** A constant of an enum may have a body. */
const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'enum', 'struct', 'constant']);

function kindOf(kind: SymbolKind, _name: string, parentKind: SymbolKind | null, declaration: string): SymbolKind {
  const inType = parentKind !== null && TYPES.has(parentKind);
  if (kind === 'function') return inType ? 'method' : kind;
  if (kind !== 'property') return kind;
  if (/\bconst\s+val\b/.test(declaration)) return 'constant';
  return inType || parentKind === null ? kind : 'variable';
}

function readImports(statement: string): readonly Omit<ImportRecord, 'line'>[] {
  const match = /^import\s+([\w.`]+?)(\.\*)?(?:\s+as\s+(`?\w+`?))?\s*;?\s*$/.exec(statement.trim());
  if (!match) return [];
  const source = match[1]!.replace(/`/g, '');
  if (match[2]) return [{ source, names: [{ name: '*', local: '*' }], alias: '' }];
  const name = source.slice(source.lastIndexOf('.') + 1);
  return [{ source, names: [{ name, local: match[3] ?? name }], alias: '' }];
}
