/** How a call is written, to tell overloads apart: how many arguments, and under which labels. */
import type { Parameter } from './signature.ts';
import { splitTop, stringEnd } from './split.ts';

export interface WrittenCall {
  readonly count: number;
  readonly labels: readonly string[];
  /** A block or closure stands behind the brackets. */
  readonly trailing: boolean;
}

const MAX_LINES = 30;

/** The call whose name ends at a column (1-based) of a line; null where no list of arguments follows. */
export function readCall(lines: readonly string[], line: number, column: number, name: string): WrittenCall | null {
  const first = lines[line - 1];
  if (first === undefined) return null;
  let text = first.slice(column - 1 + name.length);
  for (let next = line; next < Math.min(lines.length, line + MAX_LINES); next++) {
    const read = readArguments(text);
    if (read !== 'open') return read;
    text += `\n${lines[next]!}`;
  }
  return null;
}

function readArguments(text: string): WrittenCall | null | 'open' {
  let at = /^(?:\s*(?:::)?<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>|\[[^\]()]*\])?[?!]?/.exec(text)![0].length;
  if (text[at] === ' ' && text[at + 1] === '{') return { count: 1, labels: [''], trailing: true };
  if (text[at] !== '(') return null;
  const open = at;
  let depth = 0;
  for (; at < text.length; at++) {
    const c = text[at]!;
    if (c === '"' || c === "'" || c === '`') at = stringEnd(text, at);
    else if (c === '(' || c === '[' || c === '{') depth++;
    else if ((c === ')' || c === ']' || c === '}') && --depth === 0) break;
  }
  if (at >= text.length) return 'open';
  const parts = splitTop(text.slice(open + 1, at), ',').filter((part) => part !== '');
  const labels = parts.map((part) => /^(\w+)\s*[:=](?![:=])/.exec(part)?.[1] ?? '');
  return { count: parts.length, labels, trailing: /^\s*\{/.test(text.slice(at + 1)) };
}

/** May these parameters take that call? */
export function takes(parameters: readonly Parameter[], call: WrittenCall, language: string, piped: boolean): boolean {
  const given =
    call.count +
    (call.trailing && (language === 'swift' || language === 'kotlin' || language === 'scala') ? 1 : 0) +
    (piped ? 1 : 0);
  const own =
    language === 'python' && /^(?:self|cls)$/.test(parameters[0]?.name ?? '') ? parameters.slice(1) : parameters;
  const least = own.filter(({ optional, variadic }) => !optional && !variadic).length;
  const most = own.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : own.length;
  if (given > most || (given < least && !(call.trailing && given + 1 >= least))) return false;
  if (language !== 'swift') return true;
  // Labels come in the order of the parameters; defaults may be left out between them.
  let at = 0;
  for (const label of call.labels) {
    while (at < own.length && own[at]!.label !== label && (own[at]!.optional || own[at]!.variadic)) at++;
    if (at >= own.length || own[at]!.label !== label) return false;
    if (!own[at]!.variadic) at++;
  }
  return true;
}
