/**
 * The tokens that a compiler sees, without directives and masked conditionals, and functions that skip bracketed parts.
 */
import { TokenKind, type Tokens } from './tokens.ts';

const OPEN_PAREN = 40;
const CLOSE_PAREN = 41;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export class VisibleTokens {
  protected readonly tokens: Tokens;
  /** Indices of the visible tokens. */
  protected readonly order: Uint32Array;
  protected readonly length: number;
  /** For every opening bracket, the position after its closing one. */
  private readonly closing: Uint32Array;

  constructor(tokens: Tokens, hidden: Uint8Array) {
    this.tokens = tokens;
    const { count, kinds } = tokens;
    const order = new Uint32Array(count);
    let length = 0;
    for (let i = 0; i < count; i++) if (hidden[i] === 0 && kinds[i] !== TokenKind.Directive) order[length++] = i;
    this.order = order;
    this.length = length;
    this.closing = this.matchBrackets();
  }

  /** `template <…>`, `public:`, `[[…]]`, `extern "C"`. */
  protected skipPrefix(from: number): number {
    let i = from;
    for (;;) {
      const word = this.word(i);
      if (word === 'template' && this.mark(i + 1) === '<') i = this.skipAngles(i + 1);
      else if (word === 'requires') i = this.skipConstraint(i + 1);
      else if (this.mark(i) === '[' && this.mark(i + 1) === '[') i = this.skipGroup(i);
      else if (word === 'extern' && this.tokens.kinds[this.order[i + 1]!] === TokenKind.Literal) i += 2;
      else if (/^(?:public|private|protected|signals|Q_SIGNALS)$/.test(word)) {
        if (this.mark(i + 1) !== ':') return i;
        i += 2;
      } else return i;
    }
  }

  /** `A<T> && (B<T> || c::D<T>)` */
  private skipConstraint(from: number): number {
    let i = from;
    while (i < this.length) {
      while (this.mark(i) === '!') i++;
      if (this.mark(i) === '(') i = this.skipGroup(i);
      else {
        for (i++; this.mark(i) === ':'; i += 3);
        if (this.mark(i) === '<') i = this.skipAngles(i);
      }
      const mark = this.mark(i);
      if ((mark !== '&' && mark !== '|') || this.mark(i + 1) !== mark) return i;
      i += 2;
    }
    return i;
  }

  protected skipStatement(from: number): number {
    let i = from;
    while (i < this.length) {
      const mark = this.mark(i);
      if (mark === ';') return i + 1;
      if (mark === '}') return i;
      if (mark === '{') {
        i = this.skipGroup(i);
        return this.mark(i) === ';' ? i + 1 : i;
      }
      i = mark === '(' ? this.skipGroup(i) : i + 1;
    }
    return i;
  }

  /** The position after the bracket that closes this one. */
  protected skipGroup(open: number): number {
    return this.closing[open]!;
  }

  /** The position after a word and, if it is a call, after its arguments. */
  protected skipCall(word: number): number {
    return this.mark(word + 1) === '(' ? this.skipGroup(word + 1) : word + 1;
  }

  /** The position after the matching `>`; gives up at tokens that no template parameter list contains. */
  protected skipAngles(open: number): number {
    let depth = 0;
    for (let i = open; i < this.length; i++) {
      const mark = this.mark(i);
      if (mark === '<') depth++;
      else if (mark === '>' && --depth === 0) return i + 1;
      else if (mark === '(') i = this.skipGroup(i) - 1;
      else if (mark === ';' || mark === '{') return i;
    }
    return this.length;
  }

  /** Matches each kind of bracket in one pass: a text of nothing but brackets must not take quadratic time. */
  private matchBrackets(): Uint32Array {
    const { units, starts, kinds } = this.tokens;
    const { order, length } = this;
    const closing = new Uint32Array(length).fill(length);
    const parens: number[] = [];
    const braces: number[] = [];
    const brackets: number[] = [];
    for (let i = 0; i < length; i++) {
      const token = order[i]!;
      if (kinds[token] !== TokenKind.Mark) continue;
      const mark = units[starts[token]!]!;
      if (mark === OPEN_PAREN) parens.push(i);
      else if (mark === OPEN_BRACE) braces.push(i);
      else if (mark === OPEN_BRACKET) brackets.push(i);
      else if (mark === CLOSE_PAREN || mark === CLOSE_BRACE || mark === CLOSE_BRACKET) {
        const from = (mark === CLOSE_PAREN ? parens : mark === CLOSE_BRACE ? braces : brackets).pop();
        if (from !== undefined) closing[from] = i + 1;
      }
    }
    return closing;
  }

  protected word(i: number): string {
    if (i < 0 || i >= this.length) return '';
    const token = this.order[i]!;
    return this.tokens.kinds[token] === TokenKind.Word
      ? this.tokens.text.slice(this.tokens.starts[token]!, this.tokens.ends[token]!)
      : '';
  }

  protected mark(i: number): string {
    if (i < 0 || i >= this.length) return '';
    const token = this.order[i]!;
    return this.tokens.kinds[token] === TokenKind.Mark ? this.tokens.text[this.tokens.starts[token]!]! : '';
  }
}
