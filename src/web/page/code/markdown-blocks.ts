/** Parses Markdown into blocks: the subset that READMEs use. Text stays text; HTML is dropped. Pure. */

export type MarkdownBlock =
  /** `line` is its place in the source, from 1. */
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly line: number }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

export interface ListItem {
  readonly depth: number;
  /** "1.", or '' for a bullet. */
  readonly mark: string;
  readonly text: string;
}

const MOST_LINES = 4_000;
/**
 * Maximum characters of a line: inline marks are found with regular expressions whose cost grows faster than the text.
 */
const MAX_LINE_CHARS = 2_000;
const TAG = /<\/?[a-zA-Z][^<>]*>/g;
const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#-]*)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(.*)$/;
const UNDERLINE = /^(=+|-+)\s*$/;
const TABLE_RULE = /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/;

export function markdownBlocks(source: string): MarkdownBlock[] {
  const lines = withoutMarkup(source)
    .split('\n', MOST_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARS));
  const blocks: MarkdownBlock[] = [];
  for (let i = 0; i < lines.length; ) i = readBlock(lines, i, blocks);
  return blocks;
}

export interface DocumentHeading {
  readonly symbolId: string;
  readonly name: string;
  readonly startLine: number;
  /** The last line of its section, with the sections below it. */
  readonly endLine: number;
}

/** The headings of a document, for its outline. */
export function documentHeadings(source: string): DocumentHeading[] {
  const headings = markdownBlocks(source).flatMap((block) => (block.kind === 'heading' ? [block] : []));
  const last = source.split('\n').length;
  return headings.map(({ level, text, line }, i) => {
    const next = headings.find((each, other) => other > i && each.level <= level);
    const endLine = next ? next.line - 1 : last;
    return { symbolId: String(line), name: plainText(text), startLine: line, endLine };
  });
}

/** Number of paragraphs that are searched: the description of a project is at the beginning. */
const FIRST_PARAGRAPHS = 8;

/**
 * The README's description of the project: the first paragraph that says "NAME is", otherwise the first one with a
 * sentence. Badges, pictures and headings are skipped.
 */
export function summaryOf(source: string, name: string): string {
  const paragraphs = markdownBlocks(source)
    .flatMap((block) => (block.kind === 'paragraph' || block.kind === 'quote' ? [plainText(block.text)] : []))
    .filter((text) => text.split(/\s+/).length > 5)
    .slice(0, FIRST_PARAGRAPHS);
  const subject = name.toLowerCase();
  const defines = (text: string) => {
    const at = text.toLowerCase().indexOf(subject);
    return (
      at >= 0 && at < 40 && /^\S{0,6}\s(?:is|are|provides|lets|helps|makes)\b/.test(text.slice(at + subject.length))
    );
  };
  return paragraphs.find(defines) ?? paragraphs[0] ?? '';
}

/** The text without links, pictures and inline marks. */
function plainText(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1')
    .trim();
}

/** Reads one block at line `i`; returns the line after it. */
function readBlock(lines: readonly string[], i: number, blocks: MarkdownBlock[]): number {
  const line = lines[i]!;
  if (line.trim() === '') return i + 1;
  const fence = FENCE.exec(line);
  if (fence) return readCode(lines, i, fence, blocks);
  const heading = HEADING.exec(line);
  if (heading) {
    blocks.push({ kind: 'heading', level: heading[1]!.length, text: heading[2]!, line: i + 1 });
    return i + 1;
  }
  if (ITEM.test(line)) return readList(lines, i, blocks);
  if (line.includes('|') && TABLE_RULE.test(lines[i + 1] ?? '')) return readTable(lines, i, blocks);
  return readParagraph(lines, i, blocks);
}

function readCode(lines: readonly string[], i: number, fence: RegExpExecArray, blocks: MarkdownBlock[]): number {
  const mark = fence[1]!;
  let end = i + 1;
  while (end < lines.length && !lines[end]!.trimStart().startsWith(mark)) end++;
  blocks.push({ kind: 'code', language: fence[2]!, text: lines.slice(i + 1, end).join('\n') });
  return end + 1;
}

function readList(lines: readonly string[], i: number, blocks: MarkdownBlock[]): number {
  const items: ListItem[] = [];
  let end = i;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    const found = ITEM.exec(line);
    if (found) {
      const [, indent, mark = '', text] = found;
      items.push({ depth: Math.min(4, Math.floor(indent!.replaceAll('\t', '  ').length / 2)), mark, text: text! });
    } else if (/^\s+\S/.test(line) && !FENCE.test(line)) {
      const last = items.pop()!;
      items.push({ ...last, text: `${last.text} ${line.trim()}` });
    } else break;
  }
  blocks.push({ kind: 'list', items });
  return end;
}

function readTable(lines: readonly string[], i: number, blocks: MarkdownBlock[]): number {
  let end = i;
  const rows: string[][] = [];
  for (; end < lines.length && lines[end]!.includes('|'); end++) if (end !== i + 1) rows.push(cells(lines[end]!));
  blocks.push({ kind: 'table', rows });
  return end;
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function readParagraph(lines: readonly string[], i: number, blocks: MarkdownBlock[]): number {
  let end = i + 1;
  const isOpen = (line: string) => line.trim() !== '' && !FENCE.test(line) && !HEADING.test(line) && !ITEM.test(line);
  while (end < lines.length && isOpen(lines[end]!)) {
    const underline = UNDERLINE.exec(lines[end]!);
    if (underline) {
      const level = underline[1]![0] === '=' ? 1 : 2;
      blocks.push({ kind: 'heading', level, text: lines.slice(i, end).join(' '), line: i + 1 });
      return end + 1;
    }
    end++;
  }
  const all = lines.slice(i, end).map((line) => line.trim());
  const isQuote = all.every((line) => line.startsWith('>'));
  const text = all.map((line) => (isQuote ? line.replace(/^>\s?/, '') : line)).join(' ');
  if (text.trim() !== '' && !/^[-*_\s]+$/.test(text)) blocks.push({ kind: isQuote ? 'quote' : 'paragraph', text });
  return end;
}

/** Removes comments and, outside of code, tags. */
function withoutMarkup(source: string): string {
  let isCode = false;
  return withoutComments(source)
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) isCode = !isCode;
      if (isCode) return line;
      return line
        .split(/(`[^`]+`)/)
        .map((part, i) => (i % 2 === 1 ? part : part.replace(TAG, '')))
        .join('');
    })
    .join('\n');
}

/** Uses indexOf: a regular expression would scan to the end for each unclosed comment. */
function withoutComments(source: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let open = source.indexOf('<!--'); open >= 0; open = source.indexOf('<!--', at)) {
    const close = source.indexOf('-->', open);
    if (close < 0) break;
    // The lines keep their numbers.
    parts.push(source.slice(at, open), source.slice(open, close).replace(/[^\n]+/g, ''));
    at = close + 3;
  }
  return parts.join('') + source.slice(at);
}
