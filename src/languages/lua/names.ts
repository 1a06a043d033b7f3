/** How names work in Lua. */
import { nameRules, type ReturnedTable } from '../name-rules.ts';
import { readAssigned } from '../runtime/reading/assigned.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';

export const luaNames = nameRules({
  family: 'lua',
  builtinMethods: BUILTIN_METHODS,
  visible: 'global',
  blockLocals: false,
  openTypes: true,
  outsideMethods: 'family',
  fieldPrefix: 'self\\.',
  importsAreModules: true,
  returnedTable,
  declares: 'assignment',
  readDeclared: readAssigned,
});

/** The table that a file returns, and the tables that lookups in it fall back to. */
function returnedTable(text: string): ReturnedTable {
  const table = /^return\s+(\w+)\s*$/m.exec(text.slice(text.lastIndexOf('\nreturn ') + 1))?.[1] ?? '';
  const parents = text.matchAll(/__index\s*=\s*(?:require\s*\(?\s*["']([^"']+)["']\s*\)?|(\w+)\b)/g);
  return { table, parents: [...parents].map(([, source, alias]) => (source ? { source } : { alias: alias! })) };
}
