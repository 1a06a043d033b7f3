import type { ScannedContent } from '../language.ts';
import { addKeyTree, type KeyNode } from '../runtime/scanning/key-tree.ts';
import { commentAbove, cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

interface Dialect {
  readonly comment: RegExp;
  readonly key: RegExp;
  /** Triple-quoted strings and brackets may span lines. */
  readonly multiline: boolean;
}

const TOML: Dialect = {
  comment: /^\s*#+\s?/,
  key: /^\s*("[^"]+"|'[^']+'|[\w.-]+)\s*=/,
  multiline: true,
};
const INI: Dialect = {
  comment: /^\s*[#;!]+\s?/,
  key: /^([^\s=:[#;][^=:]*)[=:]/,
  multiline: false,
};

/** Scans TOML: tables, and the keys before the first. */
export function scanToml(lines: readonly string[]): ScannedContent {
  return scan(cutLines(lines), TOML);
}

/** Scans INI files, .properties, .editorconfig, systemd units. */
export function scanIni(lines: readonly string[]): ScannedContent {
  return scan(cutLines(lines), INI);
}

function scan(lines: readonly string[], dialect: Dialect): ScannedContent {
  const draft = new ScanDraft();
  const roots: KeyNode[] = [];
  let table: KeyNode | null = null;
  let quote = '';
  let depth = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (quote) {
      if (line.includes(quote)) quote = '';
      continue;
    }
    if (depth > 0) {
      depth += bracketsOf(line);
      continue;
    }
    const header = /^\s*\[\[?([^\]]+)\]\]?\s*(?:[#;].*)?$/.exec(line);
    if (header) {
      table = node(lines, i, header[1]!.trim().replace(/["']/g, ''), line, dialect);
      close(roots, lines, table.first - 1);
      roots.push(table);
      continue;
    }
    const pair = dialect.key.exec(line);
    if (!pair) continue;
    const entry = node(lines, i, pair[1]!.trimEnd().replace(/^(["'])(.*)\1$/, '$2'), line, dialect);
    if (table) {
      const before = table.children[table.children.length - 1];
      if (before) before.end = lastFilled(lines, before.start, entry.first - 1);
      table.children.push(entry);
    } else {
      close(roots, lines, entry.first - 1);
      roots.push(entry);
    }
    if (!dialect.multiline) continue;
    const value = line.slice(pair[0].length);
    const opened = /("""|''')/.exec(value);
    if (opened && value.indexOf(opened[1]!, opened.index + 3) < 0) quote = opened[1]!;
    else depth = Math.max(0, bracketsOf(value));
  }
  close(roots, lines, lines.length - 1);
  addKeyTree(draft, lines, roots);
  return draft.finish();
}

/** Ends the newest table or key and everything in it. */
function close(roots: readonly KeyNode[], lines: readonly string[], end: number): void {
  const root = roots[roots.length - 1];
  if (!root) return;
  root.end = lastFilled(lines, root.start, end);
  const child = root.children[root.children.length - 1];
  if (child) child.end = root.end;
}

function node(lines: readonly string[], i: number, name: string, line: string, dialect: Dialect): KeyNode {
  const { doc, first } = commentAbove(lines, i, dialect.comment);
  return { name, first, start: i, end: i, column: Math.max(0, line.indexOf(name)), doc, signature: line, children: [] };
}

function bracketsOf(text: string): number {
  let depth = 0;
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*$/, '');
  for (const c of bare) {
    if (c === '[' || c === '{') depth++;
    else if (c === ']' || c === '}') depth--;
  }
  return depth;
}
