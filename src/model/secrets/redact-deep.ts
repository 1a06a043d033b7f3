/** Redacts every string in an answer. */
import { redactText } from './redact.ts';

/** No rule matches a shorter string, and most strings of an answer (names, kinds, modules) are shorter. */
const SHORTEST = 16;

/**
 * Returns the same value if no string in it has a token. Leaves typed arrays, errors and other class instances
 * unchanged.
 */
export function redactDeep<T>(value: T): T {
  if (typeof value === 'string') return (value.length < SHORTEST ? value : redactText(value)) as T;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return redactItems(value) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? redactFields(value) : value;
}

export function* redactEach<T>(values: Iterable<T>): Generator<T> {
  for (const value of values) yield redactDeep(value);
}

function redactItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const redacted = redactDeep(items[i]);
    if (redacted === items[i]) continue;
    copy ??= [...items];
    copy[i] = redacted;
  }
  return copy ?? items;
}

function redactFields<T extends object>(record: T): T {
  const changed: [string, unknown][] = [];
  for (const key of Object.keys(record)) {
    if (isComputedId(record, key)) continue;
    const value: unknown = record[key as keyof T];
    const redacted: unknown = redactDeep(value);
    if (redacted !== value) changed.push([key, redacted]);
  }
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
}

/** Skips getters: they are ids that few answers show, and reading one would compute a hash. */
function isComputedId(record: object, key: string): boolean {
  return key.endsWith('Id') && Object.getOwnPropertyDescriptor(record, key)?.get !== undefined;
}
