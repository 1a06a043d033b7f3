import type { ScannedContent } from '../language.ts';
import { Outline } from '../runtime/scanning/outline.ts';
import { rows } from '../runtime/scanning/rows.ts';
import { ScanDraft } from '../runtime/scanning/scan-draft.ts';

const HEADING = /<h([1-6])\b[^>]{0,400}>([\s\S]{0,400}?)<\/h\1>/gi;
const SOURCE = /<(?:script|link|iframe)\b[^>]{0,400}?\b(?:src|href)\s*=\s*["']([^"'#?]+)/gi;

/** Scans HTML: a section for each heading; scripts and stylesheets that it loads are imports. */
export function scanHtml(lines: readonly string[]): ScannedContent {
  const draft = new ScanDraft();
  const text = withoutComments(lines.join('\n'));
  const title = plain(/<title\b[^>]{0,400}>([\s\S]{0,400}?)<\/title>/i.exec(text)?.[1] ?? '');
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

/** Replaces comments by spaces, so that offsets stay valid; an unclosed comment is text. */
function withoutComments(text: string): string {
  let shown = '';
  let at = 0;
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', at)) {
    const close = text.indexOf('-->', open + 4);
    if (close < 0) break;
    shown += text.slice(at, open) + text.slice(open, close + 3).replace(/[^\n]/g, ' ');
    at = close + 3;
  }
  return shown + text.slice(at);
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
