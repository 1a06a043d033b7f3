/**
 * What a local name stands for at a line: the nearest declaration above it inside its function, read as text. Types and
 * first values are kept as they are written; a name that is declared without saying what it is stays opaque, and hides
 * whatever is called like it outside.
 */
import type { NameRules } from '../../languages/name-rules.ts';
import { cutValue, type Declared, type ReadDeclared } from '../../languages/runtime/reading/declared.ts';

export interface LocalValue extends Omit<Declared, 'inner'> {
  readonly line: number;
}

/**
 * Lines are 1-based; the declaration is searched from `line` up to `first`. Indentation delimits blocks: what
 * is declared deeper than a line in between has gone out of force, where blocks end what they declare.
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
  let least = Number.POSITIVE_INFINITY;
  for (let at = Math.min(line, lines.length); at >= Math.max(1, first); at--) {
    const text = lines[at - 1]!;
    const depth = blocks ? indentOf(text) : 0;
    if (blocks && (depth < 0 || depth > least)) continue;
    if (text.includes(name)) {
      const end = at === line ? column - 1 : text.length;
      const found = findOnLine(text, end, sign + name, (before, after) => read(before + sign, after));
      const isOpen = at === line || !found?.inner || !blocks || depth < least || /=>\s*$/.test(text);
      if (found && isOpen) return { ...complete(found, lines, at), line: at };
    }
    if (depth < least) least = depth;
  }
  return null;
}

/** Is what a line declares still in force at another line? */
export function inForce(lines: readonly string[], declared: number, line: number): boolean {
  const depth = indentOf(lines[declared - 1] ?? '');
  if (depth <= 0) return true;
  for (let at = Math.min(declared, line) + 1; at < Math.max(declared, line); at++) {
    const other = indentOf(lines[at - 1]!);
    if (other >= 0 && other < depth) return false;
  }
  const own = indentOf(lines[line - 1] ?? '');
  return own < 0 || own >= depth;
}

/** Width of the white space before a line's text, -1 for a blank line; tabs count as one. */
export function indentOf(text: string): number {
  let i = 0;
  while (i < text.length && (text[i] === ' ' || text[i] === '\t')) i++;
  return i === text.length || text[i] === '\r' ? -1 : i;
}

/**
 * How far around a name a declaration is read, and how many places of a line are tried: the patterns of readers may
 * cost the square of it.
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
    // Of two on one line the later one is meant.
    if (found) result = found;
  }
  return result;
}

function isWord(c: string | undefined): boolean {
  return c !== undefined && /[\w$]/.test(c);
}

const MAX_VALUE_LINES = 24;

/**
 * Values often go on: after an opening bracket or the sign of assignment itself, and with calls that begin the next
 * line.
 */
function complete(found: Declared, lines: readonly string[], line: number): Declared {
  if (found.type !== '' || found.element) return found;
  const assigned = found.value === '' && /(?:[^=!<>]=|:=)\s*$/.test(lines[line - 1]!);
  if (found.value === '' && !assigned) return found;
  let value = found.value;
  for (let next = line; next < Math.min(lines.length, line + MAX_VALUE_LINES); next++) {
    const text = lines[next]!.trim();
    const goesOn = value === '' || open(value) > 0 || /^(?:\?\.|\.|->|::)\w/.test(text);
    if (!goesOn) break;
    value += ` ${text}`;
    if (text === '' && open(value) <= 0) break;
  }
  return value === found.value ? found : { ...found, value: cutValue(value) };
}

function open(text: string): number {
  let depth = 0;
  for (const c of text) {
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
  }
  return depth;
}
