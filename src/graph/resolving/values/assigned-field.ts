/** Finds fields that an assignment declares: `self.auth = Auth()` in Python, `this.auth = …`, `@auth = …`. */
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import type { Scope } from '../names/lookup.ts';

export interface AssignedField {
  readonly type: string;
  readonly value: string;
  /** The place of the assignment, from which names in the value are looked up. */
  readonly scope: Scope;
}

/** The first assignment in the type's lines that says a type or value; null where there is none. */
export function assignedField(tree: GraphTree, type: SymbolPlace, name: string): AssignedField | null {
  const prefix = tree.rules(type.file).fieldPrefix;
  if (!prefix || !/^\w+$/.test(name)) return null;
  const { symbols } = tree.table(type.file);
  const { startLine, endLine } = symbols[type.ordinal]!;
  const lines = tree.lines(type.file);
  const pattern = new RegExp(`(?:^|[\\s;{(])${prefix}${name}\\s*(?::\\s*([^=]+?))?\\s*(?:\\|\\|)?=(?![=~>])\\s*(.*)$`);
  for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
    const text = lines[line - 1]!;
    if (!text.includes(name)) continue;
    const match = pattern.exec(text);
    if (!match || /^(?:None|null|nil|undefined|\[\]|\{\}|false|true|0)\b/.test(match[2]!)) {
      if (match?.[1]) return { type: match[1], value: '', scope: scopeAt(tree, type.file, line) };
      continue;
    }
    return { type: match[1] ?? '', value: match[2]!.replace(/;\s*$/, ''), scope: scopeAt(tree, type.file, line) };
  }
  return null;
}

function scopeAt(tree: GraphTree, file: number, line: number): Scope {
  return { file, from: tree.symbolAt(file, line), line, column: 1 };
}
