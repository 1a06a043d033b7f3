/**
 * The identifiers of a file that the graph can resolve: definitions, references, imported names, and names that are
 * only read or passed as values.
 */
import type { Confidence } from '../model/records/query.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import { findMentionsInFile } from './mentions.ts';
import { FUNCTION_KINDS } from './resolving/kinds.ts';
import type { Resolution, Site } from './resolving/resolution.ts';

export interface Identifier {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly confidence: Confidence;
  readonly targets: readonly SymbolPlace[];
  /** The file behind the source of an import. */
  readonly file?: number;
  readonly isDefinition: boolean;
}

export interface IdentifierSource {
  readonly tree: GraphTree;
  readonly resolve: (site: Site) => Resolution;
  readonly declares: (site: Site) => boolean;
  readonly referencesIn: (file: number) => readonly Site['reference'][];
}

const WORD = /[\p{L}_$@][\p{L}\p{N}_$]*/gu;
/** Each read name is looked up by itself; the limit is enough for a file of several thousand lines. */
const MAX_READ_NAMES = 1_500;
const MAX_IMPORT_LINES = 60;
const MAX_TARGETS = 5;

export function findIdentifiers(source: IdentifierSource, file: number): Identifier[] {
  const found = new Map<string, Identifier>();
  const add = (identifier: Identifier) => {
    const key = `${identifier.line}:${identifier.column}`;
    const { targets, file: imported } = identifier;
    if ((targets.length > 0 || imported !== undefined) && !found.has(key)) found.set(key, identifier);
  };
  findDefinitions(source.tree, file).forEach(add);
  for (const reference of source.referencesIn(file)) add(resolveSite(source, { file, reference }));
  findImportedNames(source.tree, file).forEach(add);
  for (const site of findReads(source, file)) add(resolveSite(source, site));
  return withoutOverlaps([...found.values()]);
}

function resolveSite({ resolve }: IdentifierSource, site: Site): Identifier {
  const { confidence, targets } = resolve(site);
  const { line, column, name } = site.reference;
  return { line, column, length: name.length, confidence, targets: targets.slice(0, MAX_TARGETS), isDefinition: false };
}

function findDefinitions(tree: GraphTree, file: number): Identifier[] {
  return tree.table(file).symbols.map(({ name, nameLine, nameColumn }, ordinal) => ({
    line: nameLine,
    column: nameColumn,
    length: name.length,
    confidence: 'exact',
    targets: [{ file, ordinal }],
    isDefinition: true,
  }));
}

/** An imported name leads to its definition, the source of an import to the imported file. */
function findImportedNames(tree: GraphTree, file: number): Identifier[] {
  const lines = tree.lines(file);
  const resolved = tree.importsOf(file);
  return tree.table(file).imports.flatMap((record, i) => {
    const { files } = resolved[i]!;
    if (files.length === 0) return [];
    const found: Identifier[] = [];
    const source = findInImport(lines, record.line, record.source);
    const exact = { confidence: 'exact', isDefinition: false } as const;
    if (source) found.push({ ...source, ...exact, targets: [], file: files[0]! });
    for (const { name } of record.names) {
      const targets = files.flatMap((other) =>
        (tree.table(other).byName.get(name) ?? [])
          .filter((ordinal) => tree.table(other).symbols[ordinal]!.parent < 0)
          .map((ordinal) => ({ file: other, ordinal })),
      );
      const place = findInImport(lines, record.line, name);
      if (place && targets.length > 0) found.push({ ...place, ...exact, targets: targets.slice(0, MAX_TARGETS) });
    }
    return found;
  });
}

/** Finds a word in the lines of an import statement, which may span many. */
function findInImport(lines: readonly string[], from: number, word: string) {
  for (let line = from; line < from + MAX_IMPORT_LINES && line <= lines.length; line++) {
    const text = lines[line - 1]!;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (!/[\w$]/.test((text[at - 1] ?? ' ') + (text[at + word.length] ?? ' ')))
        return { line, column: at + 1, length: word.length };
    if (line > from && /^\S/.test(text) && !/^[)}\]]/.test(text)) return null;
  }
  return null;
}

function findReads({ tree, declares }: IdentifierSource, file: number): Site[] {
  const words = new Set(tree.text(file).match(WORD) ?? []);
  const sites: Site[] = [];
  let lookedUp = 0;
  for (const name of words) {
    if (name.length < 2 || lookedUp >= MAX_READ_NAMES) continue;
    const named = tree.named(name);
    if (named.length === 0) continue;
    lookedUp++;
    const isFunction = named.some((place) => FUNCTION_KINDS.has(tree.symbol(place).kind));
    for (const { byName, ...site } of findMentionsInFile(tree, file, name, isFunction))
      if (!byName && !declares(site)) sites.push(site);
  }
  return sites;
}

function withoutOverlaps(identifiers: Identifier[]): Identifier[] {
  identifiers.sort((a, b) => a.line - b.line || a.column - b.column);
  return identifiers.filter((each, i) => {
    const before = identifiers[i - 1];
    return !before || before.line !== each.line || before.column + before.length <= each.column;
  });
}
