/** Renders a hit's code for a terminal: the best lines, numbered, coloured, with the query's words emphasised. */
import { highlight, type Token } from '../../model/highlight/highlight.ts';
import { bestWindow } from '../../model/text/excerpt.ts';
import { matchRanges, type Range } from '../../model/text/query-matches.ts';
import type { Style } from './style.ts';
import { clip, padStart, printable } from './terminal-text.ts';
import { plural } from './units.ts';

export interface SnippetOptions {
  readonly language: string;
  /** Null if the text is composed from a file rather than cut from it: its lines have no numbers. */
  readonly startLine: number | null;
  readonly terms: ReadonlySet<string>;
  readonly maxLines: number;
  readonly columns: number;
  readonly style: Style;
  readonly indent: string;
}

export function renderSnippet(content: string, options: SnippetOptions): string[] {
  const { style, indent, maxLines } = options;
  if (maxLines === 0) return [];
  const code = printable(content).replace(/\n+$/, '');
  const plain = code.split('\n');
  const tokens = style.enabled ? highlight(code, options.language) : null;
  const from = bestWindow(plain, options.terms, maxLines);
  const to = Math.min(plain.length, from + maxLines);
  const { startLine } = options;
  const digits = startLine === null ? 0 : String(startLine + to - 1).length;
  const gutter = (i: number) => (startLine === null ? '' : style.grey(`${padStart(String(startLine + i), digits)} `));
  const room = Math.max(20, options.columns - indent.length - (digits === 0 ? 0 : digits + 1) - 2);
  const lines: string[] = [];
  for (let i = from; i < to; i++) {
    const text = clip(plain[i]!, room);
    const painted = tokens
      ? paintLine(cutTokens(tokens[i] ?? [], text), matchRanges(text, options.terms), style)
      : text;
    lines.push(`${indent}${gutter(i)}${style.grey('│')} ${painted}`.trimEnd());
  }
  const hidden = plain.length - (to - from);
  if (hidden > 0)
    lines.push(
      `${indent}${' '.repeat(digits === 0 ? 0 : digits + 1)}${style.grey(`… ${plural(hidden, 'more line')}`)}`,
    );
  return lines;
}

/** Cuts the tokens of a line to the part that `clip` kept. */
function cutTokens(tokens: readonly Token[], text: string): Token[] {
  const cut: Token[] = [];
  let left = text.length;
  for (const token of tokens) {
    if (left <= 0) break;
    cut.push({ kind: token.kind, text: token.text.slice(0, left) });
    left -= token.text.length;
  }
  return text.endsWith('…') && cut.length > 0
    ? [...cut.slice(0, -1), { kind: cut.at(-1)!.kind, text: `${cut.at(-1)!.text.slice(0, -1)}…` }]
    : cut;
}

function paintLine(tokens: readonly Token[], ranges: readonly Range[], style: Style): string {
  let painted = '';
  let at = 0;
  for (const token of tokens) {
    let done = 0;
    for (const range of ranges) {
      const start = Math.max(range.start - at, done);
      const end = Math.min(range.end - at, token.text.length);
      if (start >= end) continue;
      painted += paintToken(token.kind, token.text.slice(done, start), style);
      painted += style.bold(style.underline(paintToken(token.kind, token.text.slice(start, end), style)));
      done = end;
    }
    painted += paintToken(token.kind, token.text.slice(done), style);
    at += token.text.length;
  }
  return painted;
}

function paintToken(kind: Token['kind'], text: string, style: Style): string {
  switch (kind) {
    case 'comment':
      return style.grey(text);
    case 'string':
      return style.green(text);
    case 'number':
      return style.cyan(text);
    case 'keyword':
      return style.magenta(text);
    case 'type':
      return style.yellow(text);
    case 'call':
      return style.blue(text);
    default:
      return text;
  }
}
