import type { ScannedContent } from '../language.ts';
import { addHashtags } from '../runtime/scanning/hashtags.ts';
import { Outline } from '../runtime/scanning/outline.ts';
import { cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const UNDERLINE = /^([!-/:-@[-`{-~])\1{2,}\s*$/;
/** Paragraphs are packed into sections of about this many characters. */
const PACKED_CHARACTERS = 1500;
/** Characters of a line that are searched for hashtags. */
const MAX_TAGGED = 1000;

/**
 * Scans reStructuredText: a heading is underlined (and perhaps overlined) with one punctuation mark. As in docutils,
 * the order in which marks first appear gives their levels.
 */
export function scanRst(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const draft = new ScanDraft();
  const outline = new Outline(draft, lines);
  const levels: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const found = underlined(lines, i);
    if (!found) continue;
    let level = levels.indexOf(found.style);
    if (level < 0) level = levels.push(found.style) - 1;
    outline.heading(found.title, level + 1, found.first);
    i = found.last;
  }
  outline.close();
  readMeta(lines, draft);
  return draft.finish();
}

/** Scans AsciiDoc: `== Title` outside of delimited blocks. */
export function scanAsciidoc(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const draft = new ScanDraft();
  const outline = new Outline(draft, lines);
  let block = '';
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.trimEnd();
    if (block) {
      if (line === block) block = '';
      continue;
    }
    if (/^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|={4,}|```+)(?:$|\w)/.test(line)) {
      block = line.startsWith('```') ? '```' : line;
      continue;
    }
    const heading = /^(={1,6}) +(\S.*)$/.exec(line);
    if (heading) outline.heading(heading[2]!, heading[1]!.length, i);
    const tags = /^:(?:keywords|tags): *(.+)$/.exec(line);
    for (const tag of tags?.[1]?.split(',') ?? []) draft.tags.add(tag.trim().toLowerCase());
  }
  outline.close();
  return draft.finish();
}

/** Scans plain text: underlined headings if there are any, else packed paragraphs. */
export function scanText(lines: readonly string[]): ScannedContent {
  const outlined = scanRst(lines);
  if (outlined.sections.filter((section) => section.path.length > 0).length > 1) return outlined;
  const draft = new ScanDraft();
  let start = -1;
  let characters = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.includes('#')) addHashtags(draft.tags, line.slice(0, MAX_TAGGED));
    if (line.trim() === '') {
      if (start >= 0 && characters >= PACKED_CHARACTERS) {
        draft.section([], start + 1, lastFilled(lines, start, i) + 1);
        start = -1;
        characters = 0;
      }
      continue;
    }
    if (start < 0) start = i;
    characters += line.length + 1;
  }
  if (start >= 0) draft.section([], start + 1, lastFilled(lines, start, lines.length - 1) + 1);
  return draft.finish();
}

function underlined(
  lines: readonly string[],
  i: number,
): { readonly title: string; readonly style: string; readonly first: number; readonly last: number } | null {
  const text = lines[i]!;
  const over = UNDERLINE.exec(text);
  if (over) {
    const title = lines[i + 1]?.trim() ?? '';
    const under = lines[i + 2]?.trimEnd() ?? '';
    if (title === '' || UNDERLINE.test(title) || under !== text.trimEnd() || under.length < title.length) return null;
    return { title, style: `${over[1]}${over[1]}`, first: i, last: i + 2 };
  }
  const under = UNDERLINE.exec(lines[i + 1] ?? '');
  if (!under || text.trim() === '' || /^\s/.test(text) || text.startsWith('.. ')) return null;
  // Docutils requires an underline as long as the title; authors are often one or two characters short.
  if (lines[i + 1]!.trimEnd().length + 2 < text.trimEnd().length) return null;
  return { title: text.trim(), style: under[1]!, first: i, last: i + 1 };
}

function readMeta(lines: readonly string[], draft: ScanDraft): void {
  for (let i = 0; i < Math.min(lines.length, 60); i++) {
    const tags = /^(?:\s+:keywords:|:tags:|\.\. tags::)\s*(.+)$/.exec(lines[i]!);
    for (const tag of tags?.[1]?.split(',') ?? []) if (tag.trim()) draft.tags.add(tag.trim().toLowerCase());
  }
}
