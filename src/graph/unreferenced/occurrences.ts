/** Finds the occurrences of a symbol's name in all texts of the index, and counts what they say about its use. */
import { languageById } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { findWords, type Word } from '../reading/find-words.ts';
import type { Site } from '../resolving/resolution.ts';
import type { SymbolGraph, SymbolPlace } from '../symbol-graph.ts';
import { isSame } from '../symbol-place.ts';
import type { UnreferencedInput } from './find-unreferenced.ts';

export interface Occurrences {
  /** Places in code outside of tests that mean the symbol, or may. The search stops at the first. */
  readonly code: number;
  readonly tests: number;
  /** Strings that equal the name: something may call the symbol by it. */
  readonly strings: number;
  /** Places that are known to mean something else. */
  readonly others: number;
  /** Places that could not be resolved. */
  readonly unclear: number;
}

type Counts = { -readonly [Key in keyof Occurrences]: number };

/** `chunks`: those that contain the name as a term. */
export function findOccurrences(input: UnreferencedInput, place: SymbolPlace, chunks: Iterable<number>): Occurrences {
  const { view } = input;
  const counts: Counts = { code: 0, tests: 0, strings: 0, others: 0, unclear: 0 };
  const files = new Set([place.file]);
  for (const chunk of chunks) {
    const first = view.fileOfChunk[chunk] ?? -1;
    if (first >= 0) for (const file of view.filesOfContent(view.contentOf[first]!)) files.add(file);
  }
  for (const file of files) {
    countIn(input, place, file, counts);
    if (counts.code > 0) break;
  }
  return counts;
}

function countIn({ graph, reader, view, textOf }: UnreferencedInput, place: SymbolPlace, file: number, counts: Counts) {
  const { name } = graph.symbol(place);
  const { flags, language } = view.files[file]!;
  const text = textOf(file);
  if (!text.includes(name)) return;
  const descriptor = languageById(language);
  // A document only describes the symbol; a template or a configuration may call it.
  if ((flags & FileFlag.Documentation) !== 0) return;
  if (descriptor?.family !== 'code') counts.strings += [...plainWords(text, name)].length;
  if (descriptor?.family !== 'code') return;
  const words = findWords(text, name, descriptor);
  counts.unclear += countUnread(
    text,
    name,
    words,
    descriptor.lineComment,
    file === place.file ? graph.symbol(place) : null,
  );
  if (words.length === 0) return;
  const { references, symbols } = reader.detail(view.contentOf[file]!);
  const known = new Map(references.filter((each) => each.name === name).map((each) => [keyOf(each), each]));
  const defined = new Set(symbols.flatMap((symbol) => (symbol.name === name ? [symbol.nameLine] : [])));
  for (const word of words) {
    const reference = known.get(keyOf(word));
    if (!reference && defined.has(word.line)) continue;
    if ((flags & FileFlag.Test) !== 0 || (reference && graph.isTest({ file, reference }))) counts.tests++;
    else if (word.quoted) counts.strings++;
    else if (!reference) counts.unclear++;
    else counts[meaningOf(graph, place, { file, reference })]++;
  }
}

/** Counts occurrences that were taken for comments or strings, though their lines do not look like comments. */
function countUnread(
  text: string,
  name: string,
  words: readonly Word[],
  comment: string | null | undefined,
  own: SymbolRecord | null,
): number {
  const plain = [...plainWords(text, name)];
  if (plain.length === words.length) return 0;
  const lines = text.split('\n');
  const read = new Set(words.map(keyOf));
  return plain.filter(({ line, column }) => {
    if (read.has(keyOf({ line, column }))) return false;
    if (own && line >= own.fullStartLine && line <= own.endLine) return false;
    const before = lines[line - 1]!.slice(0, column - 1);
    return !/^\s*(?:\*|\/\*|\/\/|#)/.test(lines[line - 1]!) && !(comment && before.includes(comment));
  }).length;
}

function* plainWords(text: string, name: string): Generator<{ readonly line: number; readonly column: number }> {
  const lines = text.split('\n');
  for (let line = 1; line <= lines.length; line++) {
    const text = lines[line - 1]!;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
      if (!/[\w$]/.test((text[at - 1] ?? ' ') + (text[at + name.length] ?? ' '))) yield { line, column: at + 1 };
  }
}

function keyOf({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

function meaningOf(graph: SymbolGraph, place: SymbolPlace, site: Site): 'code' | 'others' | 'unclear' {
  const { confidence, targets } = graph.resolve(site);
  if (targets.some((target) => isOne(graph, target, place))) {
    const { file, reference } = site;
    // A recursive call does not count as a use.
    const isItself = graph.around({ file, ordinal: reference.from }).some((each) => isSame(each, place));
    return isItself ? 'others' : 'code';
  }
  return confidence === 'exact' && targets.length > 0 ? 'others' : 'unclear';
}

/** Both places declare one symbol: a prototype, an overload, a part of a type. */
function isOne(graph: SymbolGraph, target: SymbolPlace, place: SymbolPlace): boolean {
  if (isSame(target, place)) return true;
  const [a, b] = [graph.symbol(target), graph.symbol(place)];
  const isDeclared = [a, b].some(({ signature }) => signature.endsWith(';'));
  return a.qualifiedName === b.qualifiedName && (isDeclared || target.file === place.file);
}
