/** A Lua file gives a table: the one that it returns, with what that table falls back on. */
import type { GraphTree } from '../graph-tree.ts';

export interface LuaModule {
  /** Name of the returned table in its own file, '' where it returns something else. */
  readonly table: string;
  /** Files whose tables it falls back on. */
  readonly parents: readonly number[];
}

const KNOWN = new WeakMap<GraphTree, Map<number, LuaModule>>();

export function luaModule(tree: GraphTree, file: number): LuaModule {
  let known = KNOWN.get(tree);
  if (!known) {
    known = new Map();
    KNOWN.set(tree, known);
  }
  let module = known.get(file);
  if (!module) {
    module = readModule(tree, file);
    known.set(file, module);
  }
  return module;
}

function readModule(tree: GraphTree, file: number): LuaModule {
  const text = tree.lines(file).join('\n');
  const table = /^return\s+(\w+)\s*$/m.exec(text.slice(text.lastIndexOf('\nreturn ') + 1))?.[1] ?? '';
  const imports = tree.table(file).imports;
  const resolved = tree.importsOf(file);
  const parents: number[] = [];
  for (const [, source, name] of text.matchAll(/__index\s*=\s*(?:require\s*\(?\s*["']([^"']+)["']\s*\)?|(\w+)\b)/g)) {
    const at = imports.findIndex((record) => (source ? record.source === source : record.alias === name));
    if (at >= 0) parents.push(...resolved[at]!.files);
  }
  return { table, parents };
}
