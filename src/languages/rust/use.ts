import type { ImportRecord } from '../../model/records/symbol.ts';

type Draft = Omit<ImportRecord, 'line'>;
const MAX_DEPTH = 30;
/** The full path is recorded for each name, so the length of a prefix is limited. */
const MAX_PREFIX = 500;

/**
 * `use a::{b::C, d as e, f::*}` is one record for each module path; `extern crate x as y` and `mod x;` are one each.
 */
export function readRustUse(statement: string): Draft[] {
  const text = statement.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, '').replace(/\s+/g, ' ');
  const crate = /\bextern crate (\w+)(?: as (\w+))?/.exec(text);
  if (crate) return [{ source: crate[1]!, names: [], alias: crate[2] ?? crate[1]! }];
  const declared = /^(?:pub(?: ?\([^)]*\))? )?mod (?:r#)?(\w+) ?;$/.exec(text);
  if (declared) return [{ source: 'self', names: [{ name: declared[1]!, local: declared[1]! }], alias: '' }];
  const use = /\buse (.*?);?$/.exec(text);
  if (!use) return [];
  const byModule = new Map<string, { name: string; local: string }[]>();
  const plain: Draft[] = [];
  const add = (prefix: string, path: string, local: string): void => {
    const segments = [prefix, path].filter(Boolean).join('::').split('::').filter(Boolean);
    let name = segments.pop() ?? '';
    if (name === 'self' && segments.length > 0) name = segments.pop()!;
    const source = segments.join('::');
    if (!source) plain.push({ source: name, names: [], alias: local || name });
    else {
      const names = byModule.get(source) ?? [];
      byModule.set(source, names);
      names.push({ name, local: local || name });
    }
  };
  readTree(use[1]!.trim(), '', 0, add);
  return [...plain, ...[...byModule].map(([source, names]) => ({ source, names, alias: '' }))];
}

function readTree(
  tree: string,
  prefix: string,
  depth: number,
  add: (prefix: string, path: string, local: string) => void,
): void {
  if (depth > MAX_DEPTH || prefix.length > MAX_PREFIX) return;
  const brace = tree.indexOf('{');
  if (brace < 0) {
    const [path, local] = tree.split(/ as /);
    const clean = path!.replace(/\s+/g, '');
    if (clean) add(prefix, clean, local?.trim() ?? '');
    return;
  }
  const outer = [
    prefix,
    tree
      .slice(0, brace)
      .replace(/(?<![\s:])[\s:]+$/, '')
      .replace(/\s+/g, ''),
  ]
    .filter(Boolean)
    .join('::');
  const inner = tree.slice(brace + 1, tree.lastIndexOf('}') > brace ? tree.lastIndexOf('}') : undefined);
  for (const part of splitTop(inner)) readTree(part, outer, depth + 1, add);
}

function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < list.length; i++) {
    const c = list[i];
    if (c === '{') depth++;
    else if (c === '}') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(list.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(list.slice(start).trim());
  return parts.filter(Boolean);
}
