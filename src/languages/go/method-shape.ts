import { closingOf, splitTop } from '../runtime/reading/split.ts';

/**
 * The types of parameters and results without names and packages: `ServeHTTP(w http.ResponseWriter, r *http.Request)
 * error` has the shape `ResponseWriter,*Request→error`.
 */
export function methodShape(signature: string, name: string): string {
  const open = signature.indexOf(`${name}(`) + name.length;
  const close = closingOf(signature, open);
  if (open < name.length || close < 0) return '';
  const rest = signature
    .slice(close + 1)
    .replace(/\s*\{\s*$/, '')
    .trim();
  const results = rest.startsWith('(') ? rest.slice(1, closingOf(rest, 0)) : rest;
  return `${typesOf(signature.slice(open + 1, close))}→${typesOf(results)}`;
}

const NAMED = /^\w+\s+(?=\S)(?!\{)/;
/** First words of types that contain a space. */
const UNNAMED = /^(?:chan|func|map|struct|interface)\b/;

function typesOf(list: string): string {
  const parts = splitTop(list, ',').map((part) => part.trim());
  const isNamed = parts.some((part) => NAMED.test(part) && !UNNAMED.test(part));
  let last = '';
  // Several parameters may share the type behind the last of them.
  return parts
    .reverse()
    .filter(Boolean)
    .map((part) => {
      if (isNamed && !NAMED.test(part)) return last;
      last = (isNamed ? part.replace(NAMED, '') : part).replace(/\b\w+\./g, '').replace(/\s+/g, '');
      return last;
    })
    .reverse()
    .join(',');
}
