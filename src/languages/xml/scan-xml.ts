import type { ScannedContent } from '../language.ts';
import { addKeyTree, type KeyNode } from '../runtime/scanning/key-tree.ts';
import { rows } from '../runtime/scanning/rows.ts';
import { lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

/** Parts that are no elements, by their start and end. */
const ASIDES = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;
const TAG_NAME = /(?<=^<)[^\s/>]*/;
/** Attributes that name an element: `<string name="title">`. */
const OWN_NAME = /\s(?:name|id)\s*=\s*(?:"([^"]+)"|'([^']+)')/i;
/** Elements at this depth are keys; the root only tells the kind of file. */
const KEYS = 1;

/**
 * Scans XML: the elements below the root and their children, in one pass over the tags. An unclosed element ends with
 * the file.
 */
export function scanXml(lines: readonly string[]): ScannedContent {
  const draft = new ScanDraft();
  const text = lines.join('\n');
  const rowOf = rows(text);
  const roots: KeyNode[] = [];
  /** The open elements; null for one that is no key. */
  const open: (KeyNode | null)[] = [];
  let comment: Comment | null = null;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const row = rowOf(at);
    const aside = ASIDES.find(([begin]) => text.startsWith(begin, at));
    if (aside) {
      const end = after(text, aside[1], at + aside[0].length);
      if (aside[0] === '<!--') comment = { words: text.slice(at + 4, end - 3), first: row, end: rowOf(end) };
      at = end;
      continue;
    }
    const end = endOfTag(text, at + 1);
    const endRow = rowOf(end);
    if (text[at + 1] === '/') {
      const closed = open.pop();
      if (closed) closed.end = endRow;
    } else {
      const parent = open[KEYS];
      const siblings = open.length === KEYS ? roots : open.length === KEYS + 1 ? parent?.children : undefined;
      const elder = siblings?.at(-1);
      const before = elder?.end ?? -1;
      const tag = text.slice(at, end);
      // A line belongs to one key, so an element that begins on the line where its sibling ends is none. An element
      // with only a tag name, repeated, is a list item and no key.
      const isKey = siblings && row > before && nameOf(tag) !== elder?.name;
      const element = isKey ? keyNode(lines, row, tag, before, comment) : null;
      if (element) {
        element.end = endRow;
        siblings!.push(element);
      }
      if (text[end - 2] !== '/') open.push(element);
    }
    comment = null;
    at = end;
  }
  for (const node of open) if (node) node.end = lastFilled(lines, node.start, lines.length - 1);
  addKeyTree(draft, lines, roots);
  return draft.finish();
}

interface Comment {
  readonly words: string;
  readonly first: number;
  readonly end: number;
}

function keyNode(lines: readonly string[], row: number, tag: string, before: number, comment: Comment | null): KeyNode {
  const name = nameOf(tag);
  const documented = comment !== null && comment.end >= row - 1 && comment.first > before;
  return {
    name,
    first: documented ? comment.first : row,
    start: row,
    end: row,
    column: Math.max(0, lines[row]!.indexOf(name)),
    doc: documented
      ? comment.words
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
          .join('\n')
      : '',
    signature: lines[row]!,
    children: [],
  };
}

function nameOf(tag: string): string {
  const own = OWN_NAME.exec(tag.split('\n', 1)[0]!);
  return own?.[1] ?? own?.[2] ?? TAG_NAME.exec(tag)![0];
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** The offset after the `>` that closes a tag; one inside of quotes does not. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '>') return i + 1;
  }
  return text.length;
}
