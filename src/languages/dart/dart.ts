import type { ImportRecord, SymbolRecord } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { isColonLabel, nameRules } from '../name-rules.ts';
import { beforeInitialisers } from '../runtime/extract/node-text.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { dartImports } from './imports.ts';
import { dartPaths } from './paths.ts';

/** Built-in types: no file defines them. */
const BUILTINS = new Set(
  'String int bool double num Object dynamic List Map Set Iterable Future Stream Never Null Function T E K V R S'.split(
    ' ',
  ),
);

export const dart: LanguageDescriptor = {
  id: 'dart',
  name: 'Dart',
  aliases: ['flutter'],
  extensions: ['.dart'],
  fileNames: [],
  paths: dartPaths,
  interpreters: ['dart'],
  family: 'code',
  comments: 'script',
  standardLibrary: /^dart:/,
  typedHeads: true,
  grammar: 'dart',
  separator: '.',
  plainNames: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment', 'documentation_comment'],
  attributeNodes: ['annotation'],
  wrapperNodes: [],
  bodyNodes: ['class_body', 'extension_body', 'enum_body'],
  visibilityOf: (_declaration, name) => (name.startsWith('_') ? 'private' : 'public'),
  kindOf: (kind, _name, parentKind, declaration) => {
    if (kind === 'function' && parentKind !== null && parentKind !== 'function' && parentKind !== 'method')
      return 'method';
    if (kind === 'constant' && parentKind !== null && parentKind !== 'enum' && !/\bconst\b/.test(declaration))
      return 'field';
    return kind;
  },
  readImports,
  refine: (symbols, text) => {
    const lines = text.split('\n');
    return symbols.map((symbol) => wholeSignature(symbol, lines));
  },
  keepReference: (name, receiver, kind) => kind !== 'type' || receiver !== '' || !BUILTINS.has(name),
  names: nameRules({
    family: 'dart',
    builtinMethods: BUILTIN_METHODS,
    implicitSelf: true,
    openTypes: true,
    extensionFunctions: 'extension-block',
    declares: 'type-name',
    // A library prefix and the type after it are two names.
    hiddenReceivers: 'types',
    literal: /^r["']/,
    mentions: { isLabel: isColonLabel },
    main: 'main',
  }),
  imports: dartImports,
  strings: { interpolation: /\$\{/g },
};

/**
 * The syntax tree has the type of a top-level variable beside it, and the initialisers of a constructor inside of it.
 */
function wholeSignature(symbol: SymbolRecord, lines: readonly string[]): SymbolRecord {
  let { signature } = symbol;
  if (symbol.kind === 'method') signature = beforeInitialisers(signature);
  else if (symbol.kind === 'field') signature = signature.replace(/^\((.*)\)$/, '$1');
  else if (symbol.parent < 0 && signature.startsWith(symbol.name)) {
    const before = lines[symbol.nameLine - 1]!.slice(0, symbol.nameColumn - 1);
    if (/^[\w<>?,. ]+ $/.test(before)) signature = before + signature;
  }
  return signature === symbol.signature ? symbol : { ...symbol, signature };
}

/**
 * `import 'package:a/b.dart' as b show X, Y hide Z;`, `export 'src/x.dart';`, `part 'x.g.dart';`, `part of 'y.dart';`.
 */
function readImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const source = /["']([^"']+)["']/.exec(statement)?.[1] ?? /^part\s+of\s+([\w.]+)/.exec(statement)?.[1];
  if (!source) return [];
  const shown = /\bshow\s+([\w\s,$]{1,2000}?)(?=\bhide\b|;|$)/.exec(statement)?.[1] ?? '';
  const names = shown
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ name, local: name }));
  const alias = /\bas\s+(\w+)/.exec(statement)?.[1] ?? '';
  if (names.length === 0 && !alias && !statement.startsWith('part')) names.push({ name: '*', local: '*' });
  return [{ source, alias, names }];
}
