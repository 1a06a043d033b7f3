/** What comments admit: things to do, to fix, hacks, and what is deprecated in favour of what. */
import type { Note } from './note.ts';
import { plainText } from './note.ts';
import { linesOf } from './prose.ts';

/** Stemmed terms that lead to a marker: only contents with one of them are read. */
export const MARKER_TERMS: readonly string[] = ['todo', 'fixm', 'hack', 'xxx', 'bug', 'deprecat', 'obsolet'];

const COMMENT = /(?:\/\/|#|\/\*|^\s*\*|--|<!--|^\s*;|^\s*%|"""|''')/;
/** The name in brackets after a marker is a person's: it is not kept. */
const MARKER = /\b(TODO|FIXME|HACK|XXX|BUG)\b(?:\([^)]{0,60}\))?(?:\s*[:\-–]\s*|\s+)(\S.{6,300})/;
const DEPRECATED: readonly RegExp[] = [
  /@deprecated\b[:\s]*(.{0,200})/i,
  /#\[deprecated\b(?:[^\]]*?note\s*=\s*"([^"]*)")?/,
  /\[Obsolete\s*\(\s*"([^"]*)"/,
  /@available\([^)]*deprecated(?:[^)]*?message:\s*"([^"]*)")?/,
  /(?:\/\/|#|\*|--)\s*Deprecated:\s*(.{0,200})/,
  /["']([^"']{8,200})["']\s*,\s*(?:category\s*=\s*)?(?:\w*DeprecationWarning)\b/,
  /trigger_deprecation\([^,]*,[^,]*,\s*["']([^"']{8,200})/,
];
const QUICK = /TODO|FIXME|HACK|XXX|BUG|[Dd]eprecat|Obsolete|DEPRECATED/g;
const MAX_LINE = 1_000;
const MAX_NOTES = 200;
/** Lines of the same comment after the marker's own. */
const MORE_LINES = 3;

export function mineComments(text: string): Note[] {
  const places = markedLines(text);
  if (places.length === 0) return [];
  const lines = linesOf(text);
  const notes: Note[] = [];
  for (const at of places) {
    if (notes.length >= MAX_NOTES) break;
    if (lines[at]!.length > MAX_LINE) continue;
    const note = markerAt(lines, at) ?? deprecationAt(lines, at);
    if (note) notes.push(note);
  }
  return notes;
}

/** Lines with a word that may be a marker: one search through the whole text, not one a line. */
function markedLines(text: string): number[] {
  const places: number[] = [];
  let line = 0;
  let counted = 0;
  QUICK.lastIndex = 0;
  for (let match = QUICK.exec(text); match; match = QUICK.exec(text)) {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < match.index; end = text.indexOf('\n', counted)) {
      line++;
      counted = end + 1;
    }
    places.push(line);
    const end = text.indexOf('\n', match.index);
    if (end < 0) break;
    QUICK.lastIndex = end;
  }
  return places;
}

function markerAt(lines: readonly string[], at: number): Note | null {
  const line = lines[at]!;
  const comment = COMMENT.exec(line);
  const marker = comment && MARKER.exec(line.slice(comment.index));
  if (!marker) return null;
  const said = [marker[2]!];
  let end = at;
  // A wrapped comment: the lines below that begin the same way and no new thought.
  const lead = /^(\s*)(\/\/+|#+|\*|--|;+|%+)/.exec(line);
  while (lead && end - at < MORE_LINES && said.join(' ').length < 300) {
    const next = lines[end + 1] ?? '';
    const rest = new RegExp(`^\\s*${lead[2]!.replace(/[/*.+?^$()|[\]{}\\]/g, '\\$&')}[/#;%-]*\\s?(.*)$`).exec(
      next,
    )?.[1];
    if (rest === undefined || rest.trim() === '' || /^\/|^\s*@|\b(?:TODO|FIXME|HACK|XXX)\b/.test(rest)) break;
    said.push(rest.trim());
    end++;
  }
  return {
    type: 'issue',
    content: `${marker[1]}: ${closed(said.join(' '))}`,
    origin: 'comment',
    confidence: marker[1] === 'TODO' ? 0.55 : 0.6,
    startLine: at + 1,
    endLine: end + 1,
  };
}

function deprecationAt(lines: readonly string[], at: number): Note | null {
  const line = lines[at]!;
  for (const pattern of DEPRECATED) {
    const match = pattern.exec(line);
    if (!match) continue;
    const why = closed(match[1] ?? '');
    const what = definedBelow(lines, at);
    if (why.length < 4 && what === '') return null;
    return {
      type: 'issue',
      content: `Deprecated${what ? ` \`${what}\`` : ''}${why.length >= 4 ? `: ${why}` : ''}`,
      origin: 'comment',
      confidence: 0.5,
      startLine: at + 1,
      endLine: at + 1,
    };
  }
  return null;
}

/** The name that the note stands above. */
function definedBelow(lines: readonly string[], at: number): string {
  for (const line of lines.slice(at + 1, at + 8)) {
    if (/^\s*(?:\/\/|#(?!\[)|\*|--|@|\[|#\[)/.test(line) || line.trim() === '') continue;
    const name =
      /\b(?:function|func|fn|def|class|struct|interface|trait|type|enum|const|let|var|val|fun|module|static|public|private|protected)\s+(?:\([^)]*\)\s*)?(?:static\s+|async\s+|final\s+|readonly\s+)*([A-Za-z_]\w*)/.exec(
        line,
      )?.[1];
    return name ?? /^\s*([A-Za-z_]\w*)\s*[(:=<]/.exec(line)?.[1] ?? '';
  }
  return '';
}

function closed(text: string): string {
  const said = text.replace(/\*\/.*$|-->.*$/s, '').replace(/["'\]]+$/, '');
  // What closes a call around the note, not a call inside it.
  return plainText(said.split('(').length < said.split(')').length ? said.replace(/\)+$/, '') : said, 400);
}
