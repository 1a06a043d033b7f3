/** How scripts declare a name. */
import {
  element,
  INNER,
  inner,
  OPAQUE,
  opener,
  type ReadDeclared,
  typeBefore,
  typed,
  valued,
} from '../runtime/reading/declared.ts';

export const readScript: ReadDeclared = (before, after) => {
  if (/(?:^|[^\w$.])(?:const|let|var|using)\s+$/.test(before)) {
    if (/^\s*of\b/.test(after)) return inner(element(after.replace(/^\s*of\b/, '')));
    if (/^\s*in\b/.test(after)) return INNER;
    const type = /^\s*!?\s*:(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=;'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  if (/(?:const|let|var)\s*[{[][^=;]*$/.test(before) && !/^\s*:/.test(after)) return OPAQUE;
  if (/^\s*=>/.test(after) && !/[.\w]$/.test(before.trimEnd())) return INNER;
  if (/\bcatch\s*\(\s*$/.test(before)) return INNER;
  if (/[(,]\s*(?:(?:public|private|protected|readonly|override|\.\.\.)\s*)*$/.test(before) && opener(before) === '(') {
    const type = /^\??\s*:(.*)$/s.exec(after)?.[1];
    // `cond ? f(a, b) : c` has no parameters.
    if (type && !/\?[^:]*$/.test(before)) return inner(typed(typeBefore(type, ',=)')));
    if (/^\s*(?:,[^()]*)?(?:=[^>()]*)?\)\s*(?::[^=]+)?=>/.test(after)) return INNER;
    if (/\bfunction\b[^()]*\([^()]*$/.test(before)) return INNER;
  }
  if (/[{,]\s*(?:\.\.\.)?$/.test(before) && /^\s*(?:,[^{}]*)?\}\s*(?::[^=)]+)?[,)]?.*=>/.test(after)) return INNER;
  return null;
};
