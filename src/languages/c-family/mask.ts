/**
 * What the grammars of C, C++ and C# get to see: the same text, as long and with the same lines, without what only a
 * preprocessor understands.
 */
import { pattern } from '../../model/text/pattern.ts';
import { maskConditionals } from './conditionals.ts';
import { maskDeclarations } from './declarations.ts';
import { type Tokens, tokenize } from './tokens.ts';

export function maskMacros(text: string, dialect: 'c' | 'cpp'): string {
  const tokens = tokenize(text, dialect);
  const hidden = new Uint8Array(tokens.count);
  for (const [first, last] of maskConditionals(tokens, dialect)) hidden.fill(1, first, last + 1);
  for (const [first, last] of maskDeclarations(tokens, hidden, dialect)) hidden.fill(1, first, last + 1);
  return blank(tokens, hidden);
}

/**
 * What else the grammar of C# cannot read: `*(int*)p` as a target of an assignment, `ref partial struct` without a
 * modifier before it, and the question mark of `a?.b = c`.
 */
const CSHARP_UNREADABLE = /\*\(\s*\w+\s*\*+\s*\)|\bref(?=\s+partial\s+struct\b)|\?(?=(?:\.\w+|\[[^\][\n]*\])+ = )/g;
/** Between a comment and what it documents, and between a head and its body: no part of either. */
const CSHARP_PRAGMA = /^[ \t]*#[ \t]*pragma\b.*$/m;
/**
 * Words of the language that are names here: `if (async)`, `Load(async: true)`, `[property, value]`. Declared ones are
 * read as they are.
 */
const CSHARP_NAMES = pattern('g')`
  \basync(?=\s*(?:[):;,?.}\]&|]|[=!]=|=[^=>]))(?<=(?:[^\w\s>\]?]|=>|\s\?|\breturn)\s{0,80}async)
  |\b(?:property|field|method|type|param|event|module)(?=\s*[,\]])(?<=[(,=?:]\s{0,80}\[\s{0,80}\w+)
`;
/** Quotes within a verbatim string with holes: before a hole they end the string. */
const CSHARP_VERBATIM = /(?:\$@|@\$)"(?:[^"]|"")*"/g;

export function maskDirectives(text: string): string {
  let seen = text;
  if (/^[ \t]*#[ \t]*if\b/m.test(text)) {
    const tokens = tokenize(text, 'csharp');
    const hidden = new Uint8Array(tokens.count);
    for (const [first, last] of maskConditionals(tokens, 'csharp')) hidden.fill(1, first, last + 1);
    seen = blank(tokens, hidden);
  }
  if (CSHARP_PRAGMA.test(seen)) seen = seen.replace(new RegExp(CSHARP_PRAGMA, 'gm'), spaces);
  if (/\*\(|\bref\s+partial\b|\?[.[]/.test(seen)) seen = seen.replace(CSHARP_UNREADABLE, spaces);
  if (/\$@"|@\$"/.test(seen))
    seen = seen.replace(CSHARP_VERBATIM, (text) => `${text.slice(0, -1).replaceAll('""', '  ')}"`);
  return /\basync\b|\[\s*(?:property|field|method|type|param|event|module)\b/.test(seen)
    ? seen.replace(CSHARP_NAMES, (word) => `_${word.slice(1)}`)
    : seen;
}

function blank(tokens: Tokens, hidden: Uint8Array): string {
  const { text, count, starts, ends, comments } = tokens;
  const ranges: { start: number; end: number; isComment: boolean }[] = [];
  for (const [start, end] of comments) ranges.push({ start, end, isComment: true });
  for (let i = 0; i < count; i++) {
    if (hidden[i] === 0) continue;
    const start = starts[i]!;
    while (i + 1 < count && hidden[i + 1] === 1) i++;
    ranges.push({ start, end: ends[i]!, isComment: false });
  }
  if (ranges.length === 0) return text;
  ranges.sort((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, isComment } of ranges) {
    // A comment of a directive that is hidden as a whole.
    if (start < done) continue;
    const spaced = spaces(text.slice(start, end));
    pieces.push(text.slice(done, start), isComment ? continued(spaced) : spaced);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** Lines of a comment within a directive continue it without saying so. */
function continued(text: string): string {
  return text.replace(/ (?=\n)/g, '\\');
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
