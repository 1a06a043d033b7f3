/** Decides which files grep may show: files of the walk without secrets. ripgrep knows only some of the rules. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from '../../model/secrets/find-secrets.ts';
import { replaceSpans } from '../../model/secrets/redact.ts';
import { inspectContent, isSecretPath, type PathMatcher } from '../../walk/index.ts';
import { CheckedLines } from './checked-lines.ts';

/** Size limit for files that the caller names. */
const MAX_BYTES = 64 << 20;
/** Bytes read per search. Files beyond the limit of matches are read too, so that no count reveals a secret. */
const MAX_READ_BYTES = 256 << 20;

export interface SearchableFile {
  /** The redacted text. */
  readonly text: string;
  /** Lines, from 1, that contain an access token. */
  readonly tokenLines: ReadonlySet<number>;
  /**
   * Whether the file has this line: ripgrep may have read other content or another file. Lines must be checked in
   * ascending order.
   */
  isLine(number: number, line: Buffer): boolean;
}

export interface SearchableFilesOptions {
  readonly wanted: PathMatcher;
  /** The folder belongs to a git repository; repositories inside it are then separate projects. */
  readonly inGit: boolean;
  readonly isIgnored: (path: string) => boolean;
  readonly redact: boolean;
}

export class SearchableFiles {
  readonly #root: string;
  readonly #options: SearchableFilesOptions;
  /** By folder, whether it belongs to another repository. */
  readonly #foreign = new Map<string, boolean>();
  #readBytes = 0;

  constructor(root: string, options: SearchableFilesOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** The search has read MAX_READ_BYTES and must end. */
  get isExhausted(): boolean {
    return this.#readBytes > MAX_READ_BYTES;
  }

  /** Null for a file that grep must not show. */
  open(path: string): SearchableFile | null {
    const { wanted, isIgnored } = this.#options;
    const isExcluded = isSecretPath(path) || !wanted(path) || this.#isForeign(path) || isIgnored(path);
    return isExcluded ? null : this.#read(path);
  }

  /** Null for a private key under an inconspicuous name and for a binary file. */
  #read(path: string): SearchableFile | null {
    let lines: CheckedLines;
    try {
      lines = new CheckedLines(this.#root, path, MAX_BYTES);
    } catch {
      // The file was deleted since ripgrep read it, or its name is not text. It cannot be checked, so it is not shown.
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

  /** Whether a file belongs to a submodule or nested repository. Checked once per folder with matches. */
  #isForeign(path: string): boolean {
    const end = path.lastIndexOf('/');
    if (!this.#options.inGit || end < 0) return false;
    const folder = path.slice(0, end);
    let isForeign = this.#foreign.get(folder);
    if (isForeign === undefined) {
      isForeign = existsSync(join(this.#root, folder, '.git')) || this.#isForeign(folder);
      this.#foreign.set(folder, isForeign);
    }
    return isForeign;
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
