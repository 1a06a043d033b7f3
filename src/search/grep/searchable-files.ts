/**
 * Which files a search may tell of: those that the walk would list, and no secrets. ripgrep knows only some of the
 * rules.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from '../../model/secrets/find-secrets.ts';
import { replaceSpans } from '../../model/secrets/redact.ts';
import { inspectContent, isSecretPath, type PathMatcher } from '../../walk/index.ts';
import { CheckedLines } from './checked-lines.ts';

/** Files that are named by themselves may be this large. */
const MAX_BYTES = 64 << 20;
/**
 * Read in one search: every file with a match is, past the limit of matches, too, so that no count tells what stands in
 * a secret.
 */
const MAX_READ_BYTES = 256 << 20;

export interface SearchableFile {
  /** As it is shown. */
  readonly text: string;
  /** Lines, from 1, that hold an access token. */
  readonly tokenLines: ReadonlySet<number>;
  /**
   * Whether the file has this line: ripgrep may have read another content, or another file. Asked in the order of the
   * lines.
   */
  isLine(number: number, line: Buffer): boolean;
}

export interface SearchableFilesOptions {
  readonly wanted: PathMatcher;
  /** The folder belongs to a repository, so that others inside it are projects of their own. */
  readonly inGit: boolean;
  readonly isIgnored: (path: string) => boolean;
  readonly redact: boolean;
}

export class SearchableFiles {
  readonly #root: string;
  readonly #options: SearchableFilesOptions;
  /** By folder: whether it lies in another repository. */
  readonly #foreign = new Map<string, boolean>();
  #readBytes = 0;

  constructor(root: string, options: SearchableFilesOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** So much was read that the search has to end. */
  get isExhausted(): boolean {
    return this.#readBytes > MAX_READ_BYTES;
  }

  /** Null for a file that must not be told of. */
  open(path: string): SearchableFile | null {
    const { wanted, isIgnored } = this.#options;
    const isLeftOut = isSecretPath(path) || !wanted(path) || this.#isForeign(path) || isIgnored(path);
    return isLeftOut ? null : this.#read(path);
  }

  /** A key in a file of an innocent name, or no text at all, is not told of. */
  #read(path: string): SearchableFile | null {
    let lines: CheckedLines;
    try {
      lines = new CheckedLines(this.#root, path, MAX_BYTES);
    } catch {
      // Gone since ripgrep read it, or a name that is no text: nobody can tell, so it is not shown.
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

  /** A submodule, or a repository that merely lies here. Looked at where something matches: few folders, each once. */
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
