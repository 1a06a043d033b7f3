import type { ScannedContent } from '../language.ts';
import { addKeyTree, type KeyNode } from '../runtime/scanning/key-tree.ts';
import { fold, ScanDraft } from '../runtime/scanning/scan-draft.ts';

/** Elements of a top-level array are packed into sections of at least this many lines. */
const PACKED_LINES = 40;

/**
 * Scans JSON, also with comments and trailing commas: the keys of the first two levels, in one pass over the
 * characters.
 */
export function scanJson(lines: readonly string[]): ScannedContent {
  const draft = new ScanDraft();
  const roots: KeyNode[] = [];
  const brackets: string[] = [];
  let inComment = false;
  let packedFrom = -1;
  let key: { readonly name: string; readonly line: number; readonly column: number } | null = null;
  let last = 0;
  for (let row = 0; row < lines.length; row++) {
    const line = lines[row]!;
    for (let i = 0; i < line.length; i++) {
      if (inComment) {
        const close = line.indexOf('*/', i);
        if (close < 0) break;
        inComment = false;
        i = close + 1;
        continue;
      }
      const c = line[i]!;
      if (c === '"') {
        const close = closingQuote(line, i + 1);
        if (brackets.length <= 2 && brackets[brackets.length - 1] === '{') {
          key = { name: line.slice(i + 1, close), line: row, column: i + 1 };
        }
        i = close;
      } else if (c === '/' && line[i + 1] === '/') {
        break;
      } else if (c === '/' && line[i + 1] === '*') {
        inComment = true;
        i++;
      } else if (c === ':' && key) {
        const depth = brackets.length;
        const node = keyNode(key, line);
        if (depth === 1) roots.push(node);
        else if (brackets[0] === '{') roots[roots.length - 1]?.children.push(node);
        key = null;
      } else if (c === '{' || c === '[') {
        if (brackets.length === 1 && brackets[0] === '[' && packedFrom < 0) packedFrom = row;
        brackets.push(c);
      } else if (c === '}' || c === ']') {
        brackets.pop();
        key = null;
        if (brackets.length === 1 && brackets[0] === '[' && row - packedFrom + 1 >= PACKED_LINES) {
          draft.section([], packedFrom + 1, row + 1);
          packedFrom = -1;
        }
      }
      if (c > ' ') {
        last = row;
        // The start of a key does not extend the value before it.
        if (brackets.length > 0 && !(c === '"' && key)) touch(roots, brackets.length, row);
      }
    }
  }
  if (packedFrom >= 0) draft.section([], packedFrom + 1, last + 1);
  addKeyTree(draft, lines, roots);
  return draft.finish();
}

/** Extends the value of the newest key to this row. */
function touch(roots: readonly KeyNode[], depth: number, row: number): void {
  const root = roots[roots.length - 1];
  if (!root) return;
  root.end = row;
  const child = root.children[root.children.length - 1];
  if (child && depth >= 2) child.end = row;
}

function keyNode(
  key: { readonly name: string; readonly line: number; readonly column: number },
  line: string,
): KeyNode {
  return {
    name: key.name,
    first: key.line,
    start: key.line,
    end: key.line,
    column: key.column,
    doc: '',
    signature: fold(line.slice(key.column - 1, key.column + 400)).replace(/,$/, ''),
    children: [],
  };
}

function closingQuote(line: string, from: number): number {
  let i = from;
  while (i < line.length && line[i] !== '"') i += line[i] === '\\' ? 2 : 1;
  return Math.min(i, line.length);
}
