/**
 * Syntax colouring for terminals and the page: comments, strings, numbers, keywords, called functions and types. It
 * scans without parsing, so a snippet that begins in the middle of a string is coloured wrong.
 */
import { scanMarkup } from './scan-markup.ts';
import { type Syntax, syntaxOf } from './syntaxes.ts';

export type TokenKind = 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'type' | 'call';
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Receives the code in parts, in order. */
export type Take = (kind: TokenKind, text: string) => void;

/** The tokens of each line of the code. */
export function highlight(code: string, language: string): Token[][] {
  const lines: Token[][] = [[]];
  const take: Take = (kind, text) => {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      if (end > from) lines.at(-1)!.push({ kind, text: text.slice(from, end) });
      lines.push([]);
      from = end + 1;
    }
    if (from < text.length) lines.at(-1)!.push({ kind, text: from === 0 ? text : text.slice(from) });
  };
  const known = language.toLowerCase();
  if (!scanMarkup(code, known, take)) scanCode(code, syntaxOf(known), take);
  return lines;
}

const PATTERNS = new WeakMap<Syntax, RegExp>();

/** Matches every start of a comment, string, word or number; longer marks come first. */
function patternOf(syntax: Syntax): RegExp {
  let pattern = PATTERNS.get(syntax);
  if (!pattern) {
    const marks = [...syntax.block.map(([open]) => open), ...syntax.line, ...syntax.quotes]
      .sort((a, b) => b.length - a.length)
      .map((mark) => mark.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    pattern = new RegExp(
      [...marks, String.raw`[\p{L}_$@!][\p{L}\p{N}_$?-]{0,200}`, String.raw`\d[\w.]*`].join('|'),
      'gu',
    );
    PATTERNS.set(syntax, pattern);
  }
  return pattern;
}

function scanCode(code: string, syntax: Syntax, take: Take): void {
  const pattern = patternOf(syntax);
  pattern.lastIndex = 0;
  let plainFrom = 0;
  for (let match = pattern.exec(code); match; match = pattern.exec(code)) {
    const { index, 0: found } = match;
    const token = tokenAt(code, index, found, syntax);
    pattern.lastIndex = token.end;
    if (token.kind === 'plain') continue;
    if (index > plainFrom) take('plain', code.slice(plainFrom, index));
    take(token.kind, code.slice(index, token.end));
    plainFrom = token.end;
  }
  if (plainFrom < code.length) take('plain', code.slice(plainFrom));
}

function tokenAt(code: string, index: number, found: string, syntax: Syntax): { kind: TokenKind; end: number } {
  const block = syntax.block.find(([open]) => open === found);
  if (block) return { kind: 'comment', end: endOf(code, block[1], index + found.length) };
  if (syntax.line.includes(found)) {
    const end = code.indexOf('\n', index);
    return { kind: 'comment', end: end < 0 ? code.length : end };
  }
  if (syntax.quotes.includes(found)) return { kind: 'string', end: stringEnd(code, index, found) };
  if (/^\d/.test(found)) return { kind: 'number', end: index + found.length };
  // A dash is part of a word in style sheets and data, but not of a name in code.
  const word = syntax.keywords.has(found) ? found : found.replace(/[-!].*$/s, '');
  const end = index + Math.max(1, word.length);
  if (syntax.keywords.has(word)) return { kind: 'keyword', end };
  if (!syntax.hasNames || word === '') return { kind: 'plain', end };
  if (code[end] === '(') return { kind: 'call', end };
  return { kind: /^\p{Lu}.*\p{Ll}/u.test(word) ? 'type' : 'plain', end };
}

function endOf(code: string, mark: string, from: number): number {
  const at = code.indexOf(mark, from);
  return at < 0 ? code.length : at + mark.length;
}

/**
 * The end of the string that opens at `start`. An ordinary string ends with its line at the latest, so an apostrophe in
 * prose colours little.
 */
function stringEnd(code: string, start: number, quote: string): number {
  const spansLines = quote.length === 3 || quote === '`';
  for (let i = start + quote.length; i < code.length; i++) {
    if (code[i] === '\\' && code[i + 1] !== '\n') i++;
    else if (code.startsWith(quote, i)) return i + quote.length;
    else if (code[i] === '\n' && !spansLines) return i;
  }
  return code.length;
}
