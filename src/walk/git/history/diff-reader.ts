/**
 * Parses a patch without context lines, piece by piece: the changed files, their changed line ranges in the new
 * version, and the text of the lines removed from the old one.
 */
import type { Diff, FileChange, LineRange } from '../../../model/records/impact.ts';

/** Removed lines per file, and their characters in total. They are read for the names that they defined. */
const MAX_REMOVED_LINES = 20_000;
const MAX_REMOVED_CHARS = 8 << 20;
const MAX_LINE_CHARS = 2_000;

interface OpenFile {
  path: string;
  oldPath: string;
  status: FileChange['status'];
  isBinary: boolean;
  readonly added: LineRange[];
  readonly cuts: number[];
  readonly removed: string[];
  /** Lines that the current hunk still has of the old and of the new version. */
  oldLeft: number;
  newLeft: number;
}

export class DiffReader {
  readonly #maxFiles: number;
  readonly #files: FileChange[] = [];
  #more = 0;
  #open: OpenFile | null = null;
  #rest = '';
  #removedText = 0;

  constructor(maxFiles: number) {
    this.#maxFiles = maxFiles;
  }

  push(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop()!.slice(0, MAX_LINE_CHARS * 10);
    for (const line of lines) this.#take(line);
  }

  finish(): Diff {
    if (this.#rest !== '') this.#take(this.#rest);
    this.#close();
    return { files: this.#files, moreFiles: this.#more };
  }

  #take(line: string): void {
    const open = this.#open;
    if (open && open.oldLeft + open.newLeft > 0 && this.#takeHunk(open, line)) return;
    if (line.startsWith('diff --git ')) this.#begin(line.slice('diff --git '.length));
    else if (open) this.#takeHead(open, line);
  }

  #takeHunk(open: OpenFile, line: string): boolean {
    if (line.startsWith('-')) {
      open.oldLeft--;
      if (open.removed.length < MAX_REMOVED_LINES && this.#removedText < MAX_REMOVED_CHARS) {
        open.removed.push(line.slice(1, MAX_LINE_CHARS));
        this.#removedText += Math.min(line.length, MAX_LINE_CHARS);
      }
    } else if (line.startsWith('+')) open.newLeft--;
    else return line.startsWith('\\');
    return true;
  }

  #takeHead(open: OpenFile, line: string): void {
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      const [, oldCount, start, newCount] = hunk;
      open.oldLeft = oldCount === undefined ? 1 : Number(oldCount);
      open.newLeft = newCount === undefined ? 1 : Number(newCount);
      if (open.newLeft > 0) open.added.push([Number(start), Number(start) + open.newLeft - 1]);
      else open.cuts.push(Number(start));
      // An empty line separates hunks, so that no definition is read across two of them.
      if (open.removed.length > 0) open.removed.push('');
    } else if (line.startsWith('new file mode')) open.status = 'added';
    else if (line.startsWith('deleted file mode')) open.status = 'deleted';
    else if (line.startsWith('rename from ')) {
      open.status = 'renamed';
      open.oldPath = unquote(line.slice('rename from '.length));
    } else if (line.startsWith('rename to ')) open.path = unquote(line.slice('rename to '.length));
    else if (line.startsWith('Binary files ') || line === 'GIT binary patch') open.isBinary = true;
    else if (line.startsWith('--- ')) open.oldPath = sidePath(line, open.oldPath);
    else if (line.startsWith('+++ ')) open.path = sidePath(line, open.path);
  }

  #begin(names: string): void {
    this.#close();
    const [oldPath, path] = headPaths(names);
    this.#open = {
      path,
      oldPath,
      status: 'modified',
      isBinary: false,
      added: [],
      cuts: [],
      removed: [],
      oldLeft: 0,
      newLeft: 0,
    };
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    if (!open) return;
    const { path, oldPath, status, isBinary, added, cuts, removed } = open;
    // Only the time of the file changed.
    if (status === 'modified' && !isBinary && added.length + cuts.length === 0) return;
    if (this.#files.length >= this.#maxFiles) this.#more++;
    else
      this.#files.push({
        path: status === 'deleted' ? oldPath : path,
        oldPath: status === 'renamed' ? oldPath : null,
        status,
        isBinary,
        added,
        cuts,
        removed,
      });
  }
}

/** Splits the `a/x b/x` of a header. Unless the file was renamed, which other lines tell, both halves are the same. */
function headPaths(names: string): readonly [string, string] {
  const quoted = /^("(?:[^"\\]|\\.)*"|.*) ("(?:[^"\\]|\\.)*")$/.exec(names);
  if (quoted) return [unquote(quoted[1]!).slice(2), unquote(quoted[2]!).slice(2)];
  const half = (names.length - 1) / 2;
  const [a, b] = [names.slice(2, half), names.slice(half + 3)];
  return a === b ? [a, b] : [names.slice(2), names.slice(2)];
}

function sidePath(line: string, otherwise: string): string {
  // git appends a tab to a name that contains a space.
  const name = unquote(line.slice(4).replace(/\t$/, ''));
  return name === '/dev/null' ? otherwise : name.slice(2);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Undoes git's quoting of names that contain control characters, quotes or bytes beyond ASCII. */
function unquote(name: string): string {
  if (!(name.startsWith('"') && name.endsWith('"') && name.length > 1)) return name;
  const bytes: number[] = [];
  for (const part of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (part[1] !== undefined) bytes.push(Number.parseInt(part[1], 8));
    else if (part[2] !== undefined) bytes.push(ESCAPES[part[2]] ?? part[2].charCodeAt(0));
    else bytes.push(...Buffer.from(part[0], 'utf8'));
  }
  return Buffer.from(bytes).toString('utf8');
}
