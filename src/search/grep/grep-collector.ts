/** What ripgrep says, line by line, as matches in the files that the walk would list. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GrepAnswer, GrepMatch } from '../../model/records/query.ts';
import { inspectContent, isSecretPath, type PathMatcher } from '../../walk/index.ts';
import { CheckedLines } from './checked-lines.ts';

/** ripgrep ignores --max-columns in its JSON: long lines are cut here. */
const MAX_TEXT = 500;
/** Of it, what stands before a match that begins further on. */
const BEFORE_MATCH = 40;
/** ripgrep opens no larger ones. */
const MAX_BYTES = 64 << 20;

interface RgText {
  readonly text?: string;
  readonly bytes?: string;
}
interface RgMessage {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  readonly data: {
    readonly path?: RgText;
    readonly lines?: RgText;
    readonly line_number?: number;
    readonly submatches?: readonly { readonly start: number }[];
    readonly stats?: { readonly searches: number };
  };
}

export interface CollectorOptions {
  readonly limit: number;
  readonly context: number;
  readonly wanted: PathMatcher;
  readonly inGit: boolean;
  readonly isIgnored: (path: string) => boolean;
}

/** Turns ripgrep's messages into matches with the lines around them. */
export class GrepCollector {
  readonly #root: string;
  readonly #limit: number;
  readonly #context: number;
  readonly #matches: (GrepMatch & { readonly after: string[] })[] = [];
  #before: { line: number; text: string }[] = [];
  /** Null until ripgrep has come to its end, which it does not when it is stopped. */
  filesSearched: number | null = null;
  #filesBegun = 0;
  #filesMatched = 0;
  readonly #wanted: PathMatcher;
  readonly #inGit: boolean;
  /** By folder: whether it lies in another repository. */
  readonly #foreign = new Map<string, boolean>();
  readonly #isIgnored: (path: string) => boolean;
  #leftOut = false;
  /** Of the file at hand, as long as its lines are shown. */
  #lines: CheckedLines | null = null;
  total = 0;

  constructor(root: string, options: CollectorOptions) {
    this.#root = root;
    this.#limit = options.limit;
    this.#context = options.context;
    this.#wanted = options.wanted;
    this.#inGit = options.inGit;
    this.#isIgnored = options.isIgnored;
  }

  take(line: string): void {
    const message = messageOf(line);
    if (message === null) return;
    const { type, data } = message;
    if (type === 'begin') {
      this.#filesBegun++;
      this.#before = [];
      const path = pathOf(data.path);
      this.#leftOut =
        isSecretPath(path) ||
        !this.#wanted(path) ||
        this.#isForeign(path) ||
        this.#isIgnored(path) ||
        this.#isUnreadable(path);
      if (!this.#leftOut) this.#filesMatched++;
    } else if (type === 'summary') this.filesSearched = (this.filesSearched ?? 0) + (data.stats?.searches ?? 0);
    else if (!this.#leftOut && (type === 'match' || type === 'context')) this.#takeLine(type, data);
  }

  /** A submodule, or a repository that merely lies here. Looked at where something matches: few folders, each once. */
  #isForeign(path: string): boolean {
    const end = path.lastIndexOf('/');
    if (!this.#inGit || end < 0) return false;
    const folder = path.slice(0, end);
    let known = this.#foreign.get(folder);
    if (known === undefined) {
      known = existsSync(join(this.#root, folder, '.git')) || this.#isForeign(folder);
      this.#foreign.set(folder, known);
    }
    return known;
  }

  /** A key in a file of an innocent name, or no text at all. What is only counted, past the limit, is not opened for it. */
  #isUnreadable(path: string): boolean {
    this.#lines = null;
    if (this.#matches.length >= this.#limit) return false;
    try {
      this.#lines = new CheckedLines(this.#root, path, MAX_BYTES);
      const reason = inspectContent(this.#lines.bytes, path)?.reason;
      return reason === 'secret' || reason === 'binary';
    } catch {
      // Gone since ripgrep read it, or a name that is no text: nobody can tell, so it is not shown.
      return true;
    }
  }

  #takeLine(type: 'match' | 'context', data: RgMessage['data']): void {
    const number = data.line_number ?? 0;
    if (this.#lines?.isLine(number, bytesOf(data.lines)) === false) {
      // Another file than the one that was checked, or another content: from here on nothing of it is shown or counted.
      this.#leftOut = true;
      return;
    }
    const whole = textOf(data.lines).replace(/\r?\n$/, '');
    const text = cutAround(whole, 0);
    for (const entry of this.#matches.slice(-this.#context - 1)) {
      const distance = number - entry.line;
      if (entry.path === pathOf(data.path) && distance > 0 && distance <= this.#context) entry.after.push(text);
    }
    if (type === 'match') {
      this.total++;
      if (this.#matches.length < this.#limit) {
        const start = data.submatches?.[0]?.start ?? 0;
        const column = Buffer.from(whole).subarray(0, start).toString('utf8').length + 1;
        const before = this.#before.filter((entry) => entry.line >= number - this.#context).map((entry) => entry.text);
        const around = cutAround(whole, column - 1);
        this.#matches.push({ path: pathOf(data.path), line: number, column, text: around, before, after: [] });
      }
    }
    this.#before.push({ line: number, text });
    if (this.#before.length > this.#context) this.#before.shift();
  }

  answer(durationMs: number, timedOut: boolean): GrepAnswer {
    return {
      matches: this.#matches,
      totalMatches: this.total,
      filesSearched: this.filesSearched ?? this.#filesBegun,
      filesMatched: this.#filesMatched,
      durationMs,
      truncated: timedOut || this.total > this.#matches.length,
    };
  }
}

/** Of a long line, its beginning; where the match stands further on, what is around that. */
function cutAround(line: string, at: number): string {
  if (line.length <= MAX_TEXT) return line;
  const start = at < MAX_TEXT - BEFORE_MATCH ? 0 : at - BEFORE_MATCH;
  const end = start + MAX_TEXT;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

/** Null for a line that was cut short: ripgrep is stopped in the middle of one once enough is counted, or time is up. */
function messageOf(line: string): RgMessage | null {
  try {
    return JSON.parse(line) as RgMessage;
  } catch {
    return null;
  }
}

function bytesOf(value: RgText | undefined): Buffer {
  return value?.bytes ? Buffer.from(value.bytes, 'base64') : Buffer.from(value?.text ?? '');
}

function textOf(value: RgText | undefined): string {
  return value?.text ?? bytesOf(value).toString('utf8');
}

function pathOf(value: RgText | undefined): string {
  return textOf(value).replace(/^\.\//, '').replaceAll('\\', '/');
}
