/** Parses the type in a declaration, without what does not affect its members: references, nullability, modifiers. */

import { splitTop } from '../../languages/runtime/reading/split.ts';
import { pattern } from '../../model/text/pattern.ts';

export interface TypeText {
  /** "Server", "http.Server", "auth::Token" in segments. */
  readonly path: readonly string[];
  readonly args: readonly string[];
  /** An array, slice or list written with brackets: the element is the only argument and there is no path. */
  readonly isList: boolean;
}

const MODIFIERS = pattern()`
    ^(?:(?:const|mut|dyn|impl|readonly|unowned|weak|inout|some|any|final|static|volatile|struct|enum|union|class
    |typename|out|ref|in|params|lateinit|late|required|covariant|vararg|register|extern|unsigned|signed|lazy|private
    |public|protected|internal|open|borrowing|consuming|sending|chan|async|override|virtual|abstract|constexpr|inline
    |mutable|comptime|noalias|crossinline|noinline|implicit|given|using|var|val|let)\b(?!\s*$)|@[\w.]+(?:\([^)]*\))?
    |\[\[[^\]]*\]\]|'[a-z_]\w*(?!')|<-)\s*
  `;
const EMPTY = /^(?:null|undefined|None|nil|void|false|never|NoneType)$/;

/** Null for a type without named members: a function, a tuple, a union of several types. */
export function parseType(text: string): TypeText | null {
  let rest = text.trim().replace(/^["']|["']$/g, '');
  for (let i = 0; i < 12; i++) {
    const next = rest
      .replace(/^(?:\.\.\.|[*&?!^]|&&)+\s*/, '')
      .replace(/\s*(?:[*&?!]|\.\.\.)+$/, '')
      .replace(/\s+const$/, '')
      .replace(MODIFIERS, '')
      .trim();
    if (next === rest) break;
    rest = next;
  }
  if (rest === '' || rest.length > 300) return null;
  const alternatives = splitTop(rest, '|').filter((part) => !EMPTY.test(part));
  if (alternatives.length > 1) return null;
  if (alternatives.length === 1 && alternatives[0] !== rest) return parseType(alternatives[0]!);
  // Of a composition (`A & B`, `A with B`) only the first part is searched for members.
  const [first, ...others] = splitTop(rest.replace(/\s+with\s+/g, ' & '), '&');
  if (others.length > 0 && first) return parseType(first);
  if (
    rest.startsWith('(') &&
    rest.endsWith(')') &&
    !rest.includes('->') &&
    !rest.includes('=>') &&
    splitTop(rest.slice(1, -1), ',').length === 1
  )
    return parseType(rest.slice(1, -1));
  const list =
    /^\[\d*\]\s*(.+)$/s.exec(rest)?.[1] ??
    /^(.+?)\[\s*\]$/s.exec(rest)?.[1] ??
    /^\[([^:;]+?)(?:;[^\]]*)?\]$/s.exec(rest)?.[1];
  if (list) return { path: [], args: [list], isList: true };
  const map = /^map\[[^\]]+\]\s*(.+)$/s.exec(rest)?.[1] ?? /^\[[^\]]+:\s*([^\]]+)\]$/s.exec(rest)?.[1];
  if (map) return { path: [], args: [map], isList: true };
  const named = /^((?:::|\\)?[A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*)\s*(?:::)?(?:[<[](.*)[>\]])?$/s.exec(
    rest,
  );
  if (!named) return null;
  return {
    path: named[1]!.split(/\.|::|\\/).filter(Boolean),
    args: named[2] === undefined ? [] : splitTop(named[2], ','),
    isList: false,
  };
}
