/** A line or range as URLs write it: "12" or "12-20". */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export function parseLines(text: string): LineRange | null {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (first === undefined) return null;
  const [a, b] = [Number(first), Number(last ?? first)];
  return { first: Math.min(a, b), last: Math.max(a, b) };
}

export function formatLines({ first, last }: LineRange): string {
  return first === last ? String(first) : `${first}-${last}`;
}
