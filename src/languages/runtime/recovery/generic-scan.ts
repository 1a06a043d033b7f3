/**
 * Finds definitions in a language without a grammar, or where a parser gave up: one regular expression for each line,
 * ends by indentation.
 */

import type { SymbolKind, SymbolRecord } from '../../../model/records/symbol.ts';
import { pattern } from '../../../model/text/pattern.ts';
import { readTypedHead } from './typed-head.ts';

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
  '(?:export|default|public|private|protected|internal|pub(?:\\([^)]*\\))?|static|final|abstract|async|open|' +
  'override|virtual|inline|extern|unsafe|const|sealed|data|local|partial|typedef|cdef|cpdef)';
const WORDS = Object.keys(KINDS)
  .sort((a, b) => b.length - a.length)
  .join('|');
/** Modifiers, a keyword, a receiver as in Go, the name. */
const DEFINITION = new RegExp(
  `^(\\s*)\\(?(?:${MODIFIER}\\s+){0,5}(${WORDS})\\s+(?:\\([^()]{1,80}\\)\\s*)?([A-Za-z_$][\\w$.:]*[?!]?)`,
);
/** A shell function: `name() {`. Other languages hardly ever write this. */
const BARE = /^(\s*)([A-Za-z_][\w:.-]*)\s*\(\s*\)\s*\{/;
const MAX_LINE = 2000;
const MAX_SYMBOLS = 5000;
const MAX_SIGNATURE = 400;
/** Maximum lines of a parameter list. */
const MAX_HEAD = 20;
/** Definitions before and after the current one that are compared with its indentation. */
const MAX_LOOK = 200;
/** Text after a name in code; it is rare in prose and in declarations of variables (`struct point p`). */
const AFTER_CALLABLE = /^\s*(?:$|[({<[:=;,]|\/[/*]|#|(?:do|begin|is|returns?|where|when|throws|as)\b)/;
const AFTER_TYPE = pattern()`
  ^\s*(?:$|[({<[:=;,]|\/[/*]|#|(?:extends|implements|inherits|where|is|as|do|with|struct|interface|enum|int|string
  |func)\b)
`;
const STATEMENTS = new Set(['if', 'for', 'while', 'switch', 'catch', 'else', 'do', 'try', 'loop']);
const NOT_NAMES = new Set(
  (
    'a an and are as be by can class enum struct union for from has have if in is it not of on or that the this to ' +
    'was we which will with you'
  ).split(' '),
);

export interface ScanOptions {
  /** 1 if absent. */
  readonly fromLine?: number;
  /** Functions of the language begin with a type instead of a keyword. */
  readonly typedHeads?: boolean;
}

export function scanDefinitions(text: string, { fromLine = 1, typedHeads = false }: ScanOptions = {}): SymbolRecord[] {
  const lines = text.split('\n');
  const found: Definition[] = [];
  for (let i = fromLine - 1; i < lines.length && found.length < MAX_SYMBOLS; i++) {
    const definition = readLine(lines[i]!, i + 1);
    if (definition) found.push({ ...definition, signature: wholeHead(definition.signature, lines, i) });
    else if (typedHeads) {
      const head = lines[i]!.length > MAX_LINE ? null : readTypedHead(lines, i);
      if (head && !(head.isPrototype && isInFunction(found, head.indent)))
        found.push({ ...head, kind: 'function', line: i + 1, column: head.column + 1 });
    }
  }
  return withParentsAndEnds(found, lines);
}

/** A definition that is indented deeper than the function before it belongs to that function. */
function isInFunction(found: readonly Definition[], indent: number): boolean {
  for (let i = found.length - 1; i >= 0 && i > found.length - MAX_LOOK; i--)
    if (found[i]!.indent < indent) return found[i]!.kind === 'function';
  return false;
}

interface Definition {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly line: number;
  readonly indent: number;
  readonly column: number;
  readonly signature: string;
  readonly receiver?: string;
}

function readLine(line: string, number: number): Definition | null {
  if (line.length > MAX_LINE) return null;
  const match = DEFINITION.exec(line);
  if (!match) return readBare(line, number);
  const [whole, indent, word, rawName] = match;
  const kind = KINDS[word!]!;
  const name = rawName!.replace(/[.:]+$/, '');
  const after = line.slice(whole.length - (rawName!.length - name.length)).replace(/\r$/, '');
  if (NOT_NAMES.has(name) || !(kind === 'function' ? AFTER_CALLABLE : AFTER_TYPE).test(after)) return null;
  return {
    name,
    kind,
    line: number,
    indent: indent!.length,
    column: whole.length - rawName!.length + 1,
    signature: line
      .trim()
      .replace(/\s*\{$/, '')
      .slice(0, MAX_SIGNATURE),
  };
}

function readBare(line: string, number: number): Definition | null {
  const match = BARE.exec(line);
  if (!match || STATEMENTS.has(match[2]!)) return null;
  const [, indent, name] = match;
  const signature = line.slice(indent!.length, line.indexOf('{')).trim();
  return { name: name!, kind: 'function', line: number, indent: indent!.length, column: indent!.length + 1, signature };
}

/** The head with the lines up to the end of the parameters. */
function wholeHead(first: string, lines: readonly string[], at: number): string {
  let head = first;
  let open = parens(head);
  for (let i = at + 1; open > 0 && i < lines.length && i <= at + MAX_HEAD; i++) {
    const line = lines[i]!.trim();
    open += parens(line);
    head += ` ${line}`;
  }
  return open > 0 ? first : head.replace(/\s*\{$/, '').slice(0, MAX_SIGNATURE);
}

function parens(line: string): number {
  let net = 0;
  for (const c of line) net += c === '(' ? 1 : c === ')' ? -1 : 0;
  return net;
}

function withParentsAndEnds(found: readonly Definition[], lines: readonly string[]): SymbolRecord[] {
  const open: { index: number; indent: number }[] = [];
  return found.map(({ name, kind, line, indent, column, signature, receiver }, index) => {
    while (open.length > 0 && open[open.length - 1]!.indent >= indent) open.pop();
    const parent = open.length > 0 ? open[open.length - 1]!.index : -1;
    open.push({ index, indent });
    const next =
      found.slice(index + 1, index + MAX_LOOK).find((other) => other.indent <= indent)?.line ?? lines.length + 1;
    let endLine = next - 1;
    while (endLine > line && lines[endLine - 1]!.trim() === '') endLine--;
    const ownName = receiver ? `${receiver}::${name}` : name;
    return {
      name,
      kind,
      parent,
      qualifiedName: parent >= 0 ? `${found[parent]!.name}.${ownName}` : ownName,
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
