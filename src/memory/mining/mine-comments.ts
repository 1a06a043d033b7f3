/** Mines comments: TODO, FIXME and similar markers, and deprecations with their replacement. */
import { pattern } from '../../model/text/pattern.ts';
import { commentSpans, isLineComment, type Spans } from './comment-places.ts';
import { linesOf } from './mine-prose.ts';
import type { Note } from './mined-note.ts';
import { plainText } from './mined-note.ts';

/** Stemmed terms of markers: only contents with one of them are read. */
export const MARKER_TERMS: readonly string[] = ['todo', 'fixm', 'hack', 'xxx', 'bug', 'deprecat', 'obsolet'];

/** A marker at the start of a comment line. The name in brackets is a person's and is dropped. */
const MARKER = pattern('i')`
  ^(@?)(TODO|FIXME|HACK|XXX|BUG)\b(?:\/(?:TODO|FIXME|HACK|XXX)\b)?(\s?\([^)]{0,60}\)
  |\[[^\]]{0,60}\])?\s*([:!?–—-]*)\s*(.*)$
`;
/** A marker inside a sentence, which needs a colon: "the XXX in the name" is none. */
const INSIDE = /(?:^|[\s(.,;])(TODO|FIXME|HACK|XXX)(?:\([^)]{0,60}\))?:\s*(\S.*)$/;
const ANY = /\b(?:TODO|FIXME|HACK|XXX)\b/;
/** A name that begins like a marker: "TODO.md", "todo()". */
const NAME = /^@?\w+(?:\.\w|\(\)|=)/;
const DEPRECATED: readonly RegExp[] = [
  /@deprecated\b[:\s]*(.{0,200})/i,
  /#\[deprecated\b(?:[^\]]*?note\s*=\s*"([^"]*)")?/,
  /\[Obsolete\s*\(\s*"([^"]*)"/,
  /@available\([^)]*deprecated(?:[^)]*?message:\s*"([^"]*)")?/,
  /(?:\/\/|#|\*|--)\s*Deprecated:\s*(.{0,200})/,
  /["']([^"']{8,200})["']\s*,\s*(?:category\s*=\s*)?(?:\w*DeprecationWarning)\b/,
  /trigger_deprecation\([^,]*,[^,]*,\s*["']([^"']{8,200})/,
];
const QUICK = /TODO|FIXME|HACK|XXX|BUG|@todo|[Dd]eprecat|Obsolete|DEPRECATED/g;
const MAX_LINE = 1_000;
const MAX_NOTES = 200;
/** Lines of the comment that are read after the marker's line. */
const MORE_LINES = 3;
const MIN_CHARACTERS = 7;
const MAX_CHARACTERS = 300;

/** `syntax`: the language's pattern for comments and strings (comment-places.ts). */
export function mineComments(text: string, syntax: RegExp): Note[] {
  const places = markedLines(text);
  if (places.length === 0) return [];
  const comments = new CommentLines(text, syntax);
  const notes: Note[] = [];
  for (const at of places) {
    if (notes.length >= MAX_NOTES) break;
    if (comments.lines[at]!.length > MAX_LINE) continue;
    const note = markerAt(comments, at) ?? deprecationAt(comments, at);
    if (note && !isRepeated(notes.at(-1), note)) notes.push(note);
  }
  return notes;
}

/** Whether a note, such as an annotation below a comment, repeats the beginning of the note before. */
function isRepeated(before: Note | undefined, note: Note): boolean {
  if (!before?.content.startsWith(`${note.content}:`)) return false;
  return note.startLine - before.endLine <= 8;
}

interface CommentLine {
  /** The text without comment signs. */
  readonly text: string;
  /** Only white space precedes it on its line. */
  readonly isAlone: boolean;
  /** Offset at which the whole comment begins. */
  readonly comment: number;
}

class CommentLines {
  readonly lines: readonly string[];
  readonly #text: string;
  readonly #spans: Spans;
  /** Offset of each line. */
  readonly #starts: number[];

  constructor(text: string, syntax: RegExp) {
    this.#text = text;
    this.lines = linesOf(text);
    this.#spans = commentSpans(text, syntax);
    this.#starts = [0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#starts.push(end + 1);
  }

  /** The comments on a line, from left to right. */
  at(line: number): CommentLine[] {
    const from = this.#starts[line];
    if (from === undefined) return [];
    const to = from + this.lines[line]!.length;
    const found: CommentLine[] = [];
    for (let i = this.#firstAfter(from); i < this.#spans.length && this.#spans[i]! < to; i += 2) {
      const [start, end] = [this.#spans[i]!, this.#spans[i + 1]!];
      found.push({
        text: withoutSigns(this.#text.slice(Math.max(start, from), Math.min(end, to))),
        isAlone: this.#text.slice(from, Math.max(start, from)).trim() === '',
        comment: start,
      });
    }
    return found;
  }

  /** Whether the second line continues the comment of the first. */
  continues(first: CommentLine, second: CommentLine): boolean {
    if (first.comment === second.comment) return true;
    const isLine = ({ comment }: CommentLine) => isLineComment(this.#text.slice(comment, comment + 3));
    return first.isAlone && second.isAlone && isLine(first) && isLine(second);
  }

  /** Index of the first span that ends after the offset. */
  #firstAfter(place: number): number {
    let [low, high] = [0, this.#spans.length / 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#spans[2 * middle + 1]! > place) high = middle;
      else low = middle + 1;
    }
    return 2 * low;
  }
}

function withoutSigns(text: string): string {
  return text
    .trim()
    .replace(/(?:\*+\/|-->|-\}|\*\)|\]=*\]|"""|'''|^=end)$/, '')
    .replace(/^(?:\/\*+!?|\/{2,}!?|<!--|\{-+\|?|\(\*+|--\[=*\[|-{2,}|#+!?|;+|%+|\*+(?!\/)|"""|'''|'|=begin\b)/, '')
    .trim();
}

/** Indices of lines that may contain a marker, from one search through the whole text. */
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

function markerAt(comments: CommentLines, at: number): Note | null {
  for (const comment of comments.at(at)) {
    const found = parseMarker(comment.text);
    if (!found) continue;
    const parts = found.words === '' ? [] : [found.words];
    let end = at;
    // Adds the following lines of a wrapped comment, up to the next marker or tag.
    while (end - at < MORE_LINES && parts.join(' ').length < MAX_CHARACTERS) {
      const next = comments.at(end + 1)[0];
      if (!next || next.text === '' || !comments.continues(comment, next)) break;
      if (next.text.startsWith('@') || ANY.test(next.text) || parseMarker(next.text)) break;
      parts.push(next.text);
      end++;
    }
    const content = withoutClosing(parts.join(' '));
    // A row of signs or markers is no content.
    if (content.length < MIN_CHARACTERS || !/\p{Ll}{2}|\p{Lo}{2}/u.test(content)) continue;
    return {
      type: 'issue',
      content: `${found.marker}: ${content}`,
      origin: 'comment',
      confidence: found.marker === 'TODO' ? 0.55 : 0.6,
      startLine: at + 1,
      endLine: end + 1,
    };
  }
  return null;
}

function parseMarker(text: string): { readonly marker: string; readonly words: string } | null {
  const first = MARKER.exec(text);
  if (first) {
    const [, sign, word = '', name, colon = '', words = ''] = first;
    const marker = word.toUpperCase();
    const isMeant = word === marker ? marker !== 'BUG' || name || colon.includes(':') : sign;
    return isMeant && !NAME.test(text) ? { marker, words: words.replace(/^[,;.]\s*/, '') } : null;
  }
  const inside = INSIDE.exec(text);
  return inside ? { marker: inside[1]!, words: inside[2]! } : null;
}

function deprecationAt(comments: CommentLines, at: number): Note | null {
  const line = comments.lines[at]!;
  for (const pattern of DEPRECATED) {
    const match = pattern.exec(line);
    if (!match) continue;
    // `@deprecated` counts inside a comment or as an annotation; elsewhere code only mentions it.
    const isTag = match[0].startsWith('@') && !match[0].startsWith('@available');
    if (isTag && !/^\s*@/.test(line) && !comments.at(at).some(({ text }) => pattern.test(text))) continue;
    const why = withoutClosing(match[1] ?? '');
    const what = definedBelow(comments.lines, at);
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

const DEFINITION = pattern()`
  \b(?:function|func|fn|def|class|struct|interface|trait|type|enum|const|let|var|val|fun|module)\s+
  (?:\([^)]*\)\s*)?(?:static\s+|async\s+|final\s+|readonly\s+|class\s+)*([A-Za-z_]\w*)
`;

/** The name of the definition below a line; '' if there is none. */
function definedBelow(lines: readonly string[], at: number): string {
  for (const line of lines.slice(at + 1, at + 8)) {
    if (/^\s*(?:\/\/|#(?!\[)|\*|--|@|\[|#\[)/.test(line) || line.trim() === '') continue;
    const named = DEFINITION.exec(line)?.[1];
    // Without a keyword, the name precedes parameters or a value.
    return named ?? /([A-Za-z_]\w*)\s*(?:<[^>(]*>)?\s*[(:=;]/.exec(line)?.[1] ?? '';
  }
  return '';
}

/** Removes the end of the comment, and brackets that close a call around the note but not one inside it. */
function withoutClosing(text: string): string {
  const comment = text.replace(/\*\/.*$|-->.*$/s, '').replace(/["'\]]+$/, '');
  return plainText(comment.split('(').length < comment.split(')').length ? comment.replace(/\)+$/, '') : comment, 400);
}
