/**
 * Translates the known words of a query in another language into English; names and words of the repository stay. A
 * query that may be English stays unchanged.
 */
import { pattern } from '../../../model/text/pattern.ts';
import { forEachIdentifier, identifierTerms } from '../../../model/text/terms.ts';
import { FOREIGN_WORDS, FRAMES, LANGUAGES } from './foreign-words.ts';

type Language = (typeof LANGUAGES)[number];

interface Dictionary {
  readonly language: Language;
  readonly frame: ReadonlySet<string>;
  /** By the word. */
  readonly whole: ReadonlyMap<string, string>;
  /** By how it begins, the longest first. */
  readonly prefixes: readonly (readonly [beginning: string, english: string])[];
}

/**
 * No question in another language has one of these; a word of another language that looks like one is no sign of it.
 */
const ENGLISH = pattern('iu')`
    (?<![\p{L}_])(?:the|is|are|does|how|where|what|which|who|why|when|of|and|with|from|that|this|to|for|by|it
    |not)(?![\p{L}_])
  `;
const ALSO_ENGLISH: ReadonlySet<string> = new Set(
  (
    'was die den am an in im man es er alle as do no se a o e os on me comment sur pour passe fait font son sa ses ' +
    'par les la le des du que si usa y d l s marche ou en de com del un'
  ).split(' '),
);
const DENSE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
const KANA = /[\u3040-\u30ff]/;
/** A longer rest of a word is another word; behind a short beginning, sooner. */
const MAX_ENDING_LENGTH = 7;
const SHORT_LENGTH = 4;
/** Letters that join the parts of a German compound. */
const JOINT = /^(?:ations?|ungs?|ions?|en|es|s|n|e)?/;

/** Null where it is no such question. `isUsed` tells whether the repository has a term. */
export function translateToEnglish(text: string, isUsed: (term: string) => boolean): string | null {
  if (ENGLISH.test(text)) return null;
  const words: { readonly word: string }[] = [];
  forEachIdentifier(text, (word) => words.push({ word }));
  // Nearly every question ends here.
  if (!/[^\p{ASCII}]/u.test(text) && !words.some(({ word }) => signs().has(word.toLowerCase()))) return null;
  const found = DENSE.test(text) ? fromDense(text, words, isUsed) : fromWords(words, isUsed);
  return found === null || found.trim() === '' ? null : found;
}

function fromWords(words: readonly { readonly word: string }[], isUsed: (term: string) => boolean): string | null {
  const folded = words.map(({ word }) => fold(word));
  let best: { readonly known: number; readonly dictionary: Dictionary } | null = null;
  for (const dictionary of dictionaries().filter(({ language }) => language !== 'zh' && language !== 'ja')) {
    const isSign = (word: string) => dictionary.frame.has(word) && signs().has(word);
    const meant = folded.filter((word) => !dictionary.frame.has(word));
    const translated = meant.filter((word) => translate(dictionary, word) !== null);
    const framed = folded.length - meant.length;
    const isCertain = folded.some(isSign) || words.some(({ word }) => /[^\p{ASCII}]/u.test(word));
    const known = framed + 2 * translated.length;
    if (isCertain && translated.length > 0 && framed + translated.length >= 2 && known > (best?.known ?? 0))
      best = { known, dictionary };
  }
  if (!best) return null;
  const { dictionary } = best;
  return words
    .flatMap(({ word }, i) => {
      if (dictionary.frame.has(folded[i]!) && word === word.toLowerCase()) return [];
      const english = /[a-z][A-Z]|_|\d/.test(word) ? null : translate(dictionary, folded[i]!);
      if (english === null) return dictionary.frame.has(folded[i]!) ? [] : [word];
      return usesTerm(word, isUsed) ? [word, english] : [english];
    })
    .join(' ');
}

function usesTerm(word: string, isUsed: (term: string) => boolean): boolean {
  const { parts } = identifierTerms(word);
  return parts.length > 0 && parts.every(isUsed);
}

/** Words stand without spaces between them: the longest that is known is taken each time. */
function fromDense(
  text: string,
  words: readonly { readonly word: string }[],
  isUsed: (term: string) => boolean,
): string | null {
  const dictionary = dictionaries().find(({ language }) => language === (KANA.test(text) ? 'ja' : 'zh'))!;
  let known = 0;
  const translated = words.flatMap(({ word }) => {
    if (!DENSE.test(word)) return [word];
    const parts: string[] = [];
    let unknown = '';
    for (let at = 0; at < word.length; ) {
      const own = longestAt(dictionary, word, at);
      const english = dictionary.whole.get(own);
      if (own === '') unknown += word[at];
      if (own !== '' && unknown !== '') {
        parts.push(unknown);
        unknown = '';
      }
      if (english !== undefined) {
        known++;
        parts.push(...(usesTerm(own, isUsed) ? [own] : []), english);
      }
      at += own.length || 1;
    }
    return unknown === '' ? parts : [...parts, unknown];
  });
  return known > 0 ? translated.join(' ') : null;
}

function longestAt({ whole, frame }: Dictionary, word: string, at: number): string {
  for (let length = Math.min(8, word.length - at); length > 0; length--) {
    const part = word.slice(at, at + length);
    if (whole.has(part) || frame.has(part)) return part;
  }
  return '';
}

function translate(dictionary: Dictionary, word: string): string | null {
  const whole = dictionary.whole.get(word);
  if (whole !== undefined) return whole;
  for (const [beginning, english] of dictionary.prefixes) {
    if (!word.startsWith(beginning)) continue;
    const rest = word.slice(beginning.length);
    const next =
      dictionary.language === 'de' && rest.length > SHORT_LENGTH
        ? translate(dictionary, rest.replace(JOINT, ''))
        : null;
    if (next !== null) return `${english} ${next}`;
    if (rest.length <= (beginning.length >= SHORT_LENGTH ? MAX_ENDING_LENGTH : SHORT_LENGTH)) return english;
  }
  return null;
}

/** In small letters, without accents. */
function fold(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss').replace(/œ/g, 'oe');
}

let known: ReadonlySet<string> | null = null;

/** Words that only another language has. */
function signs(): ReadonlySet<string> {
  known ??= new Set(
    Object.values(FRAMES)
      .flatMap((frame) => frame.split(' ').map(fold))
      .filter((word) => !ALSO_ENGLISH.has(word)),
  );
  return known;
}

let made: readonly Dictionary[] | null = null;

function dictionaries(): readonly Dictionary[] {
  made ??= LANGUAGES.map((language, column) => {
    // Kana and Chinese are not folded: in kana, a mark makes another letter.
    const plain = language === 'ja' || language === 'zh' ? (word: string) => word : fold;
    const whole = new Map<string, string>();
    const prefixes = new Map<string, string>();
    for (const line of FOREIGN_WORDS.trim().split('\n')) {
      const [english = '', ...columns] = line.split('|');
      for (const word of columns[column]!.split(' ').map(plain)) {
        const words = word.endsWith('*') ? prefixes : whole;
        const key = word.replace('*', '');
        if (!words.has(key)) words.set(key, english);
      }
    }
    return {
      language,
      frame: new Set(FRAMES[language].split(' ').map(plain)),
      whole,
      prefixes: [...prefixes].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1)),
    };
  });
  return made;
}
