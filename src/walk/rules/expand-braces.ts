/** Expands the braces of a glob, `{a,b}` and `{1..9}`, nested or side by side. */

/** Braces side by side multiply: ten pairs stand for a thousand patterns. */
const MAX_PATTERNS = 256;

/** The patterns that a glob stands for; a string that says why, if the glob is invalid. */
export function expandBraces(pattern: string): readonly string[] | string {
  let open = -1;
  let depth = 0;
  let commas: number[] = [];
  // If one bracket is never closed, neither is any bracket after it.
  let mayClose = true;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '[' && mayClose) {
      const end = endOfClass(pattern, i);
      mayClose = end > i;
      i = end;
    } else if (char === '{' && depth++ === 0) {
      open = i;
      commas = [];
    } else if (char === ',' && depth === 1) commas.push(i);
    else if (char === '}' && depth > 0 && --depth === 0) {
      const rest = expandBraces(pattern.slice(i + 1));
      if (typeof rest === 'string') return rest;
      return combine(pattern.slice(0, open), choicesOf(pattern, open, commas, i), rest);
    }
  }
  return depth > 0 ? 'a brace in it has no end' : [pattern];
}

/** The index of the closing bracket; `start` if there is none, which compileName() reports later. */
function endOfClass(pattern: string, start: number): number {
  const first = /^\[[!^]?\]?/.exec(pattern.slice(start, start + 3))![0].length;
  for (let i = start + first; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === ']') return i;
  }
  return start;
}

function choicesOf(pattern: string, open: number, commas: readonly number[], close: number): readonly string[] {
  const ends = [...commas, close];
  const texts = ends.map((end, i) => pattern.slice((i === 0 ? open : ends[i - 1]!) + 1, end));
  if (texts.length > 1) return texts;
  // Braces around a single choice are ordinary characters.
  return rangeOf(texts[0]!) ?? [`\\{${texts[0]}\\}`];
}

function rangeOf(text: string): readonly string[] | null {
  const numbers = /^(\d{1,6})\.\.(\d{1,6})$/.exec(text);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(text);
  const [, from, to] = numbers ?? letters ?? [];
  if (from === undefined || to === undefined) return null;
  const codeOf = (value: string) => (numbers ? Number(value) : value.charCodeAt(0));
  const [low, high] = [codeOf(from), codeOf(to)].sort((a, b) => a - b) as [number, number];
  const count = Math.min(high - low, MAX_PATTERNS) + 1;
  return Array.from({ length: count }, (_, i) => (numbers ? String(low + i) : String.fromCharCode(low + i)));
}

function combine(before: string, choices: readonly string[], after: readonly string[]): readonly string[] | string {
  const tooMany = `its braces stand for more than ${MAX_PATTERNS} patterns`;
  const expanded: string[] = [];
  for (const choice of choices) {
    const inner = expandBraces(choice);
    if (typeof inner === 'string') return inner;
    if (expanded.length + inner.length * after.length > MAX_PATTERNS) return tooMany;
    for (const middle of inner) for (const end of after) expanded.push(before + middle + end);
  }
  return expanded;
}
