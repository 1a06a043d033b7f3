/**
 * A tokenizer for C, C++ and C# that serves to find macros and conditionals: comments and white space are dropped, and
 * a directive is one token.
 */

export const TokenKind = { Word: 1, Literal: 2, Directive: 3, Mark: 4 } as const;

export interface Tokens {
  readonly text: string;
  /** The code units of the text, followed by a zero. */
  readonly units: Uint16Array;
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /**
   * Comments inside of directives as [start, end] pairs. A grammar ends the directive at the comment and reads the rest
   * as code.
   */
  readonly comments: readonly (readonly [number, number])[];
}

const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const STAR = 42;
const HASH = 35;
const BACKSLASH = 92;
const NEWLINE = 10;

/** 1: starts or continues a word, 2: digit, 3: white space. */
const CLASS = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  CLASS[c] = /[A-Za-z_]/.test(char) ? 1 : /\d/.test(char) ? 2 : c <= 32 ? 3 : 0;
}

export type Dialect = 'c' | 'cpp' | 'csharp';

export function tokenize(text: string, dialect: Dialect): Tokens {
  const csharp = dialect === 'csharp';
  let capacity = Math.max(64, text.length >> 2);
  let kinds = new Uint8Array(capacity);
  let starts = new Uint32Array(capacity);
  let ends = new Uint32Array(capacity);
  const comments: [number, number][] = [];
  let count = 0;
  let lineStart = true;
  let i = 0;
  const length = text.length;
  const units = unitsOf(text);
  while (i < length) {
    const code = units[i]!;
    const kind = code < 128 ? CLASS[code] : 1;
    if (kind === 3) {
      if (code === NEWLINE) lineStart = true;
      i++;
      continue;
    }
    if (code === SLASH) {
      const next = units[i + 1]!;
      if (next === SLASH || next === STAR) {
        i = next === SLASH ? endOfLine(text, i) : endOfComment(text, i);
        continue;
      }
    }
    const start = i;
    let token: number = TokenKind.Mark;
    if (kind === 1) {
      token = TokenKind.Word;
      i = endOfWord(units, i + 1);
      // A prefix of a raw string: R"tag( … )tag", also LR, uR, u8R.
      if (!csharp && units[i] === QUOTE && units[i - 1] === 82 && i - start <= 3) {
        token = TokenKind.Literal;
        i = endOfRawString(text, i);
      }
    } else if (kind === 2) {
      token = TokenKind.Literal;
      i = endOfNumber(units, i + 1);
    } else if (code === QUOTE || code === APOSTROPHE) {
      token = TokenKind.Literal;
      i = csharp && code === QUOTE ? endOfCsharpString(text, units, i) : endOfQuoted(units, i + 1, code);
    } else if (code === HASH && lineStart) {
      token = TokenKind.Directive;
      i = endOfDirective(text, i, comments);
    } else i++;
    lineStart = false;
    if (count === capacity) {
      capacity *= 2;
      kinds = grown(kinds, new Uint8Array(capacity));
      starts = grown(starts, new Uint32Array(capacity));
      ends = grown(ends, new Uint32Array(capacity));
    }
    kinds[count] = token;
    starts[count] = start;
    ends[count++] = i;
  }
  return { text, units, count, kinds, starts, ends, comments };
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/**
 * The code units of a text as numbers, followed by a zero. Reading them from the string one by one costs several times
 * as much.
 */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length + 1);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}

function endOfWord(units: Uint16Array, from: number): number {
  let i = from;
  for (; i < units.length - 1; i++) {
    const code = units[i]!;
    if (code < 128 && CLASS[code] !== 1 && CLASS[code] !== 2) break;
  }
  return i;
}

function endOfNumber(units: Uint16Array, from: number): number {
  let i = from;
  for (; i < units.length - 1; i++) {
    const code = units[i]!;
    const inside = (code < 128 && (CLASS[code] === 1 || CLASS[code] === 2)) || code === 46;
    // 1'000'000
    if (!inside && !(code === APOSTROPHE && CLASS[units[i + 1]! & 127] === 2)) break;
  }
  return i;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function endOfComment(text: string, from: number): number {
  const at = text.indexOf('*/', from + 2);
  return at < 0 ? text.length : at + 2;
}

function endOfRawString(text: string, quote: number): number {
  const open = text.indexOf('(', quote);
  if (open < 0 || open - quote > 17) return quote + 1;
  const close = `)${text.slice(quote + 1, open)}"`;
  const at = text.indexOf(close, open);
  return at < 0 ? text.length : at + close.length;
}

/** `"""raw"""` and `@"verbatim"` strings may span lines; in a verbatim string a doubled quote is one quote. */
function endOfCsharpString(text: string, units: Uint16Array, from: number): number {
  const before = text.slice(Math.max(0, from - 2), from);
  if (text.startsWith('"""', from)) {
    const at = text.indexOf('"""', from + 3);
    return at < 0 ? text.length : at + 3;
  }
  if (!before.endsWith('@') && before !== '@$') return endOfQuoted(units, from + 1, QUOTE);
  for (let i = from + 1; i < text.length; i++) {
    if (text.charCodeAt(i) !== QUOTE) continue;
    if (text.charCodeAt(i + 1) !== QUOTE) return i + 1;
    i++;
  }
  return text.length;
}

/**
 * A string without a closing quote ends with its line, so that an apostrophe in disabled prose costs one line at most.
 */
function endOfQuoted(units: Uint16Array, from: number, quote: number): number {
  const length = units.length - 1;
  for (let i = from; i < length; i++) {
    const code = units[i]!;
    if (code === BACKSLASH) i++;
    else if (code === quote) return i + 1;
    else if (code === NEWLINE) return i;
  }
  return length;
}

const LINE_END = /[ \t]*\r?(?:\n|$)/y;

/** A directive includes continued lines, but no comment at its end. */
function endOfDirective(text: string, from: number, comments: [number, number][]): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === NEWLINE) return i;
    if (code === BACKSLASH) {
      if (text.charCodeAt(i + 1) === 13) i++;
      i++;
    } else if (code === SLASH && text.charCodeAt(i + 1) === STAR) {
      const end = endOfComment(text, i);
      LINE_END.lastIndex = end;
      if (LINE_END.test(text)) return i;
      comments.push([i, end]);
      i = end - 1;
    } else if (code === SLASH && text.charCodeAt(i + 1) === SLASH) return i;
  }
  return text.length;
}
