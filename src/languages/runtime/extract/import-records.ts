/** Builds import records, from the text of a statement or from captures. */
import type { ImportRecord } from '../../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { Found } from './collect.ts';
import { nodeText, unquote } from './node-text.ts';

export function buildImports(found: Found, text: string, descriptor: LanguageDescriptor): ImportRecord[] {
  interface Draft {
    readonly start: number;
    readonly end: number;
    readonly line: number;
    source: string;
    alias: string;
    /** Keyed by offset, so that a name that two patterns capture counts once. */
    readonly names: Map<string, { at: number; text: string; local: boolean }>;
  }
  const drafts = new Map<number, Draft>();
  const statements = found.imports.filter((item) => item.node).sort((a, b) => a.node!.startIndex - b.node!.startIndex);
  let lastEnd = 0;
  for (const { node } of statements) {
    const start = node!.startIndex;
    // A statement inside of another is part of it: Lua `local x = require('x')`.
    if (start < lastEnd && !drafts.has(start)) continue;
    lastEnd = Math.max(lastEnd, node!.endIndex);
    if (!drafts.has(start))
      drafts.set(start, {
        start,
        end: node!.endIndex,
        line: node!.row + 1,
        source: '',
        alias: '',
        names: new Map(),
      });
  }
  const list = [...drafts.values()];
  if (descriptor.readImports) {
    const read = descriptor.readImports;
    return list.flatMap(({ start, end, line }) =>
      read(foldSpace(text.slice(start, end))).map((record) => ({ ...record, line })),
    );
  }
  for (const item of found.imports) {
    const at = (item.node ?? item.source ?? item.alias ?? item.names[0]!.node).startIndex;
    let draft = drafts.get(at);
    if (!item.node) draft = around(list, at);
    if (!draft) continue;
    if (item.source) draft.source = unquote(nodeText(item.source, text));
    if (item.alias) draft.alias = nodeText(item.alias, text);
    for (const { node, local } of item.names)
      draft.names.set(`${node.startIndex} ${local}`, {
        at: node.startIndex,
        text: unquote(nodeText(node, text)),
        local,
      });
  }
  return list
    .filter((draft) => draft.source || draft.names.size > 0)
    .map(({ source, alias, line, names }) => ({ source, names: pairNames([...names.values()]), alias, line }));
}

/**
 * Folds each run of white space into one character, a line break if it has one: patterns that read statements must not
 * take quadratic time on a run.
 */
export function foldSpace(statement: string): string {
  return statement.replace(/\s{2,}/g, (run) => (run.includes('\n') ? '\n' : ' '));
}

/** The statement that contains an offset, by binary search in disjoint statements. */
function around<T extends { readonly start: number; readonly end: number }>(
  list: readonly T[],
  at: number,
): T | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  const before = list[low - 1];
  return before && before.end > at ? before : undefined;
}

function pairNames(found: { at: number; text: string; local: boolean }[]): { name: string; local: string }[] {
  const names: { name: string; local: string }[] = [];
  for (const { text, local } of found.sort((a, b) => a.at - b.at)) {
    const last = names[names.length - 1];
    if (local && last) names[names.length - 1] = { name: last.name, local: text };
    else names.push({ name: text, local: text });
  }
  return names;
}
