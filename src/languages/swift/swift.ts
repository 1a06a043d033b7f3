import type { ImportRecord, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { swiftImports } from './imports.ts';
import { maskSwift } from './mask.ts';
import { swiftNames } from './names.ts';
import { swiftPaths } from './paths.ts';
import { swiftTests } from './test-runner.ts';

/** The grammar reads attributes as types; these are built in. */
const NOT_REFERENCES = new Set(
  (
    'self Self testable available discardableResult objc escaping autoclosure inlinable usableFromInline frozen ' +
    'main preconcurrency unknown ('
  ).split(' '),
);
/** Built-in types: no file of a project defines them. */
const BUILTINS = new Set(
  (
    'String Int Bool Double Float Void Any AnyObject UInt UInt8 UInt16 UInt32 UInt64 Int8 Int16 Int32 Int64 ' +
    'Character Never T U V'
  ).split(' '),
);

export const swift: LanguageDescriptor = {
  id: 'swift',
  name: 'Swift',
  aliases: [],
  extensions: ['.swift', '.swiftinterface'],
  fileNames: [],
  paths: swiftPaths,
  interpreters: ['swift'],
  family: 'code',
  comments: 'c',
  standardLibrary:
    /^(?:Foundation|FoundationEssentials|Swift|Darwin|Glibc|Musl|Android|Bionic|WinSDK|ucrt|CRT|Dispatch)$/,
  grammar: 'swift',
  separator: '.',
  plainNames: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment', 'multiline_comment'],
  attributeNodes: ['attribute'],
  wrapperNodes: [],
  bodyNodes: ['computed_property', 'protocol_property_requirements', 'function_body'],
  visibilityOf,
  kindOf: (kind, name, parentKind, declaration) => {
    if (kind === 'function' && parentKind !== null && parentKind !== 'function' && parentKind !== 'method')
      return 'method';
    if (kind === 'variable' && /\blet\b/.test(declaration.slice(0, declaration.indexOf(name)))) return 'constant';
    return kind;
  },
  nameOf,
  receiverOf: (raw) => /^([\p{L}_].*)\.[\p{L}\p{N}_]+(?:<.*)?$/su.exec(raw)?.[1] ?? '',
  readImports,
  mask: maskSwift,
  plainSignatures: true,
  refine: inheritVisibility,
  keepReference: (name, receiver, kind) =>
    !NOT_REFERENCES.has(name) && (kind !== 'type' || receiver !== '' || !BUILTINS.has(name)),
  names: swiftNames,
  imports: swiftImports,
  tests: swiftTests,
  strings: { characters: true, quotedNames: true, interpolation: /\\\(/g },
};

function visibilityOf(declaration: string): Visibility {
  const head = declaration.replace(/\b(?:private|fileprivate|internal|public|package)\(set\)/g, '').slice(0, 120);
  const word = /^(?:[@\w]+(?:\([^)]*\))?\s+)*?(private|fileprivate|public|open|package)\b/.exec(head)?.[1];
  if (word === 'public' || word === 'open') return 'public';
  return word === 'private' || word === 'fileprivate' ? 'private' : 'internal';
}

/** `import Foundation`, `@testable import App`, `import struct Foo.Bar`. */
function readImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const match = /\bimport\s+(?:(typealias|struct|class|enum|protocol|let|var|func|actor)\s+)?([\w.`]+)/.exec(statement);
  if (!match) return [];
  const path = match[2]!;
  const dot = path.lastIndexOf('.');
  if (!match[1] || dot < 0) return [{ source: path, alias: path.slice(dot + 1), names: [] }];
  const name = path.slice(dot + 1);
  return [{ source: path.slice(0, dot), alias: '', names: [{ name, local: name }] }];
}

/** Members of a protocol, cases of an enum and members of a `public extension` are as visible as their owner. */
function inheritVisibility(symbols: readonly SymbolRecord[]): readonly SymbolRecord[] {
  const visibilities: Visibility[] = [];
  return symbols.map((symbol) => {
    const parent = symbols[symbol.parent];
    const inherits =
      symbol.visibility === 'internal' &&
      (parent?.kind === 'protocol' ||
        parent?.kind === 'extension' ||
        (parent?.kind === 'enum' && symbol.kind === 'constant'));
    const visibility = inherits ? visibilities[symbol.parent]! : symbol.visibility;
    visibilities.push(visibility);
    return visibility === symbol.visibility ? symbol : { ...symbol, visibility };
  });
}

/**
 * The pattern for functions also matches the text after an operator. An extension is named by the last part of its
 * path, or by `[Element]`.
 */
function nameOf(raw: string): string {
  if (/^[^\p{L}\p{N}\s()_,:`[]+$/u.test(raw)) return raw;
  // A raw identifier may be a whole sentence, as names of tests are.
  if (/^`[^`]*[^\w`][^`]*`$/.test(raw)) return raw.slice(1, -1);
  const path = raw.replace(/<.*$/s, '').replace(/[`\s]/g, '');
  if (/^\[.*\]$/.test(path)) return path;
  return /^[\p{L}_][\p{L}\p{N}_$.]*$/u.test(path) ? path.slice(path.lastIndexOf('.') + 1) : '';
}
