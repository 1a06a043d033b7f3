/** Lines as answers name them. */

export function parseLines(text: string): { first: number; last: number } | null {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return first === undefined ? null : { first: Number(first), last: Number(last ?? first) };
}

/**
 * The source of a symbol, where it begins, and how many of its lines the answer has left out. The comment above a symbol is part of its source
 * and not of its lines, so the beginning is counted from the end.
 */
export function cutSource(text: string, lastLine: number) {
  const [, code = text, left = '0'] = /^([\s\S]*)\n… (\d+) more lines$/.exec(text) ?? [];
  return { code, left: Number(left), startLine: lastLine - Number(left) - code.split('\n').length + 1 };
}
