/**
 * One line of an ignore file, by the rules of gitignore(5). Matching takes time proportional to pattern × path whatever the pattern: a repository
 * brings its own ignore files, and must not be able to stall the walk. The `ignore` package was left for this: it asks a path's parents anew
 * in every rule file, so a folder that a nested file brings back stays ignored (found by comparing with git on random rules).
 */
export interface IgnorePattern {
  readonly isNegative: boolean;
  readonly foldersOnly: boolean;
  /** `path` relative to the ignore file's folder, `name` its last part. */
  readonly matches: (path: string, name: string) => boolean;
}

/** Null for blank lines, comments and patterns that can match nothing. */
export function parseIgnoreLine(line: string, ignoreCase: boolean): IgnorePattern | null {
  let text = trimEnd(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return null;
  const isNegative = text.startsWith('!');
  if (isNegative) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  const isAnchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return null;
  const fold = ignoreCase ? (value: string) => value.toLowerCase() : (value: string) => value;
  text = fold(text);

  if (!isAnchored) {
    const matchesName = compileSegment(text);
    return matchesName && { isNegative, foldersOnly, matches: (_, name) => matchesName(fold(name)) };
  }
  const segments: Segment[] = [];
  for (const segment of text.split('/')) {
    const matcher = /^\*{2,}$/.test(segment) ? ANY_DEPTH : compileSegment(segment);
    if (matcher === null) return null;
    segments.push(matcher);
  }
  return { isNegative, foldersOnly, matches: (path) => matchSegments(segments, fold(path).split('/')) };
}

/** Spaces at the end do not count unless a backslash keeps them. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

type SegmentMatcher = (name: string) => boolean;
type Segment = SegmentMatcher | typeof ANY_DEPTH;
const ANY_DEPTH = Symbol('any depth');

function matchSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  let p = 0;
  let s = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (s < path.length) {
    const segment = pattern[p];
    if (segment === ANY_DEPTH) {
      // At the end it means everything inside, so something has to be left; elsewhere no folder at all will do.
      if (p === pattern.length - 1) return true;
      starAt = p++;
      resumeAt = s;
    } else if (segment?.(path[s]!)) {
      p++;
      s++;
    } else if (starAt >= 0) {
      p = starAt + 1;
      s = ++resumeAt;
    } else return false;
  }
  return p === pattern.length;
}

type Token = string | { readonly accepts: (char: string) => boolean } | typeof STAR;
const STAR = Symbol('star');
const ANY_CHAR = { accepts: () => true };

function compileSegment(text: string): SegmentMatcher | null {
  if (!/[*?[\\]/.test(text)) return (name) => name === text;
  const tokens = tokenize(text);
  return tokens && ((name) => matchTokens(tokens, name));
}

function tokenize(text: string): Token[] | null {
  const chars = [...text];
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

function matchTokens(tokens: readonly Token[], name: string): boolean {
  const chars = [...name];
  let t = 0;
  let c = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (c < chars.length) {
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

/** `[…]` from its bracket on; null where it never ends. */
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
