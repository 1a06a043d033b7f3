/** What stands before a definition: comments and attributes, found by place and not by walking siblings. */
import type { Node } from 'web-tree-sitter';
import { commentText } from './doc-text.ts';
import type { LanguageDescriptor } from './language.ts';

interface Range {
  readonly start: number;
  readonly end: number;
  readonly isComment: boolean;
}

export interface Lead {
  /** Offset at which the doc comment or the first attribute begins. */
  readonly start: number;
  readonly doc: string;
}

export class Surroundings {
  private readonly ranges: Range[] = [];
  private readonly attributeEnds = new Map<number, number>();
  private readonly text: string;
  /** As the grammar saw it: only this tells whether anything stands between two places. */
  private readonly seen: string;
  private readonly descriptor: LanguageDescriptor;

  constructor(
    text: string,
    seen: string,
    descriptor: LanguageDescriptor,
    comments: readonly Node[],
    attributes: readonly Node[],
  ) {
    this.text = text;
    this.seen = seen;
    this.descriptor = descriptor;
    for (const node of comments) this.ranges.push({ start: node.startIndex, end: node.endIndex, isComment: true });
    for (const node of attributes) {
      const range = { start: node.startIndex, end: node.endIndex, isComment: false };
      this.attributeEnds.set(range.start, range.end);
      this.ranges.push(range);
    }
    this.ranges.sort((a, b) => a.end - b.end || b.start - a.start);
  }

  /** Doc comment and attributes that end right before an offset. */
  before(offset: number): Lead {
    let start = offset;
    let docEnd = -1;
    let docStart = -1;
    for (let i = this.lastEndingBy(offset); i >= 0; i--) {
      const range = this.ranges[i]!;
      if (range.end > start) continue;
      if (!this.adjoins(range.end, start)) break;
      if (range.isComment) {
        if (this.isInner(range.start)) break;
        // A remark at the end of a line of code belongs to that code.
        if (!this.beginsLine(range.start)) break;
        if (docEnd < 0) docEnd = range.end;
        docStart = range.start;
      } else if (docEnd >= 0) break;
      start = range.start;
    }
    return { start, doc: docEnd < 0 ? '' : commentText(this.text.slice(docStart, docEnd), this.descriptor) };
  }

  /** First offset at or after `offset` that is not in an attribute, a comment or white space. */
  skipAttributes(offset: number): number {
    let at = offset;
    for (let end = this.attributeEnds.get(at); end !== undefined; end = this.attributeEnds.get(at)) {
      at = end;
      while (at < this.text.length && this.text.charCodeAt(at) <= 32) at++;
    }
    return at;
  }

  /** Text of a range without the comments in it, as the grammar saw it: without macros and directives. */
  withoutComments(start: number, end: number): string {
    let text = '';
    let at = start;
    for (let i = this.lastEndingBy(start) + 1; i < this.ranges.length && this.ranges[i]!.end <= end; i++) {
      const range = this.ranges[i]!;
      if (!range.isComment || range.start < at) continue;
      text += `${this.seen.slice(at, range.start)} `;
      at = range.end;
    }
    return text + this.seen.slice(at, end);
  }

  private isInner(start: number): boolean {
    const mark = this.descriptor.innerDoc;
    return mark !== undefined && this.text.startsWith(mark, start);
  }

  private lastEndingBy(offset: number): number {
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ranges[middle]!.end <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Only white space with at most one line break between the two offsets; a comment node may include its own line break. */
  private adjoins(from: number, to: number): boolean {
    if (to - from > 400) return false;
    let breaks = from > 0 && this.text.charCodeAt(from - 1) === 10 ? 1 : 0;
    for (let i = from; i < to; i++) {
      const code = this.seen.charCodeAt(i);
      if (code === 10) breaks++;
      else if (code > 32) return false;
    }
    return breaks <= 1;
  }

  private beginsLine(offset: number): boolean {
    for (let i = offset - 1; i >= 0; i--) {
      const code = this.seen.charCodeAt(i);
      if (code === 10) return true;
      if (code > 32) return false;
    }
    return true;
  }
}
