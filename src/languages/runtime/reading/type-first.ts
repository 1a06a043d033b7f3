/** Reads declarations with the type before the name: C and C++, Java, C#, Dart. */
import { pattern } from '../../../model/text/pattern.ts';
import { type Declared, element, INNER, inner, OPAQUE, opener, type ReadDeclared, typed, valued } from './declared.ts';

const WORDS = pattern()`
  \b(?:return|throw|throws|else|new|case|goto|delete|yield|await|in|is|as|package|import|using|extends|implements
  |instanceof|assert|typeof|sizeof|not|and|or|co_return|co_yield|operator|namespace|default|do|goto|break
  |continue)\s*[*&]*\s*$
`;

export const readTypeFirst: ReadDeclared = (before, after) => {
  if (!/^\s*(?:[=;,:)({[]|in\b|of\b|=>|\s->|$)/.test(after) || /^\s*::/.test(after) || /^\s*==/.test(after))
    return null;
  if (/^\s+->/.test(after) || /^\s*=>/.test(after))
    return /[(,=\s]\s*$/.test(before) && !/\bcase\b/.test(before) ? INNER : null;
  if (/[(,]\s*$/.test(before) && /^\s*(?:,[\w\s,]*)?\)\s*(?:->|=>)/.test(after)) return INNER;
  const type =
    /((?:[A-Za-z_][\w]*(?:\.|::))*[A-Za-z_]\w*(?:\s*<[^;(){}=]*>)?(?:\s*\[\s*\])*\??(?:\s*(?:[*&]|const\b))*)\s*$/.exec(
      before,
    );
  if (!type || !/[\s*&>\]?]$/.test(before) || WORDS.test(before)) return null;
  const written = type[1]!.trim();
  const lead = before.slice(0, before.length - type[0].length);
  // `a.b c` and `f(x) y` are no declarations.
  if (/[.\w"')\]]$/.test(lead) && !/\s$/.test(lead)) return null;
  if (/^\s*\(/.test(after))
    return opener(lead) === '' && /^(?:auto|var)\b/.test(written) ? null : constructed(written, after, lead);
  if (/^(?:auto|var|final|const|late|let|dynamic|val|static)(?:\s|$|[*&])/.test(written)) {
    const loop = /^\s*(?::(?!:)|in\b)(.*?)\)/s.exec(after)?.[1];
    if (loop) return inner(element(loop));
    const value = /^\s*=(?!=)(.*)$/s.exec(after)?.[1];
    return value === undefined ? OPAQUE : valued(value);
  }
  if (/^(?:const|static|final)$/.test(written)) return null;
  return opener(lead) === '(' ? inner(typed(written)) : typed(written);
};

/** C++ `Type name(arguments);` declares a variable; in other languages it declares a function. */
function constructed(type: string, after: string, lead: string): Declared | null {
  return /\)\s*;\s*$/.test(after) && /^\s*(?:static\s+|const\s+)*$/.test(lead) ? typed(type) : null;
}
