import type { ScannedContent } from '../language.ts';
import { Outline } from '../runtime/scanning/outline.ts';
import { ScanDraft } from '../runtime/scanning/scan-draft.ts';

const HEADING = /<h([1-6])\b[^>]*>([\s\S]{0,400}?)<\/h\1>/gi;
const SOURCE = /<(?:script|link|iframe)\b[^>]{0,400}?\b(?:src|href)\s*=\s*["']([^"'#?]+)/gi;

/** HTML: a section per heading; scripts and stylesheets it loads as imports. */
export function scanHtml(lines: readonly string[]): ScannedContent {
  const draft = new ScanDraft();
  const text = lines.join('\n').replace(/<!--[\s\S]{0,4000}?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
  const title = plain(/<title\b[^>]*>([\s\S]*?)<\/title>/i.exec(text)?.[1] ?? '');
  const outline = new Outline(draft, lines, title);
  const rowOf = rows(text);
  for (const match of text.matchAll(HEADING)) {
    const heading = plain(match[2]!);
    if (heading) outline.heading(heading, Number(match[1]), rowOf(match.index));
  }
  outline.close();
  for (const match of text.matchAll(SOURCE)) draft.import(match[1]!, rowOf(match.index) + 1);
  return draft.finish();
}

/** Vue and Svelte: only what stands inside <script> stays visible, at its place. */
export function maskAllButScript(text: string): string {
  const opening = /<script\b[^>]{0,400}>/gi;
  let out = '';
  let end = 0;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = opening.lastIndex;
    const close = text.indexOf('</script', start);
    // Half written: what is there belongs to the script.
    if (close < 0 && match[0].endsWith('/>')) continue;
    if (close < 0) return out + blank(text.slice(end, start)) + text.slice(start);
    out += blank(text.slice(end, start)) + text.slice(start, close);
    end = close;
    opening.lastIndex = close;
  }
  return out + blank(text.slice(end));
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** Rows of growing offsets, without counting from the start each time. */
export function rows(text: string): (offset: number) => number {
  let row = 0;
  let at = 0;
  return (offset) => {
    if (offset < at) {
      row = 0;
      at = 0;
    }
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      row++;
      at = next + 1;
    }
    return row;
  };
}
