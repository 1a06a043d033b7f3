/** Files that a query names by path: `auth/jwt.rs` in a query means that file, whatever the other words say. */
import { nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import { compileGlobs } from '../../walk/index.ts';
import { depthOf } from '../scoring/tree-stats.ts';
import { FILE_ENDINGS } from './query-intent.ts';
import type { Masks } from './search-filter.ts';
import type { Understood } from './understand-query.ts';

export interface PathMention {
  readonly file: number;
  /** The line number behind the path; 0 without one. */
  readonly line: number;
  /** The file lies in a folder that the query names. */
  readonly inFolder?: boolean;
}

/**
 * Best first: the exact path before one that ends with it, the same case before another; then files of a folder of that
 * name; then shallower paths.
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
  // An absolute path, or one with what a patch puts before it.
  if (found.length === 0) return mentionedFiles(text, view, masks);
  const path = ({ file }: PathMention) => view.files[file]!.path;
  // Files are in the order of their paths.
  return found
    .sort((a, b) => a.rank - b.rank || depthOf(path(a)) - depthOf(path(b)) || a.file - b.file)
    .map(({ file, line, rank }) => ({ file, line, ...(rank === IN_FOLDER && { inFolder: true }) }));
}

/**
 * How a path ends inside a sentence or a stack trace, with its line as the languages write it: `f.ts:12`, `f.py", line
 * 12`, `f.cs:line 12`, `f.php on line 12`.
 */
const ENDING = new RegExp(
  `(\\.(?:${FILE_ENDINGS}))(?:(?::|"?, line |:line | on line |#L)(\\d+))?(?![\\w/]|\\.\\w)`,
  'gi',
);
const IN_PATH = /[\w@+~$.[\]/\\-]/;
/** A trace may name more files; the others are ignored, to leave room for results by its words. */
const MAX_FILES_MENTIONED = 5;

/** Ignores the part of a path that belongs to another machine: the longest suffix that exactly one file here has. */
function mentionedFiles(text: string, view: TreeView, masks: Masks): PathMention[] {
  const found = new Map<number, number>();
  /** The end of the last mention, so that no character is scanned twice. */
  let read = 0;
  for (const { 0: whole, 1: ending, 2: line, index } of text.matchAll(ENDING)) {
    if (found.size >= MAX_FILES_MENTIONED) break;
    let start = index;
    while (start > read && IN_PATH.test(text[start - 1]!)) start--;
    read = index + whole.length;
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
 * `at org.acme.cart.Cart.total(Cart.java:12)`: the package before it tells which file of that name is meant, where
 * there are several.
 */
function fileOfFrame(before: string, name: string, view: TreeView, masks: Masks): number {
  const around = /([\w.$/]+)\($/.exec(before)?.[1]?.split(/[./]/).slice(0, -2) ?? [];
  const found = longestEnding([...around, name], view, masks);
  if (found >= 0) return found;
  const called = view.files.flatMap(({ path }, file) =>
    nameOf(path) === name && !(masks.files && !masks.files[file]) ? [file] : [],
  );
  return called.length === 1 ? called[0]! : -1;
}

/** The only file that shares the longest suffix with the path, with its folder at least; -1 if none or several do. */
function longestEnding(parts: readonly string[], view: TreeView, masks: Masks): number {
  const name = parts.at(-1)!;
  let found = -1;
  let most = 1;
  view.files.forEach(({ path }, file) => {
    if (!path.endsWith(name) || nameOf(path) !== name || (masks.files && !masks.files[file])) return;
    const own = path.split('/');
    let shared = 1;
    while (shared < own.length && shared < parts.length && own.at(-1 - shared) === parts.at(-1 - shared)) shared++;
    if (shared > most) [found, most] = [file, shared];
    else if (shared === most) found = -1;
  });
  return found;
}

/** A file's name without a line number behind it or a mark before it. */
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

/** Files of any folder, as file patterns of a search mean them; null for a plain path. */
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
  // A single word names too many folders, unless it ends with a slash.
  return wanted.includes('/') && `/${lower}`.includes(`/${wanted.replace(/\/+$/, '')}/`) ? IN_FOLDER : NO_MATCH;
}
