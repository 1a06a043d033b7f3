/** JSON with comments and trailing commas. A value is inserted after its neighbours, in their indentation and style. */
import {
  createScanner,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser/lib/esm/main.js';
import { type ConfigFormat, isObject, type Json, lineBreakOf, UnsafeEdit } from './config-format.ts';

const OPTIONS = { allowTrailingComma: true };
const COMMA = 5;

export const jsoncFormat: ConfigFormat = {
  parse(text) {
    if (text.trim() === '') return {};
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, OPTIONS);
    const [first] = errors;
    if (first) {
      const line = text.slice(0, first.offset).split('\n').length;
      throw new Error(`line ${line}: ${printParseErrorCode(first.error)}`);
    }
    if (!isObject(value)) throw new Error('it holds no object');
    return value;
  },
  set(text, path, value) {
    const eol = lineBreakOf(text);
    if (text.trim() === '') return `${written(nested(path, value), '', '  ', eol)}${eol}`;
    const unit = unitOf(text);
    let object = parseTree(text, [], OPTIONS)!;
    for (const [depth, key] of path.entries()) {
      const property = propertyOf(object, key);
      const node = property?.children?.[1];
      if (!property || !node) return insert(text, object, key, nested(path.slice(depth + 1), value), unit, eol);
      if (depth === path.length - 1) {
        const end = node.offset + node.length;
        const isBroken = text.slice(node.offset, end).includes('\n');
        const inserted = isBroken ? written(value, indentAt(text, property.offset), unit, eol) : JSON.stringify(value);
        return splice(text, node.offset, end, inserted);
      }
      if (node.type === 'null') {
        const inner = written(nested(path.slice(depth + 1), value), indentAt(text, property.offset), unit, eol);
        return splice(text, node.offset, node.offset + node.length, inner);
      }
      if (node.type !== 'object') throw new UnsafeEdit();
      object = node;
    }
    return text;
  },
  remove(text, path) {
    let object = parseTree(text, [], OPTIONS)!;
    for (const key of path.slice(0, -1)) object = propertyOf(object, key)!.children![1]!;
    return removeProperty(text, object, propertyOf(object, path.at(-1)!)!);
  },
};

function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.find((property) => property.children?.[0]?.value === key);
}

function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

function written(value: Json, indent: string, unit: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function insert(text: string, object: Node, key: string, value: Json, unit: string, eol: string): string {
  const end = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const first = object.children?.[0];
  if (!last || !first) return insertAlone(text, object, end, key, value, unit, eol);
  const isBroken = text.slice(object.offset, first.offset).includes('\n');
  const indent = indentAt(text, first.offset);
  const property = `${JSON.stringify(key)}: ${isBroken ? written(value, indent, unit, eol) : JSON.stringify(value)}`;
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd);
  // A comment after the last value stays there.
  const from = comma ?? lastEnd;
  const lineEnd = endOfLine(text, from);
  const at = isBroken && lineEnd <= end ? lineEnd : from;
  const between = comma === null ? `,${text.slice(lastEnd, at)}` : text.slice(lastEnd, at);
  const added = `${isBroken ? `${eol}${indent}` : ' '}${property}${comma === null ? '' : ','}`;
  return `${text.slice(0, lastEnd)}${between}${added}${text.slice(at)}`;
}

function insertAlone(text: string, object: Node, end: number, key: string, value: Json, unit: string, eol: string) {
  const inner = text.slice(object.offset + 1, end);
  const outer = indentAt(text, object.offset);
  const indent = outer + unit;
  const property = `${indent}${JSON.stringify(key)}: ${written(value, indent, unit, eol)}${eol}`;
  if (inner.trim() === '') return splice(text, object.offset + 1, end, `${eol}${property}${outer}`);
  // The object contains only comments: the value is inserted after them, not inside the last one.
  const lineStart = text.lastIndexOf('\n', end - 1) + 1;
  return lineStart > object.offset
    ? splice(text, lineStart, lineStart, property)
    : splice(text, end, end, `${eol}${property}${outer}`);
}

function removeProperty(text: string, object: Node, property: Node): string {
  const siblings = object.children!;
  const before = siblings[siblings.indexOf(property) - 1];
  const propertyEnd = property.offset + property.length;
  const comma = commaAfter(text, propertyEnd);
  const isLast = siblings.at(-1) === property;
  let [start, end] = [property.offset, comma ?? propertyEnd];
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = endOfLine(text, end);
  const isAlone = text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === '';
  const result = (from: number, to: number) => splice(text, from, to, '');
  if (isAlone && lineStart > object.offset) [start, end] = [lineStart, nextLine(text, lineEnd)];
  else if (isLast && before) start = commaAfter(text, before.offset + before.length) ?? start;
  else if (!isLast) end += /^[ \t]*/.exec(text.slice(end))![0].length;
  if (!isLast || !before || comma !== null) return result(start, end);
  // Also removes the comma before it, which would be a trailing comma, invalid in plain JSON.
  const at = commaAfter(text, before.offset + before.length)!;
  return splice(result(start, end), at - 1, at, '');
}

/** The offset after the next comma, or null. */
function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return (scanner.scan() as number) === COMMA ? scanner.getTokenOffset() + 1 : null;
}

function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function nextLine(text: string, lineEnd: number): number {
  const at = text.indexOf('\n', lineEnd);
  return at < 0 ? text.length : at + 1;
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** The file's unit of indentation: that of its first indented line. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
