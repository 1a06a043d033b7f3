/**
 * Synonyms and abbreviations, learned by training/synonyms.py: models/synonyms.tsv has one line per word, sorted. A
 * lookup is a binary search in the unparsed file, because a question looks up a handful of words and most commands
 * none.
 */
import { readFileSync } from 'node:fs';

export interface Synonym {
  /** A term of model/text/terms.ts. */
  readonly term: string;
  /** 0..1. */
  readonly similarity: number;
}

export interface Synonyms {
  of(term: string): readonly Synonym[];
}

/** Reads the file at the first lookup. Without the file, a search works without synonyms. */
export function loadSynonyms(file: string): Synonyms {
  let bytes: Buffer | null = null;
  return {
    of(term) {
      bytes ??= readBytes(file);
      const line = findLine(bytes, term);
      return line === null ? [] : readLine(line);
    },
  };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

const LINE_END = 10;

/** Binary search over lines that are sorted by their bytes. */
function findLine(bytes: Buffer, term: string): string | null {
  const wanted = Buffer.from(`${term}\t`);
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(LINE_END, middle - 1) + 1;
    const next = bytes.indexOf(LINE_END, start);
    const end = next < 0 ? bytes.length : next;
    const order = bytes.compare(wanted, 0, wanted.length, start, Math.min(start + wanted.length, end));
    if (order === 0) return bytes.toString('utf8', start, end);
    if (order < 0) low = end + 1;
    else high = start;
  }
  return null;
}

function readLine(line: string): Synonym[] {
  return line
    .slice(line.indexOf('\t') + 1)
    .split(' ')
    .map((entry) => {
      const colon = entry.lastIndexOf(':');
      return { term: entry.slice(0, colon), similarity: Number(entry.slice(colon + 1)) };
    });
}
