/** Decides which files a search may name: files of the walk without secrets. ripgrep knows only some of the rules. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from '../../model/secrets/find-secrets.ts';
import { replaceSpans } from '../../model/secrets/redact.ts';
import { inspectContent, isSecretPath, type PathMatcher } from '../../walk/index.ts';
import { CheckedLines } from './checked-lines.ts';

/** Size limit for files that the caller names. */
const MAX_BYTES = 64 << 20;
/**
 * Files read in one search. Every file with a match is read, also past the limit of matches, so that no count reveals a
 * secret.
 */
const MAX_READ_BYTES = 256 << 20;

export interface SearchableFile {
  /** The redacted text. */
  readonly text: string;
  /** Lines, from 1, that contain an access token. */
  readonly tokenLines: ReadonlySet<number>;
  /**
   * Whether the file has this line: ripgrep may have read another content or another file. Call it in ascending order
   * of lines.
   */
  isLine(number: number, line: Buffer): boolean;
}

export interface SearchableFilesOptions {
  readonly wanted: PathMatcher;
  /** True if the folder belongs to a repository; repositories inside it are then separate projects. */
  readonly inGit: boolean;
  readonly isIgnored: (path: string) => boolean;
  readonly redact: boolean;
}

export class SearchableFiles {
  readonly #root: string;
  readonly #options: SearchableFilesOptions;
  /** Whether a folder lies in another repository, by folder. */
  readonly #foreign = new Map<string, boolean>();
  #readBytes = 0;

  constructor(root: string, options: SearchableFilesOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** True once so much was read that the search must end. */
  get isExhausted(): boolean {
    return this.#readBytes > MAX_READ_BYTES;
  }

  /** Null for a file that answers must not name. */
  open(path: string): SearchableFile | null {
    const { wanted, isIgnored } = this.#options;
    const isLeftOut = isSecretPath(path) || !wanted(path) || this.#isForeign(path) || isIgnored(path);
    return isLeftOut ? null : this.#read(path);
  }

  /** Not named: a private key under an innocent name, or a binary file. */
  #read(path: string): SearchableFile | null {
    let lines: CheckedLines;
    try {
      lines = new CheckedLines(this.#root, path, MAX_BYTES);
    } catch {
      // The file is gone since ripgrep read it, or its name is no text. It cannot be checked, so it is not shown.
      return null;
    }
    this.#readBytes += lines.bytes.length;
    const reason = inspectContent(lines.bytes, path)?.reason;
    if (reason === 'secret' || reason === 'binary') return null;
    const isLine = (number: number, line: Buffer) => lines.isLine(number, line);
    const { text } = lines;
    const spans = this.#options.redact ? findSecrets(text) : [];
    return { text: replaceSpans(text, spans), tokenLines: linesOf(text, spans), isLine };
  }

  /** A submodule or another repository. Checked only for folders with matches, once each. */
  #isForeign(path: string): boolean {
    const end = path.lastIndexOf('/');
    if (!this.#options.inGit || end < 0) return false;
    const folder = path.slice(0, end);
    let known = this.#foreign.get(folder);
    if (known === undefined) {
      known = existsSync(join(this.#root, folder, '.git')) || this.#isForeign(folder);
      this.#foreign.set(folder, known);
    }
    return known;
  }
}

function linesOf(text: string, spans: readonly { readonly start: number }[]): ReadonlySet<number> {
  const lines = new Set<number>();
  let line = 1;
  let at = 0;
  for (const { start } of spans) {
    for (let end = text.indexOf('\n', at); end >= 0 && end < start; end = text.indexOf('\n', at)) {
      line++;
      at = end + 1;
    }
    lines.add(line);
  }
  return lines;
}
