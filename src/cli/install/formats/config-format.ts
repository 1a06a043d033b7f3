/** The port of configuration file formats: an edit changes its own lines and leaves every other byte unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface ConfigFormat {
  /** Parses a file; an empty file is an empty object. Throws if it is invalid. */
  parse(text: string): unknown;
  /**
   * Returns the text with the value at the path, which replaces an existing value or is inserted after its neighbours.
   */
  set(text: string, path: readonly string[], value: Json): string;
  /** Returns the text without the value at the path. */
  remove(text: string, path: readonly string[]): string;
}

/** Thrown if parsing does not confirm an edit; nothing is written then. */
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

/** Number of leading keys of the path that exist. */
export function depthOf(root: unknown, path: readonly string[]): number {
  let depth = 0;
  while (depth < path.length && valueAt(root, path.slice(0, depth + 1)) !== undefined) depth++;
  return depth;
}

/** The line break that a file uses. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

/** A canonical text of a value: equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

/** Sets the value and verifies by parsing that nothing else has changed. */
export function setSafely(format: ConfigFormat, text: string, path: readonly string[], value: Json): string {
  return checked(format, text, (body) => format.set(body, path, value), path, value);
}

/** Removes the value, and containers that are empty then; the containers at the first `kept` keys stay. */
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
    if (canonical(withoutEmptyContainers(format.parse(result))) !== canonical(withoutEmptyContainers(expected)))
      throw new UnsafeEdit();
  } catch (thrown) {
    throw thrown instanceof UnsafeEdit ? thrown : new UnsafeEdit('', { cause: thrown });
  }
  return mark + result;
}

/**
 * Treats empty containers as absent: in TOML an empty table equals none, and in YAML a key without a value is an empty
 * map.
 */
function withoutEmptyContainers(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmptyContainers(item)] as const);
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
