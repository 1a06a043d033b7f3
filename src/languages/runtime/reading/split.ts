/**
 * Splits declarations and expressions at outermost separators. It knows brackets, strings and generics, and nothing
 * more of a language.
 */

const OPEN = '([{';
const CLOSE = ')]}';

/**
 * The parts between separators outside of all brackets and strings. `<` and `>` are brackets unless they are arrows or
 * comparisons.
 */
export function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  forEachTop(text, (i) => {
    if (text[i] === separator) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
    return false;
  });
  parts.push(text.slice(start).trim());
  return parts.filter((part, index) => part !== '' || (index === 0 && parts.length > 1));
}

/** The first offset outside of all brackets with one of the characters, -1 for none. */
export function findTop(text: string, stops: string, from = 0): number {
  let at = -1;
  forEachTop(
    text,
    (i) => {
      if (!stops.includes(text[i]!)) return false;
      at = i;
      return true;
    },
    from,
  );
  return at;
}

/** The offset of the bracket that closes the one at `open`, -1 if the text ends before. */
export function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"' || c === "'" || c === '`') i = stringEnd(text, i);
    else if (OPEN.includes(c)) depth++;
    else if (CLOSE.includes(c) && --depth === 0) return i;
  }
  return -1;
}

/**
 * The offset of the last character of a string; of the quote itself if no string begins there (Rust lifetimes,
 * apostrophes).
 */
export function stringEnd(text: string, quote: number): number {
  const mark = text[quote]!;
  for (let i = quote + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === mark) return i;
    else if (text[i] === '\n' && mark !== '`') break;
  }
  return quote;
}

function forEachTop(text: string, visit: (index: number) => boolean, from = 0): void {
  let depth = 0;
  let angles = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (depth === 0 && angles === 0 && visit(i)) return;
    if (c === '"' || c === "'" || c === '`') i = stringEnd(text, i);
    else if (OPEN.includes(c)) depth++;
    else if (CLOSE.includes(c)) depth = Math.max(0, depth - 1);
    else if (c === '<' && /[\w>\])]/.test(text[i - 1] ?? '') && text[i + 1] !== '=' && text[i + 1] !== ' ') angles++;
    else if (c === '>' && angles > 0 && text[i - 1] !== '-' && text[i - 1] !== '=') angles--;
  }
}
