/**
 * Recognises heads of functions in languages without a keyword for them: `static int run(Job *job) {`, `public void
 * Run()`, and C's style with the name on a line of its own. For a broken tree there is no other evidence.
 */
import { pattern } from '../../../model/text/pattern.ts';

export interface TypedHead {
  readonly name: string;
  /** The qualifier before the last `::`, '' without one. */
  readonly receiver: string;
  readonly indent: number;
  /** The 0-based column of the name in its line. */
  readonly column: number;
  readonly signature: string;
  /** The head ends with a semicolon: inside of a function this would be a call or a variable. */
  readonly isPrototype: boolean;
}

/** Keywords of statements and expressions: a name after them is called, not defined. */
const NOT_HEADS = new Set(
  (
    'if for foreach while switch catch do try finally else return throw new delete await yield case goto lock ' +
    'fixed using synchronized assert sizeof typeof defined typedef co_return co_await co_yield not in is as and or ' +
    'when with super this base'
  ).split(' '),
);
const NAME = /((?:[A-Za-z_]\w*(?:<[^<>()]*>)?::)*)(~?[A-Za-z_]\w*)(?:<[^()]*>)?\s*$/;
/** The text before a declaration's name. */
const SPECIFIERS = /^[\w\s.:,<>[\]?*&@]*$/;
/** The text between parameters and body: qualifiers, a result, exceptions, constraints, bases and initialisers. */
const TAIL = pattern()`
  ^\s*(?:(?:const|noexcept|override|final|volatile|async\*?|sync\*)\b\s*)*(?:(?:throws|where|requires)\s[^{};=]*
  |:(?!:)[^;{]*|->[^{};]*)?
`;
/** A macro that defines a function: `TEST(Suite, Name) {`, `TEST_IMPL(name) {`. */
const CAPITALS = /^_*[A-Z][A-Z0-9_]{2,}$/;
const MADE = /^\(\s*(\w+)(?:\s*,\s*(\w+))?(?=\s*\))/;
const MAX_LINES = 20;
const MAX_CHARACTERS = 1000;
/** Maximum characters before the parameters. */
const MAX_BEFORE = 300;

export function readTypedHead(lines: readonly string[], at: number): TypedHead | null {
  const line = lines[at]!;
  const open = line.indexOf('(');
  if (open <= 0 || open > MAX_BEFORE) return null;
  const found = NAME.exec(line.slice(0, open));
  if (!found) return null;
  const [, qualifier, name] = found;
  const before = line.slice(0, found.index);
  const indent = before.length - before.trimStart().length;
  if (NOT_HEADS.has(name!) || !SPECIFIERS.test(before) || /[.,:]\s*$/.test(before)) return null;
  const words = before.match(/\w+/g) ?? [];
  if (words.some((word) => NOT_HEADS.has(word))) return null;
  // A head without a type begins at the start of a line; with indentation it is a call with a block.
  if (words.length === 0 && (indent > 0 || found.index > 0)) return null;
  const rest = behindParameters(lines, at, open);
  if (!rest) return null;
  const tail = TAIL.exec(rest.text)![0];
  const next = rest.text.slice(tail.length).trimStart();
  const isPrototype = next.startsWith(';');
  if (!isPrototype && !next.startsWith('{') && !next.startsWith('=>')) return null;
  if (words.length === 0 && (isPrototype || next.startsWith('='))) return null;
  const made = words.length === 0 && CAPITALS.test(name!) ? MADE.exec(rest.head.slice(open)) : null;
  const type = words.length === 0 ? typeAbove(lines, at) : '';
  const signature = `${type}${rest.head}${tail.replace(/\s:(?!:).*$/s, '')}`.replace(/\s+/g, ' ').trim();
  if (made) {
    const [before, first, second] = made;
    const column = open + before.length - (second ?? first!).length;
    return { name: second ?? first!, receiver: second ? first! : '', indent, column, signature, isPrototype };
  }
  return {
    name: name!,
    receiver: qualifier!.replace(/<[^<>()]*>/g, '').replace(/::$/, ''),
    indent,
    column: open - found[0].length + qualifier!.length,
    signature: isPrototype ? `${signature};` : signature,
    isPrototype,
  };
}

/** The head up to its closing bracket, and the text after it. */
function behindParameters(lines: readonly string[], at: number, open: number): { head: string; text: string } | null {
  const text = lines
    .slice(at, at + MAX_LINES)
    .join('\n')
    .slice(0, MAX_CHARACTERS);
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i];
    if (c === '(') depth++;
    else if (c === ')' && --depth === 0)
      return { head: text.slice(0, i + 1), text: text.slice(i + 1).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '') };
    // A body or the end of a statement among the parameters: this is a call, or the damaged part.
    else if (c === ';' || c === '{') return null;
  }
  return null;
}

function typeAbove(lines: readonly string[], at: number): string {
  const above = lines[at - 1]?.trim() ?? '';
  return /^[A-Za-z_][\w\s*]*$/.test(above) && !NOT_HEADS.has(above) ? `${above} ` : '';
}
