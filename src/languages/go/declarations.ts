/** How Go declares a name. */
import { element, inner, OPAQUE, type ReadDeclared, typeBefore, typed, valued } from '../runtime/reading/declared.ts';

export const readGo: ReadDeclared = (before, after) => {
  const list = /(?:^|[\s;{(])((?:[\w.]+\s*,\s*)*)$/.exec(before)?.[1] ?? null;
  if (list !== null) {
    const value = /^\s*(?:,\s*[\w.]+\s*)*:=(.*)$/s.exec(after)?.[1];
    if (value !== undefined) {
      const part = list.split(',').length - 1;
      const range = /^\s*range\b(.*?)\{?\s*$/s.exec(value)?.[1];
      if (range !== undefined) return inner(part === 1 ? element(range) : OPAQUE);
      const assertion = /\.\(([^)]*)\)\s*(?:[;{]|$)/.exec(value);
      if (assertion) return part > 0 || assertion[1] === 'type' ? OPAQUE : typed(assertion[1]!);
      const isHead = /^\s*(?:\}\s*else\s+)?(?:if|for|switch|case|select)\b/.test(before);
      const found = valued(
        value.replace(/\s*\{\s*$/, (tail) => (/^\s*(?:if|for|switch)\b/.test(before) ? '' : tail)),
        part,
      );
      return isHead ? inner(found) : found;
    }
  }
  if (/(?:^|\s)var\s+(?:\w+\s*,\s*)*$/.test(before)) {
    const rest = after.replace(/^(?:\s*,\s*\w+)*/, '');
    const value = /^\s*=(.*)$/s.exec(rest)?.[1];
    return value === undefined ? typed(typeBefore(rest, '=')) : valued(value);
  }
  // The parameters of a function literal.
  if (/\bfunc\s*\([^()]*$/.test(before) && /[(,]\s*$/.test(before)) {
    const type = /^\s+([^,)]+)/.exec(after)?.[1];
    return inner(type ? typed(type) : OPAQUE);
  }
  return null;
};
