/**
 * Line scanners: documents and data files need headings and keys, not a syntax tree; reading lines is ten times faster
 * than any grammar and tolerates errors. A scanner owns one format and knows nothing of files, paths or grammars.
 * Symbols are added in source order, a parent before its children; sections do not overlap.
 */
import type {
  DocSection,
  ImportRecord,
  ParseProblem,
  Reference,
  ReferenceKind,
  SymbolKind,
  SymbolRecord,
} from '../../../model/records/symbol.ts';
import type { ScannedContent } from '../../language.ts';

/** Data files of thousands of keys (translations, lock files) must not outweigh the code beside them. */
const MAX_SYMBOLS = 2000;
const MAX_SIGNATURE = 400;
const MAX_RECEIVER = 120;

export interface DraftSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly parent?: number;
  /** The qualified name, if it is not that of the parent with the name after a dot. */
  readonly qualifiedName?: string;
  readonly signature: string;
  readonly doc?: string;
  readonly fullStartLine?: number;
  readonly startLine: number;
  readonly endLine?: number;
  readonly nameColumn?: number;
}

type OpenSymbol = { -readonly [K in keyof SymbolRecord]: SymbolRecord[K] };

export class ScanDraft {
  readonly symbols: OpenSymbol[] = [];
  readonly references: Reference[] = [];
  readonly imports: ImportRecord[] = [];
  readonly sections: DocSection[] = [];
  readonly problems: ParseProblem[] = [];
  readonly tags = new Set<string>();
  package = '';

  /** The ordinal of the new symbol, -1 if the limit is reached. */
  add(draft: DraftSymbol): number {
    if (this.symbols.length >= MAX_SYMBOLS || draft.name === '') return -1;
    const parent = draft.parent ?? -1;
    const above = parent < 0 ? '' : `${this.symbols[parent]!.qualifiedName}.`;
    this.symbols.push({
      name: draft.name,
      kind: draft.kind,
      parent,
      qualifiedName: draft.qualifiedName ?? above + draft.name,
      signature: fold(draft.signature),
      doc: draft.doc ?? '',
      visibility: 'public',
      fullStartLine: draft.fullStartLine ?? draft.startLine,
      startLine: draft.startLine,
      endLine: draft.endLine ?? draft.startLine,
      nameLine: draft.startLine,
      nameColumn: draft.nameColumn ?? 1,
    });
    return this.symbols.length - 1;
  }

  end(symbol: number, endLine: number): void {
    const open = this.symbols[symbol];
    if (open) open.endLine = Math.max(open.startLine, endLine);
  }

  refer(kind: ReferenceKind, name: string, receiver: string, line: number, column: number, from = -1): void {
    this.references.push({ kind, name, receiver: receiver.slice(0, MAX_RECEIVER), line, column, from });
  }

  import(source: string, line: number, alias = '', names: ImportRecord['names'] = []): void {
    this.imports.push({ source, names, alias, line });
  }

  section(path: readonly string[], startLine: number, endLine: number): void {
    if (endLine >= startLine) this.sections.push({ path, startLine, endLine });
  }

  finish(): ScannedContent {
    return {
      package: this.package,
      symbols: this.symbols,
      references: this.references,
      imports: this.imports,
      sections: this.sections,
      tags: [...this.tags],
      problems: this.problems,
    };
  }
}

export function fold(text: string): string {
  const folded = text.length > 4 * MAX_SIGNATURE ? text.slice(0, 4 * MAX_SIGNATURE) : text;
  return folded.replace(/\s+/g, ' ').trim().slice(0, MAX_SIGNATURE);
}

/**
 * Longer lines are data; headings, keys and statements are at the start of a line. The patterns of scanners may take
 * quadratic time.
 */
const MAX_LINE = 1000;

/** The lines, cut to the length that scanners may match patterns on. */
export function cutLines(lines: readonly string[]): readonly string[] {
  return lines.some((line) => line.length > MAX_LINE) ? lines.map((line) => line.slice(0, MAX_LINE)) : lines;
}

/** The text of the comment block that ends right above `line` (0-based). */
export function commentAbove(
  lines: readonly string[],
  line: number,
  mark: RegExp,
): { readonly doc: string; readonly first: number } {
  let first = line;
  while (first > 0 && mark.test(lines[first - 1]!)) first--;
  const doc = lines
    .slice(first, line)
    .map((text) => text.replace(mark, '').trim())
    .filter((text) => !/^[-=#*]*$/.test(text))
    .join('\n');
  return { doc, first };
}

/** The last line that is not blank between `from` and `to` (0-based, inclusive); `from` if all are. */
export function lastFilled(lines: readonly string[], from: number, to: number): number {
  let last = to;
  while (last > from && lines[last]!.trim() === '') last--;
  return last;
}
