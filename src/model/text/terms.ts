/**
 * Turns text into search terms, in the same way for indexing, querying, embedding and training.
 *
 * A run of letters, digits and underscores is an identifier. Its terms are its parts (split at case, digits and
 * underscores, lower-cased, lightly stemmed) and, if it has several parts, the whole identifier in lower case without
 * underscores, so that `parse_file` and `parseFile` have a common term. Scripts without spaces give pairs of
 * characters. A change here changes every index and the trained model: increment TERMS_VERSION.
 */
export const TERMS_VERSION = 1;

export interface IdentifierTerms {
  /** The stemmed parts, in order, with duplicates. */
  readonly parts: readonly string[];
  /** The whole identifier; '' if it has only one part. */
  readonly whole: string;
}

const MAX_IDENTIFIER = 80;
/** Entries of the cache, which take 1.5 MB. */
const CACHE_LIMIT = 4_000;
const cache = new Map<string, IdentifierTerms>();

/** ASCII class table: 0 other, 1 lower, 2 upper, 3 digit, 4 underscore or dollar. */
const CLASS = new Uint8Array(128);
for (let c = 97; c <= 122; c++) CLASS[c] = 1;
for (let c = 65; c <= 90; c++) CLASS[c] = 2;
for (let c = 48; c <= 57; c++) CLASS[c] = 3;
CLASS[95] = 4;
CLASS[36] = 4;

/** 1 for each ASCII byte of identifiers; 0 for other bytes. Beyond ASCII, isIdentifierAt() decides by character. */
export const isIdentifierByte: Uint8Array = new Uint8Array(256);
for (let c = 0; c < 128; c++) isIdentifierByte[c] = CLASS[c] === 0 ? 0 : 1;

const WORD = /[\p{L}\p{N}\p{M}]/u;
/** Scripts without spaces between words: CJK, kana, Hangul syllables, Thai, Lao, Khmer. */
const DENSE =
  /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff]/;

/** Whether the character at `i` is part of an identifier. */
export function isIdentifierAt(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code < 128 ? CLASS[code] !== 0 : isWordAt(text, i);
}

/** Calls `emit` for every identifier of the text, in order. */
export function forEachIdentifier(text: string, emit: (identifier: string, index: number) => void): void {
  let i = 0;
  while (i < text.length) {
    if (!isIdentifierAt(text, i)) {
      i++;
      continue;
    }
    const start = i;
    do i++;
    while (i < text.length && isIdentifierAt(text, i));
    emit(text.slice(start, i), start);
  }
}

/** Terms of one identifier; cached, since identifiers repeat. */
export function identifierTerms(identifier: string): IdentifierTerms {
  const known = cache.get(identifier);
  if (known) return known;
  const made = splitIdentifier(identifier);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(identifier, made);
  return made;
}

/** All terms of a text in order: parts of each identifier, followed by its whole. */
export function textTerms(text: string): string[] {
  const terms: string[] = [];
  forEachIdentifier(text, (identifier) => {
    const { parts, whole } = identifierTerms(identifier);
    for (const part of parts) terms.push(part);
    if (whole) terms.push(whole);
  });
  return terms;
}

/** Lower-cased identifier without underscores: the key under which a symbol's name is looked up. */
export function nameKey(name: string): string {
  return name.replace(/[_$]/g, '').toLowerCase();
}

/** identifierTerms() without the cache, for callers that need each identifier once. */
export function splitIdentifier(identifier: string): IdentifierTerms {
  if (identifier.length > MAX_IDENTIFIER) return { parts: [], whole: '' };
  if (DENSE.test(identifier)) return { parts: densePairs(identifier.toLowerCase()), whole: '' };
  const raw = rawParts(identifier);
  const parts: string[] = [];
  for (const part of raw) if (part.length > 1) parts.push(stemOf(part));
  if (raw.length < 2) return { parts, whole: '' };
  const whole = raw.join('');
  return { parts, whole: whole.length > 1 ? whole : '' };
}

/** Lower-cased parts at case, digit and underscore borders: "HTTPServer2_x" gives http, server, 2, x. */
export function rawParts(identifier: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let previous = 4;
  for (let i = 0; i <= identifier.length; i++) {
    const current = i < identifier.length ? classAt(identifier, i) : 4;
    const acronymEnds =
      previous === 2 && current === 2 && i + 1 < identifier.length && classAt(identifier, i + 1) === 1 && i > start;
    if (
      current === 4 ||
      (previous !== 4 && current !== previous && !(previous === 2 && current === 1)) ||
      acronymEnds
    ) {
      if (i > start) parts.push(identifier.slice(start, i).toLowerCase());
      start = current === 4 ? i + 1 : i;
    }
    previous = current;
  }
  return parts;
}

function classAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code < 128) return CLASS[code] || 4;
  const c = text[i]!;
  return c !== c.toLowerCase() ? 2 : 1;
}

function isWordAt(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  // Surrogate halves belong to the run: letters beyond the basic plane are rare, and cutting one in two never helps.
  if (code >= 0xd800 && code <= 0xdfff) return true;
  return WORD.test(text[i]!);
}

function densePairs(run: string): string[] {
  const chars = [...run];
  if (chars.length === 1) return chars;
  const pairs: string[] = [];
  for (let i = 0; i + 1 < chars.length; i++) pairs.push(chars[i]! + chars[i + 1]!);
  return pairs;
}

/** A cache of stems: words repeat more than identifiers do, and stemming one takes half a dozen patterns. */
const stems = new Map<string, string>();

function stemOf(word: string): string {
  let stemmed = stems.get(word);
  if (stemmed === undefined) {
    stemmed = stem(word);
    if (stems.size >= CACHE_LIMIT) stems.clear();
    stems.set(word, stemmed);
  }
  return stemmed;
}

/** Removes plural and common verb endings: caches, cached, caching and cache give "cach". Deliberately light. */
export function stem(word: string): string {
  const length = word.length;
  if (length < 4 || !/^[a-z]+$/.test(word)) return word;
  let w = word;
  if (w.endsWith('ies') && length > 4) w = `${w.slice(0, -3)}y`;
  else if (w.endsWith('sses')) w = w.slice(0, -2);
  else if (/(?:x|ch|sh|ss|z)es$/.test(w)) w = w.slice(0, -2);
  else if (w.endsWith('s') && !/(?:ss|us|is)$/.test(w)) w = w.slice(0, -1);
  if (w.endsWith('ing') && w.length > 5 && hasVowel(w, 3)) w = undouble(w.slice(0, -3));
  else if (w.endsWith('ed') && w.length > 4 && hasVowel(w, 2)) w = undouble(w.slice(0, -2));
  else if (w.endsWith('ation') && w.length > 7) w = `${w.slice(0, -3)}`;
  if (w.endsWith('e') && w.length > 3) w = w.slice(0, -1);
  else if (w.endsWith('y') && w.length > 3 && !/[aeiou]y$/.test(w)) w = `${w.slice(0, -1)}i`;
  return w;
}

function hasVowel(word: string, suffix: number): boolean {
  return /[aeiouy]/.test(word.slice(0, -suffix));
}

function undouble(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
