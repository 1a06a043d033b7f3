/**
 * Text for a terminal: widths, clipping, padding, and hidden characters spelled out so that no file name or source can
 * control the terminal.
 */
import { revealHidden } from '../../model/untrusted/visible-text.ts';

/** Escape sequences of the style functions; content has none after `printable`. */
const PAINT = /\u001b\[\d+m/g;

/** Spells out control, direction-changing and other hidden characters; tabs become spaces, line breaks stay. */
export function printable(text: string): string {
  // A single carriage return would overwrite the line.
  return revealHidden(text.replace(/\r\n/g, '\n').replace(/\t/g, '    ')).replace(/\r/g, '<U+000D>');
}

/** For text that must stay on one line, such as a path. */
export function printableLine(text: string): string {
  return printable(text).replace(/\n/g, '\\n');
}

/** The width of the text in cells, without colours. */
export function cellWidth(text: string): number {
  let width = 0;
  for (const char of text.replace(PAINT, '')) width += charWidth(char.codePointAt(0)!);
  return width;
}

function charWidth(code: number): number {
  if (code < 0x300) return 1;
  if ((code >= 0x300 && code <= 0x36f) || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)) return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** Clips text without colours to `width` cells, with an ellipsis if something is cut. */
export function clip(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const char of text) {
    const cells = charWidth(char.codePointAt(0)!);
    if (used + cells > width - 1) break;
    kept += char;
    used += cells;
  }
  return `${kept}…`;
}

/** As clip(), but keeps the end, where paths differ. */
export function clipStart(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  const reversed = [...text].reverse().join('');
  return [...clip(reversed, width)].reverse().join('');
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cellWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - cellWidth(text))) + text;
}

/** Formats rows as lines with aligned columns; the last column is not padded. `right` lists right-aligned columns. */
export function alignRows(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cellWidth(cell));
    });
  return rows.map((row) =>
    row
      .map((cell, i) => {
        if (right.includes(i)) return padStart(cell, widths[i]!);
        return i === row.length - 1 ? cell : padEnd(cell, widths[i]!);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Wraps text without colours at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && cellWidth(line) + 1 + cellWidth(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}
