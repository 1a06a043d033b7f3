/**
 * Words that mean nearly the same, and abbreviations with what they stand for: learned by training/synonyms.py, kept in
 * models/synonyms.tsv, one line a word in order. Looked up by halving in the file as it was read: a question asks for a
 * handful of words, and most commands for none.
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

/** Without the file a search works without synonyms. */
export function loadSynonyms(file: string): Synonyms {
  let lines: string[] | null = null;
  return {
    of(term) {
      lines ??= readLines(file);
      const line = findLine(lines, term);
      return line === null ? [] : readLine(line);
    },
  };
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function findLine(lines: readonly string[], term: string): string | null {
  const wanted = `${term}\t`;
  let low = 0;
  let high = lines.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const line = lines[middle]!;
    if (line.startsWith(wanted)) return line;
    if (line < wanted) low = middle + 1;
    else high = middle - 1;
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
