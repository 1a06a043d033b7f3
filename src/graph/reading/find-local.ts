/**
 * Finds the declaration of a local name: the nearest one above a line inside of its function, read as text. The result
 * has its declared type or initial value as text. A declaration with neither hides outer symbols of the name, too.
 */
import type { NameRules } from '../../languages/name-rules.ts';
import { cutValue, type Declared, type ReadDeclared } from '../../languages/runtime/reading/declared.ts';

export interface LocalValue extends Omit<Declared, 'inner'> {
  readonly line: number;
}

/**
 * Searches from `line` (1-based) up to `first`. Indentation delimits blocks: in a language with block scopes, a
 * declaration that is indented deeper than a line between it and `line` is no longer visible.
 */
export function findLocal(
  lines: readonly string[],
  first: number,
  line: number,
  column: number,
  name: string,
  rules: NameRules,
): LocalValue | null {
  const { readDeclared: read, blockLocals: blocks, variableSign: sign } = rules;
  let minDepth = Number.POSITIVE_INFINITY;
  for (let at = Math.min(line, lines.length); at >= Math.max(1, first); at--) {
    const text = lines[at - 1]!;
    const depth = blocks ? indentOf(text) : 0;
    if (blocks && (depth < 0 || depth > minDepth)) continue;
    if (text.includes(name)) {
      const end = at === line ? column - 1 : text.length;
      const found = findOnLine(text, end, sign + name, (before, after) => read(before + sign, after));
      // A name that a block head declares (a loop variable) is visible only while that block is open.
      const isOpen = at === line || !found?.inner || !blocks || depth < minDepth || /=>\s*$/.test(text);
      if (found && isOpen) return { ...withWholeValue(found, lines, at), line: at };
    }
    if (depth < minDepth) minDepth = depth;
  }
  return null;
}

/** A declaration on one line is visible on another: no line between them is indented less. */
export function isVisibleAt(lines: readonly string[], declared: number, line: number): boolean {
  const depth = indentOf(lines[declared - 1] ?? '');
  if (depth <= 0) return true;
  for (let at = Math.min(declared, line) + 1; at < Math.max(declared, line); at++) {
    const other = indentOf(lines[at - 1]!);
    if (other >= 0 && other < depth) return false;
  }
  const lineDepth = indentOf(lines[line - 1] ?? '');
  return lineDepth < 0 || lineDepth >= depth;
}

/** Width of the white space before a line's text, -1 for a blank line; tabs count as one. */
export function indentOf(text: string): number {
  let i = 0;
  while (i < text.length && (text[i] === ' ' || text[i] === '\t')) i++;
  return i === text.length || text[i] === '\r' ? -1 : i;
}

/**
 * Characters around a name that are read for a declaration, and occurrences on a line that are tried. The patterns that
 * read declarations may take quadratic time.
 */
const MAX_BEFORE = 400;
const MAX_AFTER = 1000;
const MAX_PLACES = 50;

function findOnLine(text: string, end: number, name: string, read: ReadDeclared): Declared | null {
  let result: Declared | null = null;
  let places = 0;
  for (let at = text.indexOf(name); at >= 0 && at < end; at = text.indexOf(name, at + 1)) {
    if (isWord(text[at - 1]) || isWord(text[at + name.length])) continue;
    if (++places > MAX_PLACES) break;
    const after = at + name.length;
    const found = read(text.slice(Math.max(0, at - MAX_BEFORE), at), text.slice(after, after + MAX_AFTER));
    // The last declaration on the line is the one that is visible behind it.
    if (found) result = found;
  }
  return result;
}

function isWord(c: string | undefined): boolean {
  return c !== undefined && /[\w$]/.test(c);
}

const MAX_VALUE_LINES = 24;

/**
 * Adds the following lines to an initial value that ends with `=` or an open bracket, or whose next line is `.call()`.
 */
function withWholeValue(found: Declared, lines: readonly string[], line: number): Declared {
  if (found.type !== '' || found.element) return found;
  const assigned = found.value === '' && /(?:[^=!<>]=|:=)\s*$/.test(lines[line - 1]!);
  if (found.value === '' && !assigned) return found;
  let value = found.value;
  for (let next = line; next < Math.min(lines.length, line + MAX_VALUE_LINES); next++) {
    const text = lines[next]!.trim();
    const continues = value === '' || bracketDepth(value) > 0 || /^(?:\?\.|\.|->|::)\w/.test(text);
    if (!continues) break;
    value += ` ${text}`;
    if (text === '' && bracketDepth(value) <= 0) break;
  }
  return value === found.value ? found : { ...found, value: cutValue(value) };
}

function bracketDepth(text: string): number {
  let depth = 0;
  for (const c of text) {
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
  }
  return depth;
}
