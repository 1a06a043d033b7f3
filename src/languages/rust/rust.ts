import type { SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { wordSet } from '../name-rules.ts';
import { rustImports } from './imports.ts';
import { maskRust } from './mask.ts';
import { rustNames } from './names.ts';
import { rustPaths } from './paths.ts';
import { rustTests } from './test-runner.ts';
import { readRustUse } from './use.ts';

/** Built-in names of the language: no file defines them. */
const PRELUDE = wordSet(
  'Self T U F E K V Ok Err Some None Option Result String Vec Box Fn FnMut FnOnce Send Sync Sized Clone Copy',
);

export const rust: LanguageDescriptor = {
  id: 'rust',
  name: 'Rust',
  aliases: ['rs'],
  extensions: ['.rs'],
  fileNames: [],
  paths: rustPaths,
  interpreters: ['rust-script'],
  family: 'code',
  comments: 'c',
  standardLibrary: /^(?:std|core|alloc)\b/,
  grammar: 'rust',
  separator: '::',
  plainNames: true,
  callsInTokens: true,
  knownReads: true,
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  innerDoc: '//!',
  commentNodes: ['line_comment', 'block_comment'],
  attributeNodes: ['attribute_item'],
  wrapperNodes: [],
  bodyNodes: [],
  visibilityOf: rustVisibility,
  kindOf: (kind, _name, parentKind) =>
    kind === 'function' && (parentKind === 'extension' || parentKind === 'trait') ? 'method' : kind,
  readImports: readRustUse,
  keepReference: (name, receiver) => receiver !== '' || !PRELUDE.has(name),
  refine: publishTraitMethods,
  mask: maskRust,
  names: rustNames,
  imports: rustImports,
  tests: rustTests,
  strings: { characters: true, multiline: true, quotedNames: true, rawEnd: endOfRawString },
};

/** A raw string `r#"…"#` ends with as many `#` as precede its quote. */
function endOfRawString(_quote: string, before: string): string {
  const signs = /\br(#+)$/.exec(before)?.[1];
  return signs ? `"${signs}` : '';
}

/** A method that implements a trait is as visible as the trait. */
function publishTraitMethods(symbols: readonly SymbolRecord[]): SymbolRecord[] {
  return symbols.map((symbol) => {
    const parent = symbols[symbol.parent];
    const implementsTrait = parent?.kind === 'extension' && / for /.test(parent.signature);
    return implementsTrait && symbol.visibility === 'private' ? { ...symbol, visibility: 'public' } : symbol;
  });
}

function rustVisibility(
  declaration: string,
  _name: string,
  kind: SymbolKind,
  parentKind: SymbolKind | null,
): Visibility {
  if (/^pub\s*\(/.test(declaration)) return 'internal';
  if (/^pub\b/.test(declaration)) return 'public';
  // Items of traits, variants of enums and their fields are as visible as their owner; attributes decide about macros.
  if (parentKind === 'trait' || parentKind === 'enum' || kind === 'macro' || kind === 'extension') return 'public';
  if (kind === 'field' && parentKind === 'constant') return 'public';
  return 'private';
}
