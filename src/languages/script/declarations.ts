/** How scripts declare a name. */
import {
  type Declared,
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
  const found = readCode(before, after);
  return found && isProse(before, after) ? null : found;
};

const readCode: ReadDeclared = (before, after) => {
  if (/(?:^|[^\w$.])(?:const|let|var|using)\s+$/.test(before)) {
    if (/^\s*of\b/.test(after)) return inner(element(after.replace(/^\s*of\b/, '')));
    if (/^\s*in\b/.test(after)) return INNER;
    const type = /^\s*!?\s*:(.*)$/s.exec(after)?.[1];
    if (type) return typed(typeBefore(type, '=;'));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  if (/(?:const|let|var)\s*\{[^=;]*$/.test(before) && !/^\s*:/.test(after)) return taken(before, after);
  if (/(?:const|let|var)\s*\[[^=;]*$/.test(before) && !/^\s*:/.test(after)) return OPAQUE;
  if (/^\s*=>/.test(after) && !/[.\w]$/.test(before.trimEnd())) return INNER;
  if (/\bcatch\s*\(\s*$/.test(before)) return INNER;
  if (/[(,]\s*(?:(?:public|private|protected|readonly|override|\.\.\.)\s*)*$/.test(before) && opener(before) === '(') {
    const type = /^\??\s*:(.*)$/s.exec(after)?.[1];
    // `cond ? f(a, b) : c` has no parameters.
    if (type && !/\?[^:]*$/.test(before)) return inner(typed(typeBefore(type, ',=)')));
    if (/^\s*(?:,[^()]*)?(?:=[^>()]*)?\)\s*(?::[^=]+)?=>/.test(after)) return INNER;
    if (/\bfunction\b[^()]*\([^()]*$/.test(before)) return INNER;
  }
  if (/[{,]\s*(?:\.\.\.)?$/.test(before) && /^\s*(?:,[^{}]*)?\}\s*(?::[^=)]+)?[,)]?.*=>/.test(after))
    return inner(taken(before, after));
  return null;
};

/**
 * `const { load: read } = store`: a property of a value. The value is read only if the whole declaration is on the
 * line.
 */
function taken(before: string, after: string): Declared {
  if (/\.\.\.$/.test(before)) return OPAQUE;
  const renamed = /([\w$]+)\s*:\s*$/.exec(before)?.[1];
  const value = /^\s*(?:=[^,{}]*)?(?:,[^{}]*)?\}\s*=(?![=>])(.*)$/s.exec(after)?.[1] ?? '';
  return { ...valued(value), property: renamed ?? '' };
}

/** The name is in a string or comment: a title such as `'works when using load'` declares nothing. */
function isProse(before: string, after: string): boolean {
  let quote = '';
  for (let i = 0; i < before.length; i++) {
    const c = before[i]!;
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'" || c === '`') quote = c;
    else if (c === '/' && before[i + 1] === '/' && before[i - 1] !== ':') return true;
  }
  // An apostrophe without a second one on the line opens no string.
  return quote !== '' && quote !== '`' && after.includes(quote);
}
