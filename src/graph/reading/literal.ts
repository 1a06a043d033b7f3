/** Recognises literals: a member of a literal belongs to the standard library. */
import type { NameRules } from '../../languages/name-rules.ts';
import { closingOf } from '../../languages/runtime/reading/split.ts';

const SIMPLE = /^(?:["'`[]|#+"|-?\.?\d|\/(?![/*])|(?:true|false)\b)/;
const TEXT = /^["'`]/;

/** `literal`: prefixes that begin a literal in the language (`r"…"`, `%w[…]`) and would be names in others. */
export function beginsWithLiteral(expression: string, { literal: prefixed }: Pick<NameRules, 'literal'>): boolean {
  const text = expression.trim();
  if (SIMPLE.test(text) || prefixed?.test(text)) return true;
  // `("a" + b)` is a string; `("a" as Name)` has the type of the cast.
  const close = text[0] === '(' ? closingOf(text, 0) : -1;
  const inner = text.slice(1, close).trim();
  return close > 0 && (TEXT.test(inner) || Boolean(prefixed?.test(inner))) && !/\sas[?!]?\s/.test(inner);
}

/** The expression is a single dictionary literal `{…}`: its values may be of a type of the tree. */
export function isDictionary(expression: string, { braceDictionary }: Pick<NameRules, 'braceDictionary'>): boolean {
  const text = expression.trim();
  if (text[0] !== '{' || !braceDictionary) return false;
  // The index cuts a long expression before the closing brace.
  const close = closingOf(text, 0);
  return close < 0 || close === text.length - 1;
}
