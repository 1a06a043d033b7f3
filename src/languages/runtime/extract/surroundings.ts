/** Finds comments and attributes before a definition by offsets, without walking siblings. */

import type { LanguageDescriptor } from '../../language.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';
import type { LineIndex } from '../line-index.ts';
import { commentText, isLicence } from './doc-text.ts';
import { trimmedEnd } from './node-text.ts';

interface Attribute {
  readonly start: number;
  readonly end: number;
}

const BYTE_ORDER_MARK = 0xfeff;

export interface Lead {
  /** The start of the doc comment or the first attribute. */
  readonly start: number;
  readonly doc: string;
}

export class Surroundings {
  /**
   * Sorted by start; comments do not nest. Their ends are read on demand: most comments are inside of bodies and are
   * never needed.
   */
  private readonly comments: readonly SyntaxNode[];
  /** Sorted by end; of two that end together, the outer one comes later. */
  private readonly attributes: Attribute[];
  private readonly attributeEnds = new Map<number, number>();
  private readonly text: string;
  /** The parsed text: only it tells whether there is code between two offsets. */
  private readonly seen: string;
  private readonly descriptor: LanguageDescriptor;

  constructor(
    text: string,
    seen: string,
    descriptor: LanguageDescriptor,
    comments: readonly SyntaxNode[],
    attributes: readonly SyntaxNode[],
  ) {
    this.text = text;
    this.seen = seen;
    this.descriptor = descriptor;
    this.comments = comments.slice().sort((a, b) => a.startIndex - b.startIndex);
    this.attributes = attributes
      .map((node) => ({ start: node.startIndex, end: node.endIndex }))
      .sort((a, b) => a.end - b.end || b.start - a.start);
    for (const { start, end } of this.attributes) this.attributeEnds.set(start, end);
  }

  /** The doc comment and attributes that end right before an offset. */
  before(offset: number): Lead {
    let start = offset;
    let docEnd = -1;
    let docStart = -1;
    let nextComment = this.commentsBefore(offset) - 1;
    let nextAttribute = this.attributesEndingBy(offset) - 1;
    for (;;) {
      while (nextComment >= 0 && this.comments[nextComment]!.endIndex > start) nextComment--;
      while (nextAttribute >= 0 && this.attributes[nextAttribute]!.end > start) nextAttribute--;
      const comment = this.comments[nextComment];
      const attribute = this.attributes[nextAttribute];
      if (attribute && (!comment || attribute.end >= comment.endIndex)) {
        if (docEnd >= 0 || !this.adjoins(attribute.end, start)) break;
        start = attribute.start;
      } else if (comment) {
        // A comment at the end of a line of code belongs to that code.
        const { startIndex, endIndex } = comment;
        if (!this.adjoins(endIndex, start) || this.isInner(startIndex) || !this.beginsLine(startIndex)) break;
        if (docEnd < 0) docEnd = endIndex;
        docStart = startIndex;
        start = startIndex;
      } else break;
    }
    return { start, doc: docEnd < 0 ? '' : this.docOf(docStart, docEnd) };
  }

  /** The text of adjacent comments, without the licence at the start of a file. */
  private docOf(start: number, end: number): string {
    if (!/^\s*(?:<\?php\s*)?$/.test(this.text.slice(0, Math.min(start, 100))))
      return commentText(this.text.slice(start, end), this.descriptor);
    // A licence in a block comment is separate from the comments after it; adjacent line comments are one text.
    const open = this.descriptor.blockComment?.[0];
    const isBlock = open !== undefined && this.text.startsWith(open, start);
    const first = isBlock ? this.comments[this.commentsBefore(start)]!.endIndex : end;
    const head = commentText(this.text.slice(start, first), this.descriptor);
    if (!isLicence(head)) return commentText(this.text.slice(start, end), this.descriptor);
    return first < end ? commentText(this.text.slice(first, end), this.descriptor) : '';
  }

  /**
   * The end of a range without comments at its end that are indented no deeper than its start: grammars of indented
   * languages include the doc of the next definition in the one before.
   */
  lastOf(start: number, end: number, lines: LineIndex): number {
    let last = trimmedEnd(this.text, start, end);
    const { lineComment, blockComment } = this.descriptor;
    for (;;) {
      const lineStart = lines.startOf(lines.lineAt(last));
      if (lineStart <= start) return last;
      const line = this.text.slice(lineStart, last + 1).trimStart();
      if (!line.startsWith(lineComment) && !(blockComment && line.endsWith(blockComment[1]))) return last;
      const comment = this.comments[this.commentsBefore(last + 1) - 1];
      if (!comment || comment.startIndex <= start || trimmedEnd(this.text, start, comment.endIndex) !== last)
        return last;
      if (!this.beginsLine(comment.startIndex) || this.indentAt(comment.startIndex) > this.indentAt(start)) return last;
      last = trimmedEnd(this.text, start, comment.startIndex);
    }
  }

  private indentAt(offset: number): number {
    const start = this.text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(start, offset))![0].length;
  }

  /** The first offset from `offset` on that is outside of attributes, comments and white space. */
  skipAttributes(offset: number): number {
    let at = offset;
    for (let end = this.attributeEnds.get(at); end !== undefined; end = this.attributeEnds.get(at)) {
      at = end;
      while (at < this.seen.length && this.seen.charCodeAt(at) <= 32) at++;
    }
    return at;
  }

  /** The text of a range without comments, as the grammar saw it: without macros and directives. */
  withoutComments(start: number, end: number): string {
    const source = this.descriptor.plainSignatures ? this.text : this.seen;
    let text = '';
    let at = start;
    for (let i = this.commentsBefore(start); i < this.comments.length && this.comments[i]!.startIndex < end; i++) {
      const comment = this.comments[i]!;
      text += `${source.slice(at, comment.startIndex)} `;
      // A comment may extend beyond the range.
      if (comment.endIndex >= end) return text;
      at = comment.endIndex;
    }
    return text + source.slice(at, end);
  }

  private isInner(start: number): boolean {
    const mark = this.descriptor.innerDoc;
    return mark !== undefined && this.text.startsWith(mark, start);
  }

  /** The number of comments that begin before an offset. */
  private commentsBefore(offset: number): number {
    let low = 0;
    let high = this.comments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.comments[middle]!.startIndex < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private attributesEndingBy(offset: number): number {
    let low = 0;
    let high = this.attributes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.attributes[middle]!.end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * There is only white space between the offsets, with at most one line break; a comment node may include its own line
   * break.
   */
  private adjoins(from: number, to: number): boolean {
    if (to - from > 400) return false;
    let breaks = from > 0 && this.text.charCodeAt(from - 1) === 10 ? 1 : 0;
    let isPragma = false;
    for (let i = from; i < to; i++) {
      const code = this.seen.charCodeAt(i);
      if (code === 10) {
        // The line of a masked pragma is not counted as an empty line.
        if (!isPragma) breaks++;
        isPragma = false;
      } else if (code > 32) return false;
      else isPragma ||= this.text.startsWith('#pragma', i);
    }
    return breaks <= 1;
  }

  private beginsLine(offset: number): boolean {
    for (let i = offset - 1; i >= 0; i--) {
      const code = this.seen.charCodeAt(i);
      if (code === 10) return true;
      if (code > 32 && code !== BYTE_ORDER_MARK) return false;
    }
    return true;
  }
}
