import { isRecord } from '../../../model/runtime/is-record.ts';

/** JSON as tools write it: comments and trailing commas are passed over. Null where it is not even that. */
export function parseLooseJson(text: string): Readonly<Record<string, unknown>> | null {
  const strict = parse(text);
  if (strict) return strict;
  let plain = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"') {
      const start = i;
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
      plain += text.slice(start, i + 1);
    } else if (c === '/' && text[i + 1] === '/') {
      while (i < text.length && text[i] !== '\n') i++;
      plain += '\n';
    } else if (c === '/' && text[i + 1] === '*') {
      i = text.indexOf('*/', i + 2);
      if (i < 0) break;
      i++;
    } else if (c === '}' || c === ']') plain = plain.replace(/,\s*$/, '') + c;
    else plain += c;
  }
  return parse(plain);
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
