/** How Rust declares a name. */
import {
  type Declared,
  element,
  INNER,
  inner,
  OPAQUE,
  type ReadDeclared,
  typeBefore,
  typed,
  valued,
} from '../runtime/reading/declared.ts';

export const readRust: ReadDeclared = (before, after) => {
  if (/\blet\s+(?:mut\s+)?$/.test(before)) {
    const type = /^\s*:(?!:)(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=;'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  const unpacked =
    /\blet\s+(?:Some|Ok|Err)\s*\(\s*(?:mut\s+|ref\s+)*$/.test(before) && /^\s*\)\s*=(?!=)(.*)$/s.exec(after)?.[1];
  if (unpacked) return innerIfHead(before, element(unpacked.replace(/\s*(?:\{|else\b).*$/s, '')));
  if (/\blet\b[^=]*$/.test(before)) return OPAQUE;
  if (/\bfor\s+(?:\(?[\w\s,&]*)$/.test(before)) {
    const value = /^\s*in\b(.*?)\{?\s*$/s.exec(after)?.[1];
    return inner(value ? element(value) : OPAQUE);
  }
  if (/\|[^|]*$/.test(before) && /^[^|]*\|/.test(after)) {
    const type = /^\s*:(?!:)(.*?)[,|]/.exec(after)?.[1];
    if (/(?:[(,=]|move)\s*\|[^|]*$/.test(before)) return inner(type ? typed(type) : OPAQUE);
  }
  return /^[^=]*=>/.test(after) && /[({,]\s*(?:ref\s+|mut\s+)*$/.test(before) ? INNER : null;
};

const innerIfHead = (before: string, found: Declared): Declared =>
  /\b(?:if|while|match|for)\b/.test(before) ? inner(found) : found;
