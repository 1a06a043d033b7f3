/** Reads declarations with the type after a colon: Swift, Kotlin, Scala, Zig. */
import { element, INNER, inner, OPAQUE, opener, type ReadDeclared, typeBefore, typed, valued } from './declared.ts';

export const readColon: ReadDeclared = (before, after) => {
  if (
    /(?:^|[^\w.])(?:let|var|val|const|def|lazy\s+val)\s+(?:mut\s+)?$/.test(before) ||
    /\bcatch\s*\(\s*$/.test(before)
  ) {
    const type = /^\s*:(?!:)(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '={'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    // `if let name {` unwraps the variable of the same name.
    return value === undefined
      ? /\b(?:if|guard|while)\s+(?:let|var)\s+$/.test(before)
        ? null
        : OPAQUE
      : valued(value.replace(/\s*\{\s*$/, (tail) => (/\b(?:if|guard|while)\b/.test(before) ? '' : tail)));
  }
  if (/(?:let|var|val|const)\s*\([^=)]*$/.test(before)) return OPAQUE;
  if (/\bfor\s*\(?\s*(?:let\s+|var\s+|case\s+let\s+)?$/.test(before)) {
    const value = /^\s*(?::[^i]*)?(?:in\b|<-)(.*?)[{)]?\s*$/s.exec(after)?.[1];
    return inner(value ? element(value) : OPAQUE);
  }
  if (/[|]\s*\*?$/.test(before) && /^\s*(?:,[^|]*)?\|/.test(after)) return INNER;
  if (/\{\s*(?:\[[^\]]*\]\s*)?\(?[\w\s,:?.]*$/.test(before) && /^[\w\s,:?.<>()]*(?:->|\bin\b|=>)/.test(after)) {
    const type = /^\s*:\s*([\w.<>?]+)/.exec(after)?.[1];
    return inner(type ? typed(type) : OPAQUE);
  }
  if (/[(,]\s*(?:\w+\s+)?$/.test(before) && opener(before) === '(' && /\b(?:func|fun|init|fn|def)\b/.test(before)) {
    const type = /^\s*:(.*)$/s.exec(after)?.[1];
    if (type) return inner(typed(typeBefore(type, ',=)')));
  }
  return /[(,\s]$/.test(before) && /^\s*=>/.test(after) && !/\bcase\b/.test(before) ? INNER : null;
};
