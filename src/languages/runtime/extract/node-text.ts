/** The text of nodes, cut from the content instead of asking wasm. */
import type { LanguageDescriptor } from '../../language.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';

export function nodeText(node: SyntaxNode, text: string): string {
  return text.slice(node.startIndex, node.endIndex);
}

export function cleanType(raw: string): string {
  return raw.replace(/[[<(].*$/s, '').replace(/[\s*&]/g, '');
}

/** `A<T>::B<U>` gives `A::B`. */
export function dropArguments(raw: string): string {
  let text = raw.replace(/\s+/g, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/<[^<>]*>/g, '');
  }
  return text;
}

export function lastSegment(qualified: string, { separator }: LanguageDescriptor): string {
  const at = qualified.lastIndexOf(separator);
  return at < 0 ? qualified : qualified.slice(at + separator.length);
}

export function unquote(raw: string): string {
  return raw.replace(/^["'`<]|["'`>]$/g, '');
}

/** Offset of the last character that is not white space. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end - 1;
  while (at > start && text.charCodeAt(at) <= 32) at--;
  return at;
}

const WORD = new Uint8Array(128);
for (const char of '_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') WORD[char.charCodeAt(0)] = 1;

/** The end of an identifier without a call into wasm. A leading mark (`#` of private names) is part of it. */
export function wordEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && WORD[code] === 0) break;
  }
  return at;
}

/** The signature of a constructor without the initialisers between its parameters and its body: `A(int a) : a_(a)`. */
export function beforeInitialisers(signature: string): string {
  let depth = 0;
  let isBehind = false;
  for (let i = 0; i < signature.length; i++) {
    const c = signature[i];
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') {
      depth--;
      if (c === ')' && depth === 0) isBehind = true;
    } else if (c === ':' && depth === 0 && isBehind) {
      if (signature[i + 1] === ':') i++;
      else return signature.slice(0, i).trimEnd();
    }
  }
  return signature;
}
