/** Definitions in a language without a grammar, or where a parser gave up: one regular expression per line, ends by indentation. */
import type { SymbolKind, SymbolRecord } from '../model/symbol.ts';

const KINDS: Readonly<Record<string, SymbolKind>> = {
  function: 'function',
  func: 'function',
  fun: 'function',
  fn: 'function',
  def: 'function',
  defp: 'function',
  sub: 'function',
  proc: 'function',
  procedure: 'function',
  subroutine: 'function',
  defun: 'function',
  defn: 'function',
  class: 'class',
  struct: 'struct',
  record: 'struct',
  interface: 'interface',
  protocol: 'protocol',
  trait: 'trait',
  enum: 'enum',
  type: 'type',
  typedef: 'type',
  module: 'module',
  namespace: 'module',
  package: 'module',
  defmodule: 'module',
  object: 'class',
  contract: 'class',
  library: 'module',
  macro: 'macro',
  defmacro: 'macro',
  'macro_rules!': 'macro',
  extension: 'extension',
};
const MODIFIER =
  '(?:export|default|public|private|protected|internal|pub(?:\\([^)]*\\))?|static|final|abstract|async|open|override|virtual|inline|extern|unsafe|const|sealed|data|local|partial)';
const DEFINITION = new RegExp(
  `^(\\s*)\\(?(?:${MODIFIER}\\s+){0,5}(${Object.keys(KINDS)
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace('!', '!'))
    .join('|')})\\s+([A-Za-z_$][\\w$.:]*[?!]?)`,
);
const MAX_LINE = 2000;
const MAX_SYMBOLS = 5000;

export function scanDefinitions(text: string, fromLine = 1): SymbolRecord[] {
  const lines = text.split('\n');
  const found: { name: string; kind: SymbolKind; line: number; indent: number; column: number; signature: string }[] =
    [];
  for (let i = fromLine - 1; i < lines.length && found.length < MAX_SYMBOLS; i++) {
    const line = lines[i]!;
    if (line.length > MAX_LINE) continue;
    const match = DEFINITION.exec(line);
    if (!match) continue;
    const [whole, indent, word, name] = match;
    found.push({
      name: name!.replace(/[.:]+$/, ''),
      kind: KINDS[word!]!,
      line: i + 1,
      indent: indent!.length,
      column: whole.length - name!.length + 1,
      signature: line
        .trim()
        .replace(/\s*\{$/, '')
        .slice(0, 400),
    });
  }
  const open: { index: number; indent: number }[] = [];
  return found.map(({ name, kind, line, indent, column, signature }, index) => {
    while (open.length > 0 && open[open.length - 1]!.indent >= indent) open.pop();
    const parent = open.length > 0 ? open[open.length - 1]!.index : -1;
    open.push({ index, indent });
    const next = found.slice(index + 1, index + 200).find((other) => other.indent <= indent)?.line ?? lines.length + 1;
    let endLine = next - 1;
    while (endLine > line && lines[endLine - 1]!.trim() === '') endLine--;
    return {
      name,
      kind,
      parent,
      qualifiedName: parent >= 0 ? `${found[parent]!.name}.${name}` : name,
      signature,
      doc: '',
      visibility: 'public',
      fullStartLine: line,
      startLine: line,
      endLine,
      nameLine: line,
      nameColumn: column,
    };
  });
}
