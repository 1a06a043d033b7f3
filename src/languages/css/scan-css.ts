import type { ScannedContent } from '../language.ts';
import { fold, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const INCLUDE = /^@include\s+(?:([\w-]+)\.)?([\w-]+)/;

/**
 * Scans CSS, SCSS and Less: rules and at-rules by their selector, custom properties and variables as constants, mixins,
 * functions, imports. A nested rule belongs to the rule that encloses it.
 */
export function scanCss(lines: readonly string[]): ScannedContent {
  const scanner = new CssScanner(lines);
  for (let row = 0; row < lines.length; row++) scanner.readLine(row);
  return scanner.draft.finish();
}

class CssScanner {
  readonly draft = new ScanDraft();
  readonly #lines: readonly string[];
  /** For each open block its symbol, -1 for none, and the innermost symbol up to it. */
  readonly #blocks: number[] = [];
  readonly #owners: number[] = [];
  readonly #variables = new Set<string>();
  /** The text since the end of the last block or declaration. */
  #head = '';
  /** The head is only white space so far. */
  #blank = true;
  #headRow = 0;
  #headColumn = 0;
  #inComment = false;
  #comment = '';
  #commentRow = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  readLine(row: number): void {
    const { length } = this.#lines[row]!;
    for (let at = 0; at < length; ) at = this.#inComment ? this.#readComment(row, at) : this.#read(row, at);
    this.#head += ' ';
  }

  /** Reads the rest of a comment; returns the position after it. */
  #readComment(row: number, at: number): number {
    const line = this.#lines[row]!;
    const close = line.indexOf('*/', at);
    this.#comment += `\n${line.slice(at, close < 0 ? undefined : close).replace(/^\s*\*+\s?/, '')}`;
    if (close < 0) return line.length;
    this.#inComment = false;
    return close + 2;
  }

  #read(row: number, at: number): number {
    const line = this.#lines[row]!;
    const c = line[at]!;
    const next = line[at + 1];
    if (c === '/' && next === '*') {
      this.#inComment = true;
      this.#comment = '';
      this.#commentRow = row;
      return at + 2;
    }
    if (c === '/' && next === '/' && line[at - 1] !== ':') return line.length;
    if (c === '"' || c === "'") return this.#take(line, at, line.indexOf(c, at + 1));
    if (c === '#' && next === '{') return this.#take(line, at, line.indexOf('}', at));
    if (c === '{') this.#openBlock(row);
    else if (c === '}') this.#closeBlock(row);
    else if (c === ';') this.#declare(this.#takeHead(), row);
    else this.#add(c, row, at);
    return at + 1;
  }

  /** A string or an interpolation is part of the head, whatever it contains. */
  #take(line: string, at: number, close: number): number {
    this.#head += line.slice(at, close < 0 ? undefined : close + 1);
    return close < 0 ? line.length : close + 1;
  }

  #add(c: string, row: number, column: number): void {
    if (this.#blank && c > ' ') {
      this.#headRow = row;
      this.#headColumn = column;
      this.#blank = false;
    }
    this.#head += c;
  }

  #takeHead(): string {
    const head = this.#head.trim();
    this.#head = '';
    this.#blank = true;
    return head;
  }

  get #owner(): number {
    return this.#owners[this.#owners.length - 1] ?? -1;
  }

  #openBlock(row: number): void {
    const symbol = this.#open(this.#takeHead(), row);
    this.#owners.push(symbol >= 0 ? symbol : this.#owner);
    this.#blocks.push(symbol);
  }

  #closeBlock(row: number): void {
    this.#declare(this.#takeHead(), row);
    this.#owners.pop();
    const symbol = this.#blocks.pop();
    if (symbol !== undefined && symbol >= 0) this.draft.end(symbol, row + 1);
  }

  /** The symbol of a block, -1 for a block without one. */
  #open(text: string, row: number): number {
    const parent = this.#owner;
    const callable = /^@(?:mixin|function)\s+([\w-]+)/.exec(text);
    // `@include media-up(md) { … }` passes a block to a mixin.
    const included = INCLUDE.exec(text);
    if (included) this.#include(included[2]!, included[1] ?? '', parent);
    const name = callable ? callable[1]! : fold(text).slice(0, 120);
    if (name === '' || (this.#blocks.length > 0 && !callable && parent >= 0)) return -1;
    return this.draft.add({
      name,
      kind: callable ? 'function' : 'constant',
      ...this.#docAbove(),
      signature: text,
      startLine: this.#headRow + 1,
      endLine: row + 1,
    });
  }

  #declare(text: string, row: number): void {
    const variable = /^(--[\w-]+|\$[\w-]+|@[\w-]+)\s*:/.exec(text);
    const imported = /^@(?:import|use|forward)\s+(?:url\()?\s*["']?([^"');]+)/.exec(text);
    const included = INCLUDE.exec(text);
    if (imported) this.draft.import(imported[1]!, this.#headRow + 1, /\bas\s+([\w-]+)/.exec(text)?.[1] ?? '');
    else if (included) this.#include(included[2]!, included[1] ?? '', this.#owner);
    else if (variable && !this.#variables.has(variable[1]!)) {
      this.#variables.add(variable[1]!);
      this.draft.add({
        name: variable[1]!,
        kind: 'constant',
        parent: this.#owner,
        ...this.#docAbove(),
        signature: text,
        startLine: this.#headRow + 1,
        endLine: row + 1,
      });
    }
  }

  /** The name may be lines below its `@include`; without a position there is no reference. */
  #include(name: string, receiver: string, from: number): void {
    const column = this.#lines[this.#headRow]!.indexOf(name, this.#headColumn);
    if (column >= 0) this.draft.refer('call', name, receiver, this.#headRow + 1, column + 1, from);
  }

  #docAbove(): { readonly doc: string; readonly fullStartLine: number } {
    const doc = this.#comment.trim();
    const height = this.#headRow - this.#commentRow;
    const near = doc !== '' && height >= 0 && height - doc.split('\n').length <= 1;
    this.#comment = '';
    return {
      doc: near ? withoutRules(doc) : '',
      fullStartLine: (near ? this.#commentRow : this.#headRow) + 1,
    };
  }
}

/** Removes the lines of dashes or stars that frame a comment. */
function withoutRules(doc: string): string {
  let end = doc.length;
  while (end > 0 && /[-=*\s]/.test(doc[end - 1]!)) end--;
  return doc.slice(0, end).replace(/^[-=*\s]+/, '');
}
