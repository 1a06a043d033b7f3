/**
 * Matches one file or folder name against `*`, `?`, `[…]` and backslash escapes, and the names of a path against such
 * patterns with `**` between them. Both matchers resume at the last star only, so the work is at most the product of
 * both lengths. A matcher that backtracks further could be stalled by a pattern of a repository.
 */
export type NameMatcher = (name: string) => boolean;
export type Segment = NameMatcher | typeof ANY_DEPTH;
/** `**`: any number of names, including none. */
export const ANY_DEPTH = Symbol('any depth');

/** Counts comparisons of characters and names. After `max` comparisons nothing matches. */
export interface MatchBudget {
  steps: number;
  readonly max: number;
}

const NO_LIMIT: MatchBudget = { steps: 0, max: Number.POSITIVE_INFINITY };

/** Whether the pattern matches all of the names. */
export function matchSegments(pattern: readonly Segment[], names: readonly string[], budget = NO_LIMIT): boolean {
  let p = 0;
  let n = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (n < names.length) {
    if (++budget.steps > budget.max) return false;
    const segment = pattern[p];
    if (segment === ANY_DEPTH) {
      if (p === pattern.length - 1) return true;
      starAt = p++;
      resumeAt = n;
    } else if (segment?.(names[n]!)) {
      p++;
      n++;
    } else if (starAt >= 0) {
      p = starAt + 1;
      n = ++resumeAt;
    } else return false;
  }
  while (pattern[p] === ANY_DEPTH) p++;
  return p === pattern.length;
}

export type Token = string | { readonly accepts: (char: string) => boolean } | typeof STAR;
const STAR = Symbol('star');
const ANY_CHAR = { accepts: () => true };

/** Null if a bracket or an escape never ends. */
export function compileName(pattern: string, budget = NO_LIMIT): NameMatcher | null {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  if (/^\*[^*?[\\]*$/.test(pattern)) return (name) => name.endsWith(pattern.slice(1));
  const tokens = tokenizeName(pattern);
  return tokens && ((name) => matchTokens(tokens, name, budget));
}

export function tokenizeName(pattern: string): Token[] | null {
  const chars = [...pattern];
  const tokens: Token[] = [];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    if (char === '*') {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (char === '?') tokens.push(ANY_CHAR);
    else if (char === '\\') {
      // A lone backslash at the end matches nothing.
      if (++i >= chars.length) return null;
      tokens.push(chars[i]!);
    } else if (char === '[') {
      const found = parseClass(chars, i);
      if (found === null) return null;
      tokens.push({ accepts: found.accepts });
      i = found.end;
    } else tokens.push(char);
  }
  return tokens;
}

export function matchTokens(tokens: readonly Token[], name: string, budget = NO_LIMIT): boolean {
  const chars = [...name];
  let t = 0;
  let c = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (c < chars.length) {
    if (++budget.steps > budget.max) return false;
    const token = tokens[t];
    if (token === STAR) {
      starAt = t++;
      resumeAt = c;
    } else if (token !== undefined && (typeof token === 'string' ? token === chars[c] : token.accepts(chars[c]!))) {
      t++;
      c++;
    } else if (starAt >= 0) {
      t = starAt + 1;
      c = ++resumeAt;
    } else return false;
  }
  while (tokens[t] === STAR) t++;
  return t === tokens.length;
}

const POSIX = new Map<string, RegExp>(
  Object.entries({
    alnum: /[a-z0-9]/i,
    alpha: /[a-z]/i,
    blank: /[ \t]/,
    cntrl: /[\0-\x1f\x7f]/,
    digit: /[0-9]/,
    graph: /[!-~]/,
    lower: /[a-z]/,
    print: /[ -~]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /\s/,
    upper: /[A-Z]/,
    xdigit: /[0-9a-f]/i,
  }),
);

/** Parses a class `[…]` that starts at its bracket; null if it never ends. */
function parseClass(
  chars: readonly string[],
  start: number,
): { accepts: (char: string) => boolean; end: number } | null {
  let i = start + 1;
  const isNegated = chars[i] === '!' || chars[i] === '^';
  if (isNegated) i++;
  const parts: ((char: string) => boolean)[] = [];
  for (let isFirst = true; isFirst || chars[i] !== ']'; isFirst = false) {
    if (i >= chars.length) return null;
    if (chars[i] === '[' && chars[i + 1] === ':') {
      const close = chars.indexOf(':', i + 2);
      const named = close > 0 && chars[close + 1] === ']' ? POSIX.get(chars.slice(i + 2, close).join('')) : undefined;
      if (named === undefined) return null;
      parts.push((char) => named.test(char));
      i = close + 2;
      continue;
    }
    if (chars[i] === '\\') i++;
    const from = chars[i++];
    if (from === undefined) return null;
    let to = from;
    if (chars[i] === '-' && chars[i + 1] !== undefined && chars[i + 1] !== ']') {
      i++;
      if (chars[i] === '\\') i++;
      to = chars[i++] ?? from;
    }
    parts.push((char) => char >= from && char <= to);
  }
  return { accepts: (char) => parts.some((part) => part(char)) !== isNegated, end: i };
}
