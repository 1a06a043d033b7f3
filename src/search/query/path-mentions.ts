/** Finds files that a query names by path: `auth/jwt.rs` means that file, whatever the other words are. */
import { nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import { compileGlobs } from '../../walk/index.ts';
import { depthOf } from '../scoring/tree-stats.ts';
import { FILE_ENDINGS } from './query-intent.ts';
import type { Masks } from './search-filter.ts';
import type { Understood } from './understand-query.ts';

export interface PathMention {
  readonly file: number;
  /** The line number after the path; 0 if there is none. */
  readonly line: number;
  /** The query names a folder that contains the file. */
  readonly inFolder?: boolean;
}

/**
 * Files that the query names, best first: an equal path before a path that ends with the name, the same case before
 * another case, files in a folder of that name last; among equals, the shallower path.
 */
export function findPathMentions({ intent, text }: Understood, view: TreeView, masks: Masks): PathMention[] {
  if (intent !== 'path') return intent === 'symbol' ? [] : mentionedFiles(text, view, masks);
  const mentions = text
    .split(/\s+/)
    .filter(looksLikePath)
    .map((word) => ({ path: barePath(word), line: lineBehind(word), matches: globOf(barePath(word)) }));
  const found: (PathMention & { readonly rank: number })[] = [];
  view.files.forEach(({ path }, file) => {
    if (masks.files && !masks.files[file]) return;
    let best = { rank: NO_MATCH, line: 0 };
    for (const { path: part, line, matches } of mentions) {
      const rank = matches ? (matches(path) ? ENDS_WITH : NO_MATCH) : rankOf(path, part);
      if (rank < best.rank) best = { rank, line };
    }
    if (best.rank < NO_MATCH) found.push({ file, ...best });
  });
  // The path may be absolute, or begin with the prefix of a patch.
  if (found.length === 0) return mentionedFiles(text, view, masks);
  const path = ({ file }: PathMention) => view.files[file]!.path;
  // Files are sorted by path, so the index breaks ties.
  return found
    .sort((a, b) => a.rank - b.rank || depthOf(path(a)) - depthOf(path(b)) || a.file - b.file)
    .map(({ file, line, rank }) => ({ file, line, ...(rank === IN_FOLDER && { inFolder: true }) }));
}

/**
 * The extension of a path inside a sentence or stack trace, with the line number in the notation of each language:
 * `f.ts:12`, `f.py", line 12`, `f.cs:line 12`, `f.php on line 12`.
 */
const ENDING = new RegExp(
  `(\\.(?:${FILE_ENDINGS}))(?:(?::|"?, line |:line | on line |#L)(\\d+))?(?![\\w/]|\\.\\w)`,
  'gi',
);
const IN_PATH = /[\w@+~$.[\]/\\-]/;
/** Further files of a trace are ignored, to leave room for results by its words. */
const MAX_FILES_MENTIONED = 5;

/** Finds paths inside a text by their longest suffix that exactly one file has: the rest belongs to another machine. */
function mentionedFiles(text: string, view: TreeView, masks: Masks): PathMention[] {
  const found = new Map<number, number>();
  // The end of the last mention: scanning backwards stops there, so that no character is scanned twice.
  let scannedTo = 0;
  for (const { 0: whole, 1: ending, 2: line, index } of text.matchAll(ENDING)) {
    if (found.size >= MAX_FILES_MENTIONED) break;
    let start = index;
    while (start > scannedTo && IN_PATH.test(text[start - 1]!)) start--;
    scannedTo = index + whole.length;
    const parts = (text.slice(start, index) + ending).split(/[/\\]/).filter((part) => !/^\.{0,2}$/.test(part));
    const file =
      parts.length > 1
        ? longestEnding(parts, view, masks)
        : line === undefined
          ? -1
          : fileOfFrame(text.slice(0, start), parts[0]!, view, masks);
    if (file >= 0 && !found.has(file)) found.set(file, Number(line ?? 0));
  }
  return [...found].map(([file, line]) => ({ file, line }));
}

/**
 * The file of a stack frame that names no folder: in `at org.acme.cart.Cart.total(Cart.java:12)`, the package before
 * the name tells several Cart.java apart.
 */
function fileOfFrame(before: string, name: string, view: TreeView, masks: Masks): number {
  const around = /([\w.$/]+)\($/.exec(before)?.[1]?.split(/[./]/).slice(0, -2) ?? [];
  const found = longestEnding([...around, name], view, masks);
  if (found >= 0) return found;
  const namesakes = view.files.flatMap(({ path }, file) =>
    nameOf(path) === name && !(masks.files && !masks.files[file]) ? [file] : [],
  );
  return namesakes.length === 1 ? namesakes[0]! : -1;
}

/** The one file that shares the longest suffix with the path, at least name and folder; -1 if none or several do. */
function longestEnding(parts: readonly string[], view: TreeView, masks: Masks): number {
  const name = parts.at(-1)!;
  let found = -1;
  let longest = 1;
  view.files.forEach(({ path }, file) => {
    if (!path.endsWith(name) || nameOf(path) !== name || (masks.files && !masks.files[file])) return;
    const shared = sharedSuffix(path.split('/'), parts);
    if (shared > longest) [found, longest] = [file, shared];
    else if (shared === longest) found = -1;
  });
  return found;
}

/** Number of last parts that two paths have in common, whose last part is known to be equal. */
export function sharedSuffix(one: readonly string[], other: readonly string[]): number {
  let shared = 1;
  while (shared < one.length && shared < other.length && one.at(-1 - shared) === other.at(-1 - shared)) shared++;
  return shared;
}

/** A path without the line number after it and `./` or `/` before it. */
function barePath(word: string): string {
  return word.replace(LINE_BEHIND, '').replace(/^\.{0,2}\/+/, '');
}

const LINE_BEHIND = /(?::\d+)+$|#L\d+(?:-L?\d+)?$/;

function lineBehind(word: string): number {
  return Number(/\d+/.exec(LINE_BEHIND.exec(word)?.[0] ?? '')?.[0] ?? 0);
}

function looksLikePath(word: string): boolean {
  return /[./]/.test(word);
}

/** A matcher for a glob, which matches in any folder unless it contains a slash; null for a plain path. */
function globOf(word: string): ((path: string) => boolean) | null {
  return /^[\w@+~.*?/-]*\*[\w@+~.*?/-]*$/.test(word) ? compileGlobs([word.includes('/') ? word : `**/${word}`]) : null;
}

const ENDS_WITH = 1;
const IN_FOLDER = 4;
const NO_MATCH = 5;

function rankOf(path: string, mention: string): number {
  if (path === mention) return 0;
  if (path.endsWith(`/${mention}`)) return ENDS_WITH;
  const [lower, wanted] = [path.toLowerCase(), mention.toLowerCase()];
  if (lower === wanted) return 2;
  if (lower.endsWith(`/${wanted}`)) return 3;
  // A folder must be named with a slash: a single word would match too many.
  return wanted.includes('/') && `/${lower}`.includes(`/${wanted.replace(/\/+$/, '')}/`) ? IN_FOLDER : NO_MATCH;
}
