/** Does an expression begin with a literal? What stands behind it then belongs to the language's own library. */
import { closingOf } from '../../languages/runtime/reading/split.ts';

const SIMPLE = /^(?:["'`[]|#+"|-?\.?\d|\/(?![/*])|(?:true|false)\b)/;
const TEXT = /^["'`]/;

/** Letters and signs that make another kind of literal of what follows. In other languages they are names: `f"x"` is a call in Lua, `@"x"` a name in Zig. */
const PREFIXED: Readonly<Record<string, RegExp>> = {
  python: /^(?:[bfrtu]|[bft]r|r[bft])["']|^(?:True|False)\b/i,
  rust: /^(?:b|c|r|br|cr)#*["']/,
  csharp: /^[@$]+"/,
  c: /^(?:L|u8?|U)["']/,
  cpp: /^(?:(?:L|u8?|U)?R?"|(?:L|u8?|U)')/,
  scala: /^(?:s|f|raw)"/,
  dart: /^r["']/,
  ruby: /^(?:%[wWiIqQrsx]?[^\w\s=]|:["\w]|<<[~-])/,
  elixir: /^(?::["\w]|~[a-zA-Z])/,
};

export function beginsWithLiteral(expression: string, language: string): boolean {
  const text = expression.trim();
  const prefixed = PREFIXED[language];
  if (SIMPLE.test(text) || prefixed?.test(text)) return true;
  // `("a" + b)` is a text as well; `("a" as Name)` is what it says.
  const close = text[0] === '(' ? closingOf(text, 0) : -1;
  const inner = text.slice(1, close).trim();
  return close > 0 && (TEXT.test(inner) || Boolean(prefixed?.test(inner))) && !/\sas[?!]?\s/.test(inner);
}

/** `{…}` and nothing more, where it is a dictionary and no block: what it holds may be ours. */
export function isDictionary(expression: string, language: string): boolean {
  const text = expression.trim();
  if (text[0] !== '{' || (language !== 'python' && language !== 'ruby')) return false;
  // A long one is cut before its end.
  const close = closingOf(text, 0);
  return close < 0 || close === text.length - 1;
}

/** Go: the type that a slice, an array or a map begins with, as in `[][2]*Point{…}`; '' where it has no name. */
export function typeOfElements(expression: string): string {
  const written = /^((?:(?:map)?\[[^\][]*\])+\s*\*?[\w.]+)\s*(?:\[[^\][]*\])?\{/.exec(expression.trim())?.[1] ?? '';
  return written.endsWith('struct') || written.endsWith('interface') ? '' : written.replaceAll('[...]', '[]');
}
