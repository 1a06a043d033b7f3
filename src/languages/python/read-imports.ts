import type { ImportRecord } from '../../model/records/symbol.ts';

/** `import a.b as c, d` is one record for each module; `from .x import (y as z, w)` is one record. */
export function readPythonImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const text = statement
    .replace(/#[^\n]*/g, '')
    .replace(/\\\n/g, ' ')
    .replace(/\s+/g, ' ');
  const from = /^from\s+([.\w\s]*?)\s*\bimport\b\s*([\s\S]*)$/.exec(text);
  if (from) {
    const names = splitNames(from[2]!.replace(/[()]/g, ' '));
    return [{ source: from[1]!.replace(/\s+/g, ''), names, alias: '' }];
  }
  const plain = /^import\s+([\s\S]*)$/.exec(text);
  if (!plain) return [];
  return splitNames(plain[1]!).map(({ name, local }) => ({
    source: name,
    names: [],
    alias: local === name ? name.split('.')[0]! : local,
  }));
}

function splitNames(list: string): { name: string; local: string }[] {
  return list
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/))
    .filter(([name]) => name)
    .map(([name, local]) => ({ name: name!, local: local ?? name! }));
}
