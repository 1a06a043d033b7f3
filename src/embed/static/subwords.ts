/**
 * Selects the hashed sub-word vectors of a word outside the vocabulary. pieces_of in training/evaluate.py does the
 * same; a test keeps them equal.
 */

/** Characters per piece, and pieces per word. */
const PIECE_LENGTH = 4;
const MAX_PIECES = 12;

/** Buckets of the word's pieces: every run of four characters of `<word>`, by UTF-16 code unit. */
export function subwordBuckets(word: string, buckets: number): number[] {
  const marked = `<${word}>`;
  if (marked.length <= PIECE_LENGTH) return [hash(marked, 0, marked.length) % buckets];
  const found: number[] = [];
  const pieces = marked.length - PIECE_LENGTH + 1;
  // A long word has its first pieces and its last one: identifiers differ most at their beginning.
  const taken = Math.min(pieces, MAX_PIECES);
  for (let i = 0; i < taken; i++) {
    const start = i === taken - 1 ? pieces - 1 : i;
    found.push(hash(marked, start, start + PIECE_LENGTH) % buckets);
  }
  return found;
}

/** FNV-1a over both bytes of each code unit. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    value = Math.imul(value ^ (unit & 0xff), 0x01000193);
    value = Math.imul(value ^ (unit >> 8), 0x01000193);
  }
  return value >>> 0;
}
