/**
 * Does a line declare a name, and what does it say of it? Told by what stands before and after the name; each language
 * has its own reader, and these are their tools.
 */
import { findTop } from './split.ts';

export interface Declared {
  /** '' where none is written. */
  readonly type: string;
  /** The expression that it is set to, '' where there is none. */
  readonly value: string;
  /** The variable is an element of the value: that of a loop. */
  readonly element: boolean;
  /** Index in the list of results that are taken apart: `b` in `a, b := f()` is 1. */
  readonly part: number;
  /** Declared in the head of a block, and in force inside of it only. */
  readonly inner?: true;
  /** It holds a property of the value: `load` in `const { load: read } = store`, '' for the one of its own name. */
  readonly property?: string;
}

/** Null where the name is only used. */
export type ReadDeclared = (before: string, after: string) => Declared | null;

export const OPAQUE: Declared = { type: '', value: '', element: false, part: 0 };
export const inner = (found: Declared): Declared => ({ ...found, inner: true });
export const INNER = inner(OPAQUE);
export const typed = (type: string): Declared => ({ ...OPAQUE, type: type.trim() });
export const valued = (value: string, part = 0): Declared => ({ ...OPAQUE, value: cutValue(value), part });
export const element = (value: string): Declared => ({ ...OPAQUE, value: cutValue(value), element: true });

/** Up to the end of the statement. */
export function cutValue(text: string): string {
  const plain = text.trim();
  const stop = findTop(plain, ';');
  let value = stop < 0 ? plain : plain.slice(0, stop);
  value = value.replace(/\s+(?:\/\/|#\s|--\s).*$/, '').replace(/\s+(?:else|or die|or return|catch|orelse)\b.*$/s, '');
  // A bracket that closes what stands before the value ends it.
  let depth = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value[i]!;
    if (c === '(' || c === '[' || c === '{') depth++;
    else if ((c === ')' || c === ']' || c === '}') && --depth < 0) return value.slice(0, i).trim();
    else if (c === ',' && depth === 0) return value.slice(0, i).trim();
  }
  return value.trim();
}

/** A type goes on until a comma, a closing bracket, an assignment or the body. */
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
