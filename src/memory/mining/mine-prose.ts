/**
 * Splits a document into blocks: paragraphs and list items with joined lines, each with its headings. Recognises the
 * headings of Markdown, reStructuredText and AsciiDoc.
 */

export class Block {
  /** Headings above, outermost first. */
  readonly headings: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  readonly #lines: readonly string[];
  /** Length of the list marker at the start of the first line; 0 for a paragraph. */
  readonly #lead: number;

  constructor(lines: readonly string[], from: number, to: number, lead: number, headings: readonly string[]) {
    this.headings = headings;
    this.startLine = from + 1;
    this.endLine = to;
    this.#lines = lines;
    this.#lead = lead;
  }

  /** Joined on access, because only a few blocks of a long document are read. */
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
/** First characters of fences, list items and heading underlines: a fast test before a regular expression. */
const FENCE_SIGNS: readonly string[] = [...'`~-.'];
const ITEM_SIGNS: readonly string[] = [...'-*+0123456789'];
const UNDERLINE_SIGNS: readonly string[] = [...'=~^"*+-'];

/** Reads front matter, `key: value` lines between `---`; `end` is 0 for a document without it. */
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

/** Maximum length of a line and a block. Notes are shorter, and some patterns take quadratic time. */
const MAX_LENGTH = 2000;

/** Lines without line ends, cut to MAX_LENGTH. */
export function linesOf(text: string): string[] {
  const lines = text.includes('\r') ? text.split(/\r?\n/) : text.split('\n');
  return lines.map((line) => (line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH) : line));
}

export function blocksOf(lines: readonly string[], from = frontMatter(lines).end): Block[] {
  const blocks: Block[] = [];
  const headings: string[] = [];
  // One array for all blocks below the same headings.
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
    // A nested item belongs to its parent: alone it rarely makes sense.
    if (item && !(open && open.indent >= 0 && item[1]!.length > open.indent)) {
      close(i);
      open = { from: i, lead: item[0].length, indent: item[1]!.length };
    } else open ??= { from: i, lead: 0, indent: -1 };
  }
  close(lines.length);
  return blocks;
}

/** The first character other than white space; '' for a blank line. */
function firstSign(line: string): string {
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code > 32 && code !== 0xa0 && code !== 0xfeff) return line[i]!;
  }
  return '';
}

/** The heading at a line in any of the three notations; `first` is the line's first character. */
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
