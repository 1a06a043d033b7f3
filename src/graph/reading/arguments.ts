/** Reads the arguments of a call from its text, to choose between overloads, and the receiver before a name. */

import type { NameRules } from '../../languages/name-rules.ts';
import { splitTop, stringEnd } from '../../languages/runtime/reading/split.ts';
import type { Parameter } from './signature.ts';

export interface WrittenCall {
  readonly count: number;
  /** The text of each argument, without its label. */
  readonly values: readonly string[];
  readonly labels: readonly string[];
  /** A block or closure follows the brackets. */
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
  if (text[at] === ' ' && text[at + 1] === '{') return { count: 1, values: [''], labels: [''], trailing: true };
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
  const values = parts.map((part, i) =>
    labels[i] === '' ? part : part.slice(labels[i]!.length).replace(/^\s*[:=]\s*/, ''),
  );
  return { count: parts.length, values, labels, trailing: /^\s*\{/.test(text.slice(at + 1)) };
}

/** The parameters accept the number and the labels of the arguments. `piped`: a pipe adds one argument. */
export function acceptsCall(
  parameters: readonly Parameter[],
  call: WrittenCall,
  rules: NameRules,
  piped: boolean,
): boolean {
  const count = call.count + Number(call.trailing && rules.trailingBlock) + Number(piped);
  // Callers do not pass the receiver parameter (`self`).
  const accepted = rules.receiverParameter?.test(parameters[0]?.name ?? '') ? parameters.slice(1) : parameters;
  const minCount = accepted.filter(({ optional, variadic }) => !optional && !variadic).length;
  const maxCount = accepted.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : accepted.length;
  if (count > maxCount || (count < minCount && !(call.trailing && count + 1 >= minCount))) return false;
  if (!rules.argumentLabels) return true;
  // Labels come in the order of the parameters; arguments with a default value may be left out between them.
  let at = 0;
  for (const label of call.labels) {
    while (at < accepted.length && accepted[at]!.label !== label && (accepted[at]!.optional || accepted[at]!.variadic))
      at++;
    if (at >= accepted.length || accepted[at]!.label !== label) return false;
    if (!accepted[at]!.variadic) at++;
  }
  return true;
}

/** Lines before a name that are read for its receiver. */
const MAX_LINES_BEFORE = 60;

/** The receiver before a name, read backwards over brackets and names, also across lines. */
export function receiverBefore(lines: readonly string[], line: number, column: number): string {
  let text = (lines[line - 1] ?? '').slice(0, column - 1);
  for (let at = line - 2; at >= Math.max(0, line - MAX_LINES_BEFORE); at--) {
    const start = chainStart(text);
    if (start > 0 || !/^\s*(?:\?\.|\.|->|::|[)\]}])/.test(text)) return text.slice(Math.max(0, start)).trim();
    text = `${lines[at]!.replace(/\s*\/\/.*$/, '')} ${text.trim()}`;
  }
  return '';
}

/** The offset at which the chain at the end of a text begins; 0 where it may begin on an earlier line. */
function chainStart(text: string): number {
  let at = text.length - 1;
  while (at >= 0) {
    const c = text[at]!;
    if (c === ')' || c === ']' || c === '}') {
      let depth = 0;
      for (; at >= 0; at--) {
        if (')]}'.includes(text[at]!)) depth++;
        else if ('([{'.includes(text[at]!) && --depth === 0) break;
      }
      if (at < 0) return 0;
      at--;
    } else if (/[\w$.:?!>"']/.test(c) || (c === '-' && text[at + 1] === '>')) at--;
    else if (
      /\s/.test(c) &&
      (/^\s*(?:\?\.|\.|->)/.test(text.slice(at)) || /\b(?:new|await)\s*$/.test(text.slice(0, at + 1)))
    )
      at--;
    else return at + 1;
  }
  return 0;
}
