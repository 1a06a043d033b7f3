/** Redacts every text inside of an answer. */
import { redactText } from './redact.ts';

/** No rule matches less, and most strings of an answer are shorter: names, kinds, modules. */
const SHORTEST = 16;

/**
 * The value itself where no text in it holds a token. Typed arrays, errors and other instances of classes are left as
 * they are.
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

/** An id behind a getter is a hash that few answers show: reading it here would compute it for all of them. */
function isComputedId(record: object, key: string): boolean {
  return key.endsWith('Id') && Object.getOwnPropertyDescriptor(record, key)?.get !== undefined;
}
