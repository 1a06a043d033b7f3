import { type ParseError, parse } from 'jsonc-parser/lib/esm/main.js';
import { isRecord } from '../../../model/runtime/is-record.ts';

/** Parses JSON with comments and trailing commas; null if it is not even that. */
export function parseLooseJson(text: string): Readonly<Record<string, unknown>> | null {
  const plain = text.replace(/^\uFEFF/, '');
  const value = parseStrictly(plain) ?? parseWithComments(plain);
  return isRecord(value) ? value : null;
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parseWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length === 0 ? value : null;
  } catch {
    // Nested deeper than the stack: no tool writes such a file.
    return null;
  }
}
