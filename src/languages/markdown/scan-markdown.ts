import type { ScannedContent } from '../language.ts';
import { frontMatter } from '../runtime/scanning/front-matter.ts';
import { addHashtags } from '../runtime/scanning/hashtags.ts';
import { Outline } from '../runtime/scanning/outline.ts';
import { cutLines, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^(?: {0,3}|[ \t]*(?:[-*+]|\d+[.)])[ \t]+|[ \t>]+)(`{3,}|~{3,})/;
const SETEXT = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** Lines that cannot be the text of a setext heading: blank lines, lists, quotes, tables, headings, rules, HTML. */
const NOT_PARAGRAPH = /^\s*$|^ {0,3}(?:[-*+] |\d+[.)] |>|\||#{1,6} |<|(?:[-*_] *){3,}$)|^(?: {4}|\t)/;
const MDX_IMPORT = /^import\s+(?:(?<names>[^'"]+?)\s+from\s+)?['"](?<source>[^'"]+)['"]/;

/** Scans Markdown: a section for each ATX or setext heading outside of fences, comments and front matter. */
export function scanMarkdown(lines: readonly string[]): ScannedContent {
  return scan(cutLines(lines), false);
}

/** Scans MDX: Markdown with import lines. */
export function scanMdx(lines: readonly string[]): ScannedContent {
  return scan(cutLines(lines), true);
}

function scan(lines: readonly string[], mdx: boolean): ScannedContent {
  const draft = new ScanDraft();
  const matter = frontMatter(lines);
  for (const tag of matter.tags) draft.tags.add(tag);
  const outline = new Outline(draft, lines, matter.title);
  let fence = '';
  let comment = false;
  for (let i = matter.end; i < lines.length; i++) {
    const line = lines[i]!;
    if (fence) {
      if (closesFence(line, fence)) fence = '';
      continue;
    }
    if (comment) {
      comment = !line.includes('-->');
      continue;
    }
    const opening = FENCE.exec(line);
    if (opening && !(opening[1]![0] === '`' && line.slice(opening[0].length).includes('`'))) {
      fence = opening[1]!;
      continue;
    }
    if (line.includes('<!--') && !line.includes('-->')) {
      comment = true;
      continue;
    }
    const atx = ATX.exec(line);
    if (atx) {
      outline.heading(plainHeading(atx[2] ?? ''), atx[1]!.length, i);
      continue;
    }
    const setext = SETEXT.exec(lines[i + 1] ?? '');
    if (setext && !NOT_PARAGRAPH.test(line) && (i === 0 || lines[i - 1]!.trim() === '' || i === matter.end)) {
      outline.heading(plainHeading(line), setext[1]![0] === '=' ? 1 : 2, i);
      i++;
      continue;
    }
    if (mdx && line.startsWith('import')) addImport(draft, line, i + 1);
    else if (line.includes('#')) addHashtags(draft.tags, line);
  }
  outline.close();
  return draft.finish();
}

function closesFence(line: string, fence: string): boolean {
  const text = line.replace(/^[ \t>]+/, '').trimEnd();
  return text.length >= fence.length && text.startsWith(fence) && [...text].every((c) => c === fence[0]);
}

/** The text of a heading without emphasis, links, code marks, anchors and HTML. */
function plainHeading(text: string): string {
  return text
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^>]*>/g, '')
    .replace(/\*\*|__(?=\S)|(?<=\S)__|`/g, '')
    .trim();
}

function addImport(draft: ScanDraft, line: string, number: number): void {
  const groups = MDX_IMPORT.exec(line)?.groups;
  if (!groups) return;
  const written = groups.names ?? '';
  const names = (/\{([^}]*)\}/.exec(written)?.[1] ?? '')
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/))
    .filter(([name]) => name)
    .map(([name, local]) => ({ name: name!, local: local ?? name! }));
  const standard = /^(?:\*\s+as\s+)?(\w+)/.exec(written)?.[1] ?? '';
  draft.import(groups.source!, number, standard, names);
}
