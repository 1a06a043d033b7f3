/**
 * Searches files with access tokens in their redacted form. The index, not the pattern, determines these files, so no
 * answer depends on a token and no pattern can reveal one.
 */
import type { GrepCollector } from './grep-collector.ts';
import { readMessage } from './ripgrep-messages.ts';
import type { SearchableFile, SearchableFiles } from './searchable-files.ts';

/** Characters given to ripgrep; few files contain tokens. */
const MAX_INPUT_CHARACTERS = 32 << 20;

interface Piece {
  readonly path: string;
  readonly file: SearchableFile;
  /** Line of the input, from 1, at which the file begins. */
  readonly firstLine: number;
  readonly lines: number;
}

export interface TokenFileInput {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** Joins the files, separated by enough empty lines that no context reaches into another file. */
export function joinTokenFiles(files: SearchableFiles, paths: readonly string[], contextLines: number): TokenFileInput {
  const pieces: Piece[] = [];
  const texts: string[] = [];
  let length = 0;
  let firstLine = 1;
  for (const path of [...paths].sort()) {
    const file = length > MAX_INPUT_CHARACTERS ? null : files.open(path);
    if (file === null) continue;
    const body = file.text === '' || file.text.endsWith('\n') ? file.text : `${file.text}\n`;
    const lines = body.split('\n').length - 1;
    pieces.push({ path, file: { ...file, tokenLines: NO_LINES, isLine: () => true }, firstLine, lines });
    texts.push(body, '\n'.repeat(contextLines));
    length += body.length;
    firstLine += lines + contextLines;
  }
  return { text: texts.join(''), pieces };
}

const NO_LINES: ReadonlySet<number> = new Set();

/** Maps ripgrep's lines about the joined text back to lines of the files. */
export function collectJoinedMatches(pieces: readonly Piece[], collector: GrepCollector): (json: string) => boolean {
  let at = -1;
  return (json) => {
    const message = readMessage(json);
    if (message?.type !== 'line') return true;
    const { found } = message;
    const next = pieces.findLastIndex(({ firstLine }) => firstLine <= found.line);
    const { path, file, firstLine, lines } = pieces[next]!;
    if (next !== at) collector.begin(path, file);
    at = next;
    const line = found.line - firstLine + 1;
    if (line <= lines) collector.takeLine({ ...found, line });
    return !collector.isFull;
  };
}
