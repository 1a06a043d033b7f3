/** The YAML format: an entry is a block in a block map. Maps in braces are not edited, unless they are empty. */
import { isMap, isScalar, type Node, type Pair, parse, parseDocument, stringify, type YAMLMap } from 'yaml';
import { type ConfigFormat, isObject, type Json, lineBreakOf, UnsafeEdit } from './config-format.ts';

const UNIT = 2;

export const yamlFormat: ConfigFormat = {
  parse(text) {
    const value: unknown = parse(text, { maxAliasCount: 100 }) ?? {};
    if (!isObject(value)) throw new Error('it is not a map of settings');
    return value;
  },
  set(text, [container, key], value) {
    if (container === undefined || key === undefined) throw new UnsafeEdit();
    const eol = lineBreakOf(text);
    const root = rootOf(text);
    const pair = root && pairOf(root, container);
    if (!pair) {
      const gap = text === '' || text.endsWith('\n') ? '' : eol;
      return `${text}${gap}${block({ [container]: { [key]: value } }, 0, eol)}`;
    }
    const map = pair.value;
    if (isMap(map) && !map.flow && map.items.length > 0) return insertInto(text, map, key, value, eol);
    if (isScalar(map) ? map.value !== null : !isMap(map) || map.items.length > 0) throw new UnsafeEdit();
    // No value, or {}: the block replaces it.
    const [start] = startOf(pair.key as Node);
    const colon = text.indexOf(':', start) + 1;
    const end = isMap(map) ? map.range![1] : colon;
    const lineEnd = endOfLine(text, end);
    const rest = text.slice(end, lineEnd);
    return `${text.slice(0, colon)}${rest}${eol}${block({ [key]: value }, UNIT, eol).trimEnd()}${text.slice(lineEnd)}`;
  },
  remove(text, path) {
    const root = rootOf(text);
    const pair = root && pairOf(root, path[0]!);
    const inner = path.length === 1 ? pair : isMap(pair?.value) ? pairOf(pair.value, path[1]!) : undefined;
    if (!inner || (isMap(pair?.value) && pair.value.flow)) throw new UnsafeEdit();
    return removePair(text, inner);
  },
};

function insertInto(text: string, map: YAMLMap, key: string, value: Json, eol: string): string {
  const existing = pairOf(map, key);
  if (existing) {
    const [start] = startOf(existing.key as Node);
    const column = columnOf(text, start);
    const entry = block({ [key]: value }, column, eol)
      .trimEnd()
      .slice(column);
    return text.slice(0, start) + entry + text.slice(contentEnd(text, existing));
  }
  const column = columnOf(text, startOf(map.items[0]!.key as Node)[0]);
  const at = contentEnd(text, map.items.at(-1)!);
  return `${text.slice(0, at)}${eol}${block({ [key]: value }, column, eol).trimEnd()}${text.slice(at)}`;
}

function removePair(text: string, pair: Pair): string {
  const [start] = startOf(pair.key as Node);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(lineStart, start).trim() !== '') throw new UnsafeEdit();
  const end = contentEnd(text, pair);
  const next = text.indexOf('\n', end);
  return text.slice(0, lineStart) + (next < 0 ? '' : text.slice(next + 1));
}

/** The end of the last line of the pair's value. */
function contentEnd(text: string, { key, value }: Pair): number {
  const node = (value ?? key) as Node;
  const [start, end] = node.range!;
  const content = text.slice(start, end).trimEnd();
  return endOfLine(text, content === '' ? startOf(key as Node)[1] : start + content.length);
}

function rootOf(text: string): YAMLMap | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw document.errors[0]!;
  return isMap(document.contents) ? document.contents : null;
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((item) => isScalar(item.key) && item.key.value === key);
}

function startOf(node: Node): readonly [number, number] {
  return [node.range![0], node.range![1]];
}

function columnOf(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1) - 1;
}

function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function block(value: Json, column: number, eol: string): string {
  const lines = stringify(value, { lineWidth: 0, indent: UNIT }).trimEnd().split('\n');
  return `${lines.map((line) => ' '.repeat(column) + line).join(eol)}${eol}`;
}
