/**
 * Extracts from a parsed file the names that it refers to, the modules that it imports, and the roles of its chunks.
 */
import { type Chunk, DDD_ROLES } from '../../model/records/chunk.ts';
import type { ParsedFile, Reference } from '../../model/records/symbol.ts';
import { nameKey } from '../../model/text/terms.ts';
import { IMPORT_MARK, NAMELESS, PACKAGE_MARK } from '../../store/store.ts';

const MAX_PACKAGE = 200;

/** The number of references per name, in the order of first use. A file mostly calls the same few names. */
export function countNames(references: readonly Reference[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of references) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export function dddBits(
  chunk: Chunk,
  parsed: ParsedFile,
  roles: ReadonlyMap<number, (typeof DDD_ROLES)[number]>,
): number {
  if (roles.size === 0 || chunk.symbol < 0) return 0;
  let bits = 0;
  for (let i = chunk.symbol; i < Math.min(chunk.symbol + chunk.symbolCount, parsed.symbols.length); i++) {
    for (let at = i; at >= 0; at = parsed.symbols[at]!.parent) {
      const role = roles.get(at);
      if (role) bits |= 1 << DDD_ROLES.indexOf(role);
    }
  }
  return bits;
}

/**
 * The modules that a content imports and the package that it declares, as keys of the reference space. A mark that no
 * identifier has precedes each key, so one lookup finds all files that import a module.
 */
export function importKeys(parsed: ParsedFile): Set<string> {
  const keys = new Set<string>();
  const add = (name: string) => {
    const key = nameKey(name) || name;
    if (key !== '') keys.add(IMPORT_MARK + key);
  };
  for (const { source, names } of parsed.imports) {
    const segments = source
      .replace(/\.(?:[a-z]{1,4}|blade\.php)$/i, '')
      .split(/[/\\.:]+/)
      .filter(Boolean);
    for (const segment of segments.slice(-2)) add(segment.replace(/-/g, ''));
    // `require('../')` names no module, only a folder.
    if (segments.length === 0) keys.add(IMPORT_MARK + NAMELESS);
    for (const { name } of names) if (name !== '*') add(name);
  }
  if (parsed.package !== '' && parsed.package.length <= MAX_PACKAGE) keys.add(PACKAGE_MARK + parsed.package);
  return keys;
}
