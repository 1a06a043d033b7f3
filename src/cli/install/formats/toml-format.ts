/** The TOML format: an entry is a table of its own (`[mcp_servers.sextant]`) at the end of the file. */
import { parse } from 'smol-toml';
import { type ConfigFormat, isObject, type Json, lineBreakOf, UnsafeEdit, valueAt } from './config-format.ts';

export const tomlFormat: ConfigFormat = {
  parse: (text) => parse(text),
  set(text, path, value) {
    const eol = lineBreakOf(text);
    const table = tableLines(path, value).join(eol);
    if (valueAt(parse(text), path) !== undefined) {
      const { start, end } = tableRange(text, path);
      return text.slice(0, start) + table + text.slice(end);
    }
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
    return `${text}${gap}${table}${eol}`;
  },
  remove(text, path) {
    const { start, end } = tableRange(text, path);
    // Also removes the line break and the blank line before the table.
    const rest = text.slice(end).replace(/^\r?\n/, '');
    const before = text.slice(0, start);
    return (/\n\r?\n$/.test(before) ? before.replace(/\r?\n$/, '') : before) + rest;
  },
};

function tableLines(path: readonly string[], value: Json): string[] {
  if (!isObject(value)) throw new UnsafeEdit();
  const entries = Object.entries(value as Record<string, Json>);
  return [`[${path.map(keyText).join('.')}]`, ...entries.map(([key, item]) => `${keyText(key)} = ${valueText(item)}`)];
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function valueText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (isObject(value)) {
    const fields = Object.entries(value as Record<string, Json>).map(
      ([key, item]) => `${keyText(key)} = ${valueText(item)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  // A basic string has JSON's escapes, and must escape DEL, too.
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

/** The range from the table's header to the end of its last line; comments after it belong to the next table. */
function tableRange(text: string, path: readonly string[]): { readonly start: number; readonly end: number } {
  let start = -1;
  let end = -1;
  for (const { offset, line, isInside } of linesOf(text)) {
    const header = isInside ? null : headerOf(line);
    if (header) {
      const isOurs = path.every((key, i) => header[i] === key);
      if (start < 0 && isOurs) start = offset;
      else if (start >= 0 && !isOurs) break;
    }
    if (start >= 0 && (isInside || !/^\s*(?:#.*)?$/.test(line))) end = offset + line.replace(/\r$/, '').length;
  }
  if (start < 0) throw new UnsafeEdit();
  return { start, end };
}

function headerOf(line: string): readonly string[] | null {
  const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
  if (header === undefined) return null;
  return [...header.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

interface Line {
  readonly offset: number;
  readonly line: string;
  /** True if the line begins inside a multi-line string. */
  readonly isInside: boolean;
}

function* linesOf(text: string): Generator<Line> {
  let quote: string | null = null;
  let offset = 0;
  for (const line of text.split('\n')) {
    yield { offset, line, isInside: quote !== null };
    quote = quoteAfter(line, quote);
    offset += line.length + 1;
  }
}

const TOKEN = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*/g;

/** The quotes of the multi-line string that is open at the end of the line, or null. */
function quoteAfter(line: string, open: string | null): string | null {
  let quote = open;
  let at = 0;
  while (at <= line.length) {
    if (quote !== null) {
      const close = line.indexOf(quote, at);
      if (close < 0) return quote;
      at = close + quote.length;
      quote = null;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(line);
    if (!found) return null;
    at = found.index + found[0].length;
    if (found[0] === '"""' || found[0] === "'''") quote = found[0];
  }
  return quote;
}
