/** Does an expression begin with a literal? What stands behind it then belongs to the language's own library. */
import type { NameRules } from '../../languages/name-rules.ts';
import { closingOf } from '../../languages/runtime/reading/split.ts';

const SIMPLE = /^(?:["'`[]|#+"|-?\.?\d|\/(?![/*])|(?:true|false)\b)/;
const TEXT = /^["'`]/;

/**
 * `literal`: letters and signs that make another kind of literal of what follows; in other languages they are names.
 */
export function beginsWithLiteral(expression: string, { literal: prefixed }: Pick<NameRules, 'literal'>): boolean {
  const text = expression.trim();
  if (SIMPLE.test(text) || prefixed?.test(text)) return true;
  // `("a" + b)` is a text as well; `("a" as Name)` is what it says.
  const close = text[0] === '(' ? closingOf(text, 0) : -1;
  const inner = text.slice(1, close).trim();
  return close > 0 && (TEXT.test(inner) || Boolean(prefixed?.test(inner))) && !/\sas[?!]?\s/.test(inner);
}

/** `{…}` and nothing more, where it is a dictionary and no block: what it holds may be ours. */
export function isDictionary(expression: string, { braceDictionary }: Pick<NameRules, 'braceDictionary'>): boolean {
  const text = expression.trim();
  if (text[0] !== '{' || !braceDictionary) return false;
  // A long one is cut before its end.
  const close = closingOf(text, 0);
  return close < 0 || close === text.length - 1;
}
