/**
 * Translates the known words of a query in another language into English. Names and words of the repository stay, and
 * so does a query that may be English.
 */
import { pattern } from '../../../model/text/pattern.ts';
import { forEachIdentifier, identifierTerms } from '../../../model/text/terms.ts';
import { FOREIGN_WORDS, FRAMES, LANGUAGES } from './foreign-words.ts';

type Language = (typeof LANGUAGES)[number];

interface Dictionary {
  readonly language: Language;
  /** Function words that carry no content. */
  readonly frame: ReadonlySet<string>;
  /** English by whole word. */
  readonly whole: ReadonlyMap<string, string>;
  /** English by the beginning of a word, longest first. */
  readonly prefixes: readonly (readonly [beginning: string, english: string])[];
}

/** Words that only an English question contains. */
const ENGLISH = pattern('iu')`
    (?<![\p{L}_])(?:the|is|are|does|how|where|what|which|who|why|when|of|and|with|from|that|this|to|for|by|it
    |not)(?![\p{L}_])
  `;
/** Function words of other languages that are also English words or abbreviations: they do not identify a language. */
const ALSO_ENGLISH: ReadonlySet<string> = new Set(
  (
    'was die den am an in im man es er alle as do no se a o e os on me comment sur pour passe fait font son sa ses ' +
    'par les la le des du que si usa y d l s marche ou en de com del un'
  ).split(' '),
);
/** Chinese and Japanese characters, which stand without spaces between words. */
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
const KANA = /[\u3040-\u30ff]/;
/** A longer ending after a known beginning makes another word. */
const MAX_ENDING_CHARACTERS = 7;
/** A beginning shorter than this allows an ending of at most this length. */
const SHORT_CHARACTERS = 4;
/** Endings that join the parts of a German compound. */
const JOINT = /^(?:ations?|ungs?|ions?|en|es|s|n|e)?/;

/** Null if the text may be English or no word is known. `isUsed` tells whether the repository contains a term. */
export function translateToEnglish(text: string, isUsed: (term: string) => boolean): string | null {
  if (ENGLISH.test(text)) return null;
  const words: { readonly word: string }[] = [];
  forEachIdentifier(text, (word) => words.push({ word }));
  // Nearly every question returns here.
  if (!/[^\p{ASCII}]/u.test(text) && !words.some(({ word }) => unmistakableWords().has(word.toLowerCase())))
    return null;
  const found = CJK.test(text) ? translateCjk(text, words, isUsed) : translateWords(words, isUsed);
  return found === null || found.trim() === '' ? null : found;
}

/** Translates with the dictionary that knows most of the words. */
function translateWords(words: readonly { readonly word: string }[], isUsed: (term: string) => boolean): string | null {
  const folded = words.map(({ word }) => fold(word));
  let best: { readonly known: number; readonly dictionary: Dictionary } | null = null;
  for (const dictionary of dictionaries().filter(({ language }) => language !== 'zh' && language !== 'ja')) {
    const isUnmistakable = (word: string) => dictionary.frame.has(word) && unmistakableWords().has(word);
    const contentWords = folded.filter((word) => !dictionary.frame.has(word));
    const translated = contentWords.filter((word) => translate(dictionary, word) !== null);
    const frameCount = folded.length - contentWords.length;
    const isCertain = folded.some(isUnmistakable) || words.some(({ word }) => /[^\p{ASCII}]/u.test(word));
    const known = frameCount + 2 * translated.length;
    if (isCertain && translated.length > 0 && frameCount + translated.length >= 2 && known > (best?.known ?? 0))
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

/** Splits text without spaces by taking the longest known word at each position. */
function translateCjk(
  text: string,
  words: readonly { readonly word: string }[],
  isUsed: (term: string) => boolean,
): string | null {
  const dictionary = dictionaries().find(({ language }) => language === (KANA.test(text) ? 'ja' : 'zh'))!;
  let known = 0;
  const translated = words.flatMap(({ word }) => {
    if (!CJK.test(word)) return [word];
    const parts: string[] = [];
    let unknown = '';
    for (let at = 0; at < word.length; ) {
      const part = longestKnownAt(dictionary, word, at);
      const english = dictionary.whole.get(part);
      if (part === '') unknown += word[at];
      if (part !== '' && unknown !== '') {
        parts.push(unknown);
        unknown = '';
      }
      if (english !== undefined) {
        known++;
        parts.push(...(usesTerm(part, isUsed) ? [part] : []), english);
      }
      at += part.length || 1;
    }
    return unknown === '' ? parts : [...parts, unknown];
  });
  return known > 0 ? translated.join(' ') : null;
}

function longestKnownAt({ whole, frame }: Dictionary, word: string, at: number): string {
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
      dictionary.language === 'de' && rest.length > SHORT_CHARACTERS
        ? translate(dictionary, rest.replace(JOINT, ''))
        : null;
    if (next !== null) return `${english} ${next}`;
    if (rest.length <= (beginning.length >= SHORT_CHARACTERS ? MAX_ENDING_CHARACTERS : SHORT_CHARACTERS))
      return english;
  }
  return null;
}

/** Converts to lower case without accents. */
function fold(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss').replace(/œ/g, 'oe');
}

let unmistakable: ReadonlySet<string> | null = null;

/** Function words that are not English. */
function unmistakableWords(): ReadonlySet<string> {
  unmistakable ??= new Set(
    Object.values(FRAMES)
      .flatMap((frame) => frame.split(' ').map(fold))
      .filter((word) => !ALSO_ENGLISH.has(word)),
  );
  return unmistakable;
}

let parsed: readonly Dictionary[] | null = null;

function dictionaries(): readonly Dictionary[] {
  parsed ??= LANGUAGES.map((language, column) => {
    // Japanese and Chinese are not folded: in kana, a mark makes another letter.
    const normalise = language === 'ja' || language === 'zh' ? (word: string) => word : fold;
    const whole = new Map<string, string>();
    const prefixes = new Map<string, string>();
    for (const line of FOREIGN_WORDS.trim().split('\n')) {
      const [english = '', ...columns] = line.split('|');
      for (const word of columns[column]!.split(' ').map(normalise)) {
        const words = word.endsWith('*') ? prefixes : whole;
        const key = word.replace('*', '');
        if (!words.has(key)) words.set(key, english);
      }
    }
    return {
      language,
      frame: new Set(FRAMES[language].split(' ').map(normalise)),
      whole,
      prefixes: [...prefixes].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1)),
    };
  });
  return parsed;
}
