/**
 * Places that name a symbol without calling it or using it as a type: constants and fields that are read, functions that are handed on by name. An
 * index holds no reference for those, which would be most words of a program; they are looked up in the texts that hold the name.
 */
import { identifierTerms } from '../model/text/terms.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import { receiverBefore } from './reading/arguments.ts';
import { findWords, type Word } from './reading/words.ts';
import { FUNCTION_KINDS } from './resolving/kinds.ts';
import type { Site } from './resolving/resolution.ts';

/** Texts that are looked through for one name: the symbol's own file, then in the order of their paths. */
const MAX_FILES = 400;
const MAX_IMPORT_LINES = 300;
/** `name: value` gives a name to an argument or a field. */
const LABELS = new Set(['script', 'swift', 'dart', 'csharp', 'ruby', 'php', 'go', 'rust', 'elixir']);

/** What declares, imports or gives away a name does not use it. */
const DECLARED =
  /\b(?:fn|def|func|fun|function|class|struct|enum|interface|trait|protocol|mod|module|namespace|package|typealias|macro_rules!)\s+$|<\/$/;
const IMPORTED = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|import|namespace|package)\s/;
const GIVEN = /^\s*(?:export\s+default|(?:module\.)?exports(?:\.[\w$]+)?\s*=)\s*$/;

export interface Mention extends Site {
  /** A text that is given to be called by its name (`'on_init'`, `:check`): nothing but the name says so. */
  readonly byName: boolean;
}

export function mentionsOf(
  tree: GraphTree,
  target: SymbolPlace,
  filter: (file: number) => boolean,
  renamed: readonly { readonly file: number; readonly local: string }[],
): Mention[] {
  const { name, kind } = tree.symbol(target);
  const { family } = tree.traits(target.file);
  const { parts, whole } = identifierTerms(name);
  const term = whole || (parts[0] ?? '');
  if (term === '' || family === 'css') return [];
  const own = new Set<number>();
  for (const chunk of tree.reader.postings('text', term).docs) {
    const first = tree.view.fileOfChunk[chunk] ?? -1;
    if (first >= 0) for (const file of tree.view.filesOfContent(tree.view.contentOf[first]!)) own.add(file);
  }
  const files = [...own].filter((file) => file !== target.file && filter(file)).sort((a, b) => a - b);
  const isFunction = FUNCTION_KINDS.has(kind);
  const named = [target.file, ...files].map((file) => ({ file, local: name }));
  // In Ruby a bare word of another file is a local, a method of a type or of whatever a test sets up: rarely the function of a script.
  const isOwn =
    tree.language(target.file) === 'ruby' && isFunction && tree.table(target.file).owners[target.ordinal] === '';
  return [...renamed, ...named]
    .slice(0, isOwn ? 1 : MAX_FILES)
    .flatMap(({ file, local }) => mentionsIn(tree, file, local, isFunction));
}

function mentionsIn(tree: GraphTree, file: number, name: string, isFunction: boolean): Mention[] {
  const language = tree.language(file);
  const { family } = tree.traits(file);
  const words = findWords(tree.text(file), name, language, family === 'script');
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
    family === 'script',
  );
  return words.flatMap((word) => {
    const { line, column, quoted } = word;
    if (known.has(`${line}:${column}`) || imported.has(line)) return [];
    const receiver = receiverOf(lines, word, name, language, family, isFunction);
    if (receiver === null) return [];
    const before = lines[line - 1]![column - 2];
    const byName = quoted || (language === 'ruby' && before === ':');
    return [{ file, reference: { kind: 'read', name, receiver, line, column, from: around(symbols, line) }, byName }];
  });
}

/** What stands before the name; null where the place does not mean a symbol from elsewhere. */
function receiverOf(
  lines: readonly string[],
  { line, column, quoted }: Word,
  name: string,
  language: string,
  family: string,
  isFunction: boolean,
): string | null {
  const text = lines[line - 1]!;
  const before = text.slice(0, column - 1);
  const after = text.slice(column - 1 + name.length);
  if (DECLARED.test(before) || IMPORTED.test(text) || (family === 'script' && GIVEN.test(before))) return null;
  if (quoted) {
    // Only PHP calls what a text names as a matter of course.
    if (language !== 'php' || !isFunction) return null;
    const owner = /(?:\[|\barray\(|\(|,)\s*(&?\$\w+|[\w\\]+::class|__CLASS__)\s*,\s*['"]$/.exec(before)?.[1];
    if (!owner) return '';
    return owner === '__CLASS__' ? 'self' : owner.replace(/^&|::class$/g, '');
  }
  // A method that keeps what it found in a variable of its name is not that variable.
  if (language === 'ruby' && /@$/.test(before)) return isFunction ? null : 'self';
  if (language === 'ruby' && /(?:^|[^:]):$/.test(before)) return isFunction && !/^\s*=>/.test(after) ? '' : null;
  // In PHP a method has no value, a variable is never a symbol of elsewhere, and a path of namespaces is written out as a type.
  if (language === 'php' && (/\\$/.test(before) || (isFunction && /(?:->|::)\s*$/.test(before)))) return null;
  if (language === 'php' && /\$$/.test(before) && !/::\$$/.test(before)) return null;
  const separator = /(?:\?\.|!\.|&\.|\.|->|::)\s*\$?$/.exec(before) ?? (/^\s*$/.test(before) ? null : undefined);
  if (separator && separator[0] !== '..' && !/\.\.\s*$/.test(before)) {
    const receiver = receiverBefore(lines, line, column - (before.endsWith('$') ? 1 : 0)).replace(
      /(?:\?\.|!\.|&\.|\.|->|::)\s*$/,
      '',
    );
    // `.name` of a type that only the compiler knows.
    return receiver !== '' ? receiver : language === 'swift' || language === 'zig' ? '' : null;
  }
  if (LABELS.has(family) && /^\??:(?!:)/.test(after) && !/\bcase\b[^:]*$/.test(before)) return null;
  if (language === 'python' && (/^=(?!=)/.test(after) || (/^:/.test(after) && /(?:^|[(,])\s*\**$/.test(before))))
    return null;
  if (family === 'jvm' && /^\s*=(?!=)/.test(after) && /[(,]\s*$/.test(before)) return null;
  // `<Child name={…}>`
  if (family === 'script' && /^=["{]/.test(after)) return null;
  return '';
}

/** The innermost symbol around a line, -1 at the top. */
function around(symbols: readonly { readonly startLine: number; readonly endLine: number }[], line: number): number {
  let found = -1;
  symbols.forEach(({ startLine, endLine }, ordinal) => {
    if (startLine <= line && line <= endLine) found = ordinal;
  });
  return found;
}

/** Lines of imports, and of what a script gives away under its own name: they name things without using them. */
function importLines(lines: readonly string[], starts: readonly number[], script: boolean): ReadonlySet<number> {
  const found = new Set<number>();
  const all = script
    ? [...starts, ...lines.flatMap((text, i) => (/^export\s*(?:type\s*)?\{/.test(text) ? [i + 1] : []))]
    : starts;
  for (const start of all) {
    let depth = 0;
    for (let line = start; line < start + MAX_IMPORT_LINES && line <= lines.length; line++) {
      found.add(line);
      for (const c of lines[line - 1]!) depth += c === '(' || c === '{' ? 1 : c === ')' || c === '}' ? -1 : 0;
      if (depth <= 0) break;
    }
  }
  return found;
}
