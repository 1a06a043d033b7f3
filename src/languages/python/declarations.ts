/** How Python declares a name. */
import { element, OPAQUE, type ReadDeclared, typeBefore, typed, valued } from '../runtime/reading/declared.ts';

export const readPython: ReadDeclared = (before, after) => {
  if (/^\s*$/.test(before)) {
    const type = /^\s*:(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=#'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    if (value !== undefined) return valued(value);
    return /^\s*,[^=]*=(?!=)/.test(after) ? OPAQUE : null;
  }
  if (/^\s*(?:\w+\s*,\s*)+$/.test(before) && /^\s*(?:,\s*\w+\s*)*=(?!=)/.test(after)) return OPAQUE;
  if (/\bas\s+$/.test(before)) {
    const value = /\bwith\s+(.*?)\s+as\s+$/.exec(before)?.[1];
    return value && /^\s*[:,]/.test(after) ? valued(value) : OPAQUE;
  }
  if (/\bfor\s+$/.test(before)) {
    const value = /^\s*in\b(.*?)(?::\s*)?$/s.exec(after)?.[1];
    return value ? element(value) : OPAQUE;
  }
  if (/\bfor\s+[\w\s,(]*$/.test(before) && /^[\w\s,)]*\bin\b/.test(after)) return OPAQUE;
  const walrus = /^\s*:=(.*)$/s.exec(after)?.[1];
  if (walrus) return valued(walrus);
  return /\blambda\b[^:]*$/.test(before) ? OPAQUE : null;
};
