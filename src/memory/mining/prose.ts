/** A document as blocks: paragraphs and list items with their wrapped lines joined, each under its headings. Markdown, reStructuredText and AsciiDoc as far as headings go. */

export interface Block {
  /** Headings above, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

const FENCE = /^\s*(?:```|~~~|----\s*$|\.\.\.\.\s*$)/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/;
const TABLE = /^\s*\|/;

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
    } else if (key !== '') fields.set(key, `${fields.get(key)} ${line.trim()}`.trim());
  }
  return { end: close + 1, fields };
}

export function blocksOf(text: string): Block[] {
  const lines = text.split(/\r?\n/);
  const blocks: Block[] = [];
  const headings: string[] = [];
  let open: { lines: string[]; start: number; indent: number } | null = null;
  let fenced = false;
  const close = (end: number) => {
    if (open && open.lines.length > 0)
      blocks.push({
        headings: headings.filter(Boolean),
        text: open.lines.join(' '),
        startLine: open.start + 1,
        endLine: end,
      });
    open = null;
  };
  for (let i = frontMatter(lines).end; i < lines.length; i++) {
    const line = lines[i]!;
    if (FENCE.test(line)) {
      close(i);
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const heading = headingAt(lines, i);
    if (heading) {
      close(i);
      headings.length = heading.level;
      headings[heading.level - 1] = heading.title;
      i += heading.lines - 1;
      continue;
    }
    if (line.trim() === '' || TABLE.test(line)) {
      close(i);
      continue;
    }
    const item = ITEM.exec(line);
    // An item below another one belongs to it: alone it rarely says anything.
    if (item && !(open && open.indent >= 0 && item[1]!.length > open.indent)) {
      close(i);
      open = { lines: [line.slice(item[0].length).trim()], start: i, indent: item[1]!.length };
    } else if (open) open.lines.push(line.trim().replace(/^>\s?/, ''));
    else open = { lines: [line.trim().replace(/^>\s?/, '')], start: i, indent: -1 };
  }
  close(lines.length);
  return blocks;
}

/** A heading in any of the three notations. */
function headingAt(
  lines: readonly string[],
  at: number,
): { readonly level: number; readonly title: string; readonly lines: number } | null {
  const line = lines[at]!;
  const marked = /^(#{1,6}|={1,5})\s+(.+?)\s*#*$/.exec(line);
  if (marked) return { level: marked[1]!.length, title: marked[2]!.trim(), lines: 1 };
  const below = lines[at + 1] ?? '';
  if (/^\S/.test(line) && line.length < 120 && /^([=~^"*+-])\1{2,}\s*$/.test(below) && !ITEM.test(line))
    return { level: below.startsWith('=') ? 1 : 2, title: line.trim(), lines: 2 };
  const bold = /^\*\*([^*]{2,60})\*\*:?\s*$/.exec(line.trim());
  return bold ? { level: 5, title: bold[1]!.trim(), lines: 1 } : null;
}
