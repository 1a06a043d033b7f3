/** Tools to read a declaration from the text before and after a name; each language has a reader made of them. */
import { findTop } from './split.ts';

export interface Declared {
  /** '' where none is declared. */
  readonly type: string;
  /** The initial value, '' for none. */
  readonly value: string;
  /** The variable is an element of the value, as in a loop. */
  readonly element: boolean;
  /** The index among several results: `b` in `a, b := f()` is 1. */
  readonly part: number;
  /** The declaration is in the head of a block and visible only inside of it. */
  readonly inner?: true;
  /**
   * The property of the value that the variable holds: `load` in `const { load: read } = store`, '' for the one of its
   * own name.
   */
  readonly property?: string;
}

/** Null where the text only uses the name. */
export type ReadDeclared = (before: string, after: string) => Declared | null;

export const OPAQUE: Declared = { type: '', value: '', element: false, part: 0 };
export const inner = (found: Declared): Declared => ({ ...found, inner: true });
export const INNER = inner(OPAQUE);
export const typed = (type: string): Declared => ({ ...OPAQUE, type: type.trim() });
export const valued = (value: string, part = 0): Declared => ({ ...OPAQUE, value: cutValue(value), part });
export const element = (value: string): Declared => ({ ...OPAQUE, value: cutValue(value), element: true });

/** The value up to the end of the statement. */
export function cutValue(text: string): string {
  const plain = text.trim();
  const stop = findTop(plain, ';');
  let value = stop < 0 ? plain : plain.slice(0, stop);
  value = value.replace(/\s+(?:\/\/|#\s|--\s).*$/, '').replace(/\s+(?:else|or die|or return|catch|orelse)\b.*$/s, '');
  // A closing bracket without an opening one ends the value.
  let depth = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value[i]!;
    if (c === '(' || c === '[' || c === '{') depth++;
    else if ((c === ')' || c === ']' || c === '}') && --depth < 0) return value.slice(0, i).trim();
    else if (c === ',' && depth === 0) return value.slice(0, i).trim();
  }
  return value.trim();
}

/** A type ends at a comma, a closing bracket, an assignment or a body. */
export function typeBefore(text: string, stops: string): string {
  const stop = findTop(text, stops);
  let type = (stop < 0 ? text : text.slice(0, stop)).trim();
  let depth = 0;
  for (let i = 0; i < type.length; i++) {
    if ('([{'.includes(type[i]!)) depth++;
    else if (')]}'.includes(type[i]!) && --depth < 0) {
      type = type.slice(0, i);
      break;
    }
  }
  return type.trim();
}

/** The bracket that is open at the end of a text. */
export function opener(before: string): string {
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const c = before[i]!;
    if (c === ')' || c === ']' || c === '}') depth++;
    else if ((c === '(' || c === '[' || c === '{') && --depth < 0) return c;
  }
  return '';
}
