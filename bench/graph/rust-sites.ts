/**
 * Lists the calls of a Rust repository in the judges' format. rust-analyzer's index has the symbol at each place, but
 * not its use: the name of a function or macro followed by arguments is a call.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScipDocument } from './scip.ts';

const FUNCTION = /\(\)\.$/;
const MACRO = /!$/;
/** `f(`, `f::<T>(`, `m!(` */
const CALLED = /^(?:\s*::\s*<[^;{}]*?>)?\s*\(|^\s*!\s*[([{]/;

export function rustSites(folder: string, documents: readonly ScipDocument[]): string {
  const definitions = new Map<string, Set<string>>();
  for (const { path, occurrences } of documents)
    for (const { symbol, line, isDefinition } of occurrences) {
      if (!isDefinition || symbol.startsWith('local ')) continue;
      const places = definitions.get(symbol) ?? new Set();
      definitions.set(symbol, places.add(`${path}:${line + 1}`));
    }
  const lines = new Set<string>();
  for (const { path, occurrences } of documents) {
    const file = join(folder, path);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8').split('\n');
    for (const { symbol, line, column, endColumn, isDefinition } of occurrences) {
      if (isDefinition || !(FUNCTION.test(symbol) || MACRO.test(symbol))) continue;
      const rest = `${text[line]?.slice(endColumn)}\n${text[line + 1] ?? ''}`;
      const name = text[line]?.slice(column, endColumn) ?? '';
      if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || !CALLED.test(rest)) continue;
      const targets = [...(definitions.get(symbol) ?? [])];
      lines.add([path, line + 1, column + 1, name, line + 1, 'function', targets.join('|') || '-'].join('\t'));
    }
  }
  return [...lines].map((line) => `${line}\n`).join('');
}
