/** The lines `startLine` to `endLine` of a text, counted from 1, without the end of the last line. */
export function linesOf(text: string, startLine: number, endLine: number): string {
  let start = 0;
  for (let line = 1; line < startLine; line++) {
    const next = text.indexOf('\n', start);
    if (next < 0) return '';
    start = next + 1;
  }
  let end = start;
  for (let line = startLine; line <= endLine; line++) {
    const next = text.indexOf('\n', end);
    if (next < 0) return text.slice(start).replace(/\r?\n$/, '');
    end = next + 1;
  }
  return text.slice(start, end - 1).replace(/\r$/, '');
}
