/** Turns ripgrep's output into matches with the lines around them. */
import type { GrepAnswer, GrepMatch } from '../../model/records/query.ts';
import { redactText } from '../../model/secrets/redact.ts';
import { type FoundLine, readMessage } from './ripgrep-messages.ts';
import type { SearchableFile, SearchableFiles } from './searchable-files.ts';

/** Longer lines are cut here, because ripgrep ignores --max-columns in JSON output. */
const MAX_LINE_CHARACTERS = 500;
/** Characters of a long line shown before a match. */
const CHARACTERS_BEFORE_MATCH = 40;
/** Matches are counted past the limit up to this number. */
const MAX_COUNTED_MATCHES = 100_000;

export interface CollectorOptions {
  readonly limit: number;
  readonly contextLines: number;
  /** Files with access tokens. Matches in them are ignored: token-files.ts searches their redacted form. */
  readonly tokenFiles: ReadonlySet<string>;
}

export class GrepCollector {
  readonly #files: SearchableFiles;
  readonly #options: CollectorOptions;
  readonly #matches: (GrepMatch & { readonly after: string[] })[] = [];
  #before: { line: number; text: string }[] = [];
  /** Null until ripgrep reports it at its end, which a stopped ripgrep does not reach. */
  filesSearched: number | null = null;
  #filesBegun = 0;
  readonly #matched = new Set<string>();
  #path = '';
  #file: SearchableFile | null = null;
  total = 0;

  constructor(files: SearchableFiles, options: CollectorOptions) {
    this.#files = files;
    this.#options = options;
  }

  /** Takes a line of ripgrep's output. Returns false if the search must end. */
  take(json: string): boolean {
    const message = readMessage(json);
    if (message?.type === 'begin') {
      this.#filesBegun++;
      const { path } = message;
      this.begin(path, this.#options.tokenFiles.has(path) ? null : this.#files.open(path));
    } else if (message?.type === 'summary') this.filesSearched = (this.filesSearched ?? 0) + message.searches;
    else if (message?.type === 'line') this.takeLine(message.found);
    return !this.isFull;
  }

  get isFull(): boolean {
    return this.total >= MAX_COUNTED_MATCHES || this.#files.isExhausted;
  }

  /** Begins the matches of a file; null for a file that grep must not show. */
  begin(path: string, file: SearchableFile | null): void {
    this.#path = path;
    this.#file = file;
    this.#before = [];
  }

  takeLine(found: FoundLine): void {
    if (this.#file?.isLine(found.line, found.bytes) === false) {
      // ripgrep read another file or other content: ignore the rest of it.
      this.#file = null;
    }
    if (this.#file === null) return;
    // A line with a token never matches, because a match could depend on the token.
    const isMatch = found.isMatch && !this.#file.tokenLines.has(found.line);
    if (isMatch) {
      this.total++;
      this.#matched.add(this.#path);
    }
    if (this.#matches.length < this.#options.limit || this.#isBelowLast(found.line)) this.#show(found, isMatch);
  }

  /** Whether a line is part of the context after the last match. */
  #isBelowLast(line: number): boolean {
    const last = this.#matches.at(-1);
    return last?.path === this.#path && line <= last.line + this.#options.contextLines;
  }

  #show({ line, text, startByte }: FoundLine, isMatch: boolean): void {
    const { contextLines, limit } = this.#options;
    const shown = this.#file!.tokenLines.size > 0 ? redactText(text) : text;
    const cut = cutAround(shown, 0);
    for (const entry of this.#matches.slice(-contextLines - 1)) {
      const distance = line - entry.line;
      if (entry.path === this.#path && distance > 0 && distance <= contextLines) entry.after.push(cut);
    }
    if (isMatch && this.#matches.length < limit) {
      const column = Buffer.from(text).subarray(0, startByte).toString('utf8').length + 1;
      const before = this.#before.filter((entry) => entry.line >= line - contextLines).map((entry) => entry.text);
      const around = cutAround(shown, column - 1);
      this.#matches.push({ path: this.#path, line, column, text: around, before, after: [] });
    }
    this.#before.push({ line, text: cut });
    if (this.#before.length > contextLines) this.#before.shift();
  }

  answer(timedOut: boolean): Omit<GrepAnswer, 'durationMs'> {
    return {
      matches: this.#matches,
      totalMatches: this.total,
      filesSearched: this.filesSearched ?? this.#filesBegun,
      filesMatched: this.#matched.size,
      truncated: timedOut || this.isFull || this.total > this.#matches.length,
    };
  }
}

/** Cuts a long line to its beginning or, if the match begins further on, to the text around the match. */
function cutAround(line: string, at: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const start = at < MAX_LINE_CHARACTERS - CHARACTERS_BEFORE_MATCH ? 0 : at - CHARACTERS_BEFORE_MATCH;
  const end = start + MAX_LINE_CHARACTERS;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
