/**
 * Finds places that name a symbol without calling it or using it as a type: reads of constants and fields, functions
 * passed as values. The index stores no reference for these, because they would be most words of a program; they are
 * searched for in the texts that contain the name.
 */

import type { MentionRules } from '../languages/name-rules.ts';
import { languageById } from '../languages/registry.ts';
import { pattern } from '../model/text/pattern.ts';
import { identifierTerms } from '../model/text/terms.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import { receiverBefore } from './reading/arguments.ts';
import { findWords, type Word } from './reading/find-words.ts';
import { FUNCTION_KINDS } from './resolving/kinds.ts';
import type { Site } from './resolving/resolution.ts';

/** Texts that are searched for one name: the symbol's own file, then others in path order. */
const MAX_FILES = 400;
const MAX_IMPORT_LINES = 300;

/** Text before a name that makes the place a declaration, not a use. */
const DECLARED = pattern()`
    \b(?:fn|def|func|fun|function|class|struct|enum|interface|trait|protocol|mod|module|namespace|package|typealias
    |macro_rules!)\s+$|<\/$
  `;
/** A line that is an import or a package clause. */
const IMPORTED = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|import|namespace|package)\s/;

export interface Mention extends Site {
  /** A string or symbol that names a function to be called (`'on_init'`, `:check`): only the spelling links them. */
  readonly byName: boolean;
}

export function findMentions(
  tree: GraphTree,
  target: SymbolPlace,
  filter: (file: number) => boolean,
  aliases: readonly { readonly file: number; readonly local: string }[],
): Mention[] {
  const { name, kind } = tree.symbol(target);
  const { mentions } = tree.rules(target.file);
  const { parts, whole } = identifierTerms(name);
  const term = whole || (parts[0] ?? '');
  if (term === '' || !mentions) return [];
  const containing = new Set<number>();
  for (const chunk of tree.reader.postings('text', term).docs) {
    const first = tree.view.fileOfChunk[chunk] ?? -1;
    if (first >= 0) for (const file of tree.view.filesOfContent(tree.view.contentOf[first]!)) containing.add(file);
  }
  const files = [...containing].filter((file) => file !== target.file && filter(file)).sort((a, b) => a - b);
  const isFunction = FUNCTION_KINDS.has(kind);
  const named = [target.file, ...files].map((file) => ({ file, local: name }));
  const isOwnFileOnly = mentions.ownFileOnly && isFunction && tree.table(target.file).owners[target.ordinal] === '';
  return [...aliases, ...named]
    .slice(0, isOwnFileOnly ? 1 : MAX_FILES)
    .flatMap(({ file, local }) => findMentionsInFile(tree, file, local, isFunction));
}

export function findMentionsInFile(tree: GraphTree, file: number, name: string, isFunction: boolean): Mention[] {
  const rules = tree.rules(file).mentions ?? {};
  const words = findWords(tree.text(file), name, languageById(tree.language(file)));
  if (words.length === 0) return [];
  const { symbols, imports } = tree.table(file);
  const lines = tree.lines(file);
  const known = new Set<string>();
  for (const symbol of symbols) if (symbol.name === name) known.add(`${symbol.nameLine}:${symbol.nameColumn}`);
  for (const reference of tree.tables.references(tree.view.contentOf[file]!))
    if (reference.name === name) known.add(`${reference.line}:${reference.column}`);
  const imported = importLines(
    lines,
    imports.map(({ line }) => line),
    rules.exportList,
  );
  return words.flatMap((word) => {
    const { line, column, quoted } = word;
    if (known.has(`${line}:${column}`) || imported.has(line)) return [];
    const receiver = receiverOf(lines, word, name, rules, isFunction);
    if (receiver === null) return [];
    const before = lines[line - 1]![column - 2];
    const byName = quoted || (rules.nameSign !== undefined && before === rules.nameSign);
    return [
      { file, reference: { kind: 'read', name, receiver, line, column, from: tree.symbolAt(file, line) }, byName },
    ];
  });
}

/** The receiver before the name, '' for none; null where the place is no use of a symbol. */
function receiverOf(
  lines: readonly string[],
  { line, column, quoted }: Word,
  name: string,
  rules: MentionRules,
  isFunction: boolean,
): string | null {
  const text = lines[line - 1]!;
  const before = text.slice(0, column - 1);
  const after = text.slice(column - 1 + name.length);
  if (DECLARED.test(before) || IMPORTED.test(text) || rules.givesAway?.test(before)) return null;
  if (quoted) return rules.quoted?.(before, isFunction) ?? null;
  const signed = rules.signed?.(before, after, isFunction);
  if (signed !== undefined) return signed;
  const separator = /(?:\?\.|!\.|&\.|\.|->|::)\s*\$?$/.exec(before) ?? (/^\s*$/.test(before) ? null : undefined);
  if (separator && separator[0] !== '..' && !/\.\.\s*$/.test(before)) {
    const receiver = receiverBefore(lines, line, column - (before.endsWith('$') ? 1 : 0)).replace(
      /(?:\?\.|!\.|&\.|\.|->|::)\s*$/,
      '',
    );
    // Swift's `.name` leaves the type out, which the compiler infers.
    return receiver !== '' || rules.leadingDot ? receiver : null;
  }
  return rules.isLabel?.(before, after) ? null : '';
}

/** Lines of imports and export lists: they name symbols without using them. */
function importLines(lines: readonly string[], starts: readonly number[], exportList?: RegExp): ReadonlySet<number> {
  const found = new Set<number>();
  const exports = exportList ? lines.flatMap((text, i) => (exportList.test(text) ? [i + 1] : [])) : [];
  for (const start of [...starts, ...exports]) {
    let depth = 0;
    for (let line = start; line < start + MAX_IMPORT_LINES && line <= lines.length; line++) {
      found.add(line);
      for (const c of lines[line - 1]!) depth += c === '(' || c === '{' ? 1 : c === ')' || c === '}' ? -1 : 0;
      if (depth <= 0) break;
    }
  }
  return found;
}
