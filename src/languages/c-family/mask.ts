/**
 * Masks everything that only a preprocessor understands, for the grammars of C, C++ and C#. The result has the same
 * length and the same lines.
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
 * Further C# syntax that the grammar cannot read: `*(int*)p` as the target of an assignment, `ref partial struct`
 * without a modifier, the question mark of `a?.b = c`.
 */
const CSHARP_UNREADABLE = /\*\(\s*\w+\s*\*+\s*\)|\bref(?=\s+partial\s+struct\b)|\?(?=(?:\.\w+|\[[^\][\n]*\])+ = )/g;
/** A pragma stands between a doc comment and its definition, or between a head and a body, and belongs to neither. */
const CSHARP_PRAGMA = /^[ \t]*#[ \t]*pragma\b.*$/m;
/**
 * C# keywords that are used as names: `if (async)`, `Load(async: true)`, `[property, value]`. The grammar reads
 * declarations of such names correctly.
 */
const CSHARP_NAMES = pattern('g')`
  \basync(?=\s*(?:[):;,?.}\]&|]|[=!]=|=[^=>]))(?<=(?:[^\w\s>\]?]|=>|\s\?|\breturn)\s{0,80}async)
  |\b(?:property|field|method|type|param|event|module)(?=\s*[,\]])(?<=[(,=?:]\s{0,80}\[\s{0,80}\w+)
`;
/** In an interpolated verbatim string the grammar ends the string at a doubled quote before a hole. */
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
    // A comment inside of a directive that is already masked.
    if (start < done) continue;
    const spaced = spaces(text.slice(start, end));
    pieces.push(text.slice(done, start), isComment ? continued(spaced) : spaced);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** The lines of a multi-line comment inside of a directive continue it without a backslash. */
function continued(text: string): string {
  return text.replace(/ (?=\n)/g, '\\');
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
