/**
 * A document as blocks: paragraphs and list items with their wrapped lines joined, each under its headings. Markdown,
 * reStructuredText and AsciiDoc as far as headings go.
 */

export class Block {
  /** Headings above, outermost first. */
  readonly headings: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  readonly #lines: readonly string[];
  /** Signs of the first line that make it an item. */
  readonly #lead: number;

  constructor(lines: readonly string[], from: number, to: number, lead: number, headings: readonly string[]) {
    this.headings = headings;
    this.startLine = from + 1;
    this.endLine = to;
    this.#lines = lines;
    this.#lead = lead;
  }

  /** Assembled on demand: only a few blocks of a long document are needed. */
  get text(): string {
    const first = this.#lines[this.startLine - 1]!.slice(this.#lead).trim();
    let text = this.#lead > 0 ? first : first.replace(QUOTE, '');
    for (let i = this.startLine; i < this.endLine && text.length < MAX_LENGTH; i++)
      text += ` ${this.#lines[i]!.trim().replace(QUOTE, '')}`;
    return text;
  }
}

const FENCE = /^\s*(?:```|~~~|----\s*$|\.\.\.\.\s*$)/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/;
const QUOTE = /^>\s?/;
/** The first characters of fences, items and lines under a heading. */
const FENCE_SIGNS: readonly string[] = [...'`~-.'];
const ITEM_SIGNS: readonly string[] = [...'-*+0123456789'];
const UNDERLINE_SIGNS: readonly string[] = [...'=~^"*+-'];

/** Front matter, where a document has one: `key: value` lines between `---`. */
export function frontMatter(lines: readonly string[]): { readonly end: number; readonly fields: Map<string, string> } {
  const fields = new Map<string, string>();
  if (lines[0]?.trim() !== '---') return { end: 0, fields };
  const close = lines.findIndex((line, i) => i > 0 && line.trim() === '---');
  if (close < 0) return { end: 0, fields };
  let key = '';
  for (const line of lines.slice(1, close)) {
    const match = /^([\w-]+)\s*:\s*(.*)$/.exec(line);
    if (match) {
      key = match[1]!.toLowerCase();
      fields.set(key, match[2]!.replace(/^[|>][+-]?\s*$/, '').replace(/^["']|["']$/g, ''));
    } else if (key !== '' && fields.get(key)!.length < MAX_LENGTH)
      fields.set(key, `${fields.get(key)} ${line.trim()}`.trim());
  }
  return { end: close + 1, fields };
}

/** Of a line and of a block: nothing that is mined is longer, and the patterns may cost the square of it. */
const MAX_LENGTH = 2000;

/** Lines without their ends, of whichever kind. */
export function linesOf(text: string): string[] {
  const lines = text.includes('\r') ? text.split(/\r?\n/) : text.split('\n');
  return lines.map((line) => (line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH) : line));
}

export function blocksOf(lines: readonly string[], from = frontMatter(lines).end): Block[] {
  const blocks: Block[] = [];
  const headings: string[] = [];
  // Shared by the blocks below the same headings.
  let above: readonly string[] = [];
  let open: { readonly from: number; readonly lead: number; readonly indent: number } | null = null;
  let fenced = false;
  const close = (end: number) => {
    if (open) blocks.push(new Block(lines, open.from, end, open.lead, above));
    open = null;
  };
  for (let i = from; i < lines.length; i++) {
    const line = lines[i]!;
    const first = firstSign(line);
    if (FENCE_SIGNS.includes(first) && FENCE.test(line)) {
      close(i);
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const heading = headingAt(lines, i, first);
    if (heading) {
      close(i);
      headings.length = heading.level;
      headings[heading.level - 1] = heading.title;
      above = headings.filter(Boolean);
      i += heading.lines - 1;
      continue;
    }
    if (first === '' || first === '|') {
      close(i);
      continue;
    }
    const item = ITEM_SIGNS.includes(first) ? ITEM.exec(line) : null;
    // An item below another one belongs to it: alone it rarely says anything.
    if (item && !(open && open.indent >= 0 && item[1]!.length > open.indent)) {
      close(i);
      open = { from: i, lead: item[0].length, indent: item[1]!.length };
    } else open ??= { from: i, lead: 0, indent: -1 };
  }
  close(lines.length);
  return blocks;
}

/** The first character that is no white space, '' where there is none. */
function firstSign(line: string): string {
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code > 32 && code !== 0xa0 && code !== 0xfeff) return line[i]!;
  }
  return '';
}

/** A heading in any of the three notations. Looked at by its first sign: most lines are none. */
function headingAt(
  lines: readonly string[],
  at: number,
  first: string,
): { readonly level: number; readonly title: string; readonly lines: number } | null {
  const line = lines[at]!;
  if (line.startsWith('#') || line.startsWith('=')) {
    const marked = /^(#{1,6}|={1,5})\s+(.+?)\s*#*$/.exec(line);
    if (marked) return { level: marked[1]!.length, title: marked[2]!.trim(), lines: 1 };
  }
  const below = lines[at + 1] ?? '';
  if (UNDERLINE_SIGNS.includes(below[0] ?? ' ') && /^\S/.test(line) && line.length < 120)
    if (/^([=~^"*+-])\1{2,}\s*$/.test(below) && !ITEM.test(line))
      return { level: below.startsWith('=') ? 1 : 2, title: line.trim(), lines: 2 };
  const bold = first === '*' ? /^\s*\*\*([^*]{2,60})\*\*:?\s*$/.exec(line) : null;
  return bold ? { level: 5, title: bold[1]!.trim(), lines: 1 } : null;
}
