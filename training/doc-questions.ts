/**
 * Questions made of documentation: the first sentence of a function's comment is asked of a tree in which that comment
 * is blanked out, and the function answers. Some comments of each file are taken, so that most of them stay where they
 * are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SymbolRecord } from '../src/model/records/symbol.ts';

export interface DocQuestion {
  readonly path: string;
  readonly symbol: string;
  readonly query: string;
}

const CALLABLE = new Set(['function', 'method']);
const FEWEST_WORDS = 5;
const MOST_WORDS = 30;

/** The sentence without a name at its beginning; null if the rest is too short. */
export function questionOf({ doc, name, kind }: SymbolRecord): string | null {
  if (!CALLABLE.has(kind)) return null;
  const [sentence = ''] = doc.trim().split(/(?<=[^A-Z\d])\.(?:\s|$)|\n\s*\n|\n\s*[@:]/);
  const text = sentence
    .replace(/<[^>]+>|\{@\w+ ([^}]*)\}|[`*]/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(new RegExp(`^${name.replace(/[^\w]/g, '\\$&')}(?:\\(\\))?\\s+(?:is|are|will)?\\s*`, 'i'), '')
    .trim();
  const words = text.split(' ').length;
  const saysName = name.length > 3 && text.includes(name);
  return words >= FEWEST_WORDS && words <= MOST_WORDS && !saysName && /^[\x20-\x7e]+$/.test(text) ? text : null;
}

/** Replaces the comment with blank lines; false if it cannot be separated from the code. */
export function hideDoc(root: string, path: string, symbol: SymbolRecord): boolean {
  const file = join(root, path);
  const lines = readFileSync(file, 'utf8').split('\n');
  if (symbol.fullStartLine < symbol.startLine) {
    for (let line = symbol.fullStartLine; line < symbol.startLine; line++)
      if (
        /^\s*(?:\/\/|\/\*|\*|#(?!\[)|--|@doc|"""|'''|%|;)/.test(lines[line - 1]!) ||
        isInsideComment(lines, symbol, line)
      )
        lines[line - 1] = '';
  } else if (!blankDocString(lines, symbol)) return false;
  writeFileSync(file, lines.join('\n'));
  return true;
}

/** Whether a line is inside a block comment. */
function isInsideComment(lines: readonly string[], symbol: SymbolRecord, line: number): boolean {
  const before = lines.slice(symbol.fullStartLine - 1, line).join('\n');
  const opened = before.lastIndexOf('/*');
  return opened >= 0 && before.indexOf('*/', opened) < 0;
}

/** Blanks a docstring after the head of a definition; false if there is none. */
function blankDocString(lines: string[], symbol: SymbolRecord): boolean {
  for (let line = symbol.startLine; line <= Math.min(symbol.endLine, symbol.startLine + 15); line++) {
    const quote = /^\s*[rRuU]?("""|''')/.exec(lines[line - 1]!)?.[1];
    if (!quote) continue;
    let end = line;
    const rest = lines[line - 1]!.slice(lines[line - 1]!.indexOf(quote) + 3);
    if (!rest.includes(quote))
      do end++;
      while (end <= symbol.endLine && !lines[end - 1]!.includes(quote));
    for (let at = line; at <= end; at++) lines[at - 1] = '';
    return true;
  }
  return false;
}
