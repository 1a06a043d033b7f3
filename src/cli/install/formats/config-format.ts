/** A configuration file's format: edits that touch their own lines and leave every other byte as it is. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface ConfigFormat {
  /** The value of a file; an empty file is an empty object. Throws where it is not valid. */
  parse(text: string): unknown;
  /** The text with the value at the path, in the place of the one that is there, or after its neighbours. */
  set(text: string, path: readonly string[], value: Json): string;
  /** The text without the value at the path. */
  remove(text: string, path: readonly string[]): string;
}

/** An edit that the format's own parser does not confirm; nothing is written then. */
export class UnsafeEdit extends Error {}

export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many keys of the path lead to something. */
export function depthOf(root: unknown, path: readonly string[]): number {
  let depth = 0;
  while (depth < path.length && valueAt(root, path.slice(0, depth + 1)) !== undefined) depth++;
  return depth;
}

/** The line break that a file uses. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

/** Canonical, so that two values are the same if their texts are. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

/** Sets the value, and checks by parsing that it and nothing else has changed. */
export function setSafely(format: ConfigFormat, text: string, path: readonly string[], value: Json): string {
  return checked(format, text, (body) => format.set(body, path, value), path, value);
}

/** Removes it with those of its containers that `kept` keys of the path do not lead to, if they are empty then. */
export function removeSafely(format: ConfigFormat, text: string, path: readonly string[], kept: number): string {
  let result = checked(format, text, (body) => format.remove(body, path), path, undefined);
  for (let depth = path.length - 1; depth > kept; depth--) {
    const container = path.slice(0, depth);
    const value = valueAt(format.parse(result), container);
    if (value !== null && (!isObject(value) || Object.keys(value).length > 0)) break;
    result = checked(format, result, (body) => format.remove(body, container), container, undefined);
  }
  return result;
}

const BYTE_ORDER_MARK = '\ufeff';

function checked(
  format: ConfigFormat,
  text: string,
  edit: (body: string) => string,
  path: readonly string[],
  value: Json | undefined,
): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const expected = withValue(format.parse(body), path, value);
  let result: string;
  try {
    result = edit(body);
    if (canonical(emptied(format.parse(result))) !== canonical(emptied(expected))) throw new UnsafeEdit();
  } catch (thrown) {
    throw thrown instanceof UnsafeEdit ? thrown : new UnsafeEdit('', { cause: thrown });
  }
  return mark + result;
}

/** A table without keys and none at all are one in TOML, and a key without a value is an empty map in YAML. */
function emptied(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, emptied(item)] as const);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== null && !(isObject(item) && Object.keys(item).length === 0)),
  );
}

function withValue(root: unknown, [key, ...rest]: readonly string[], value: Json | undefined): unknown {
  if (key === undefined) return value;
  const record = isObject(root) ? root : {};
  const child = withValue(record[key], rest, value);
  const { [key]: _old, ...others } = record;
  return child === undefined ? others : { ...others, [key]: child };
}
