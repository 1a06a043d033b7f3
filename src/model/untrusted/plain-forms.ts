/**
 * Normalizes a text for the recogniser: removes hidden characters, folds look-alikes, joins wrapped lines, blanks
 * quotations.
 */
import { pattern } from '../text/pattern.ts';
import { hasHidden, untagged } from './visible-text.ts';

export interface PlainForms {
  /** All words, in lower case, with the lines of a comment or a paragraph joined. */
  readonly words: string;
  /** The text with quotations replaced by `“”`: a text that quotes an instruction does not give it. */
  readonly unquoted: string;
  /** Sentences outside of quotations, if the text may be in another language than English. */
  readonly sentences: readonly string[];
  /** The unchanged lines, for marks of a dialogue. */
  readonly lines: string;
  readonly isHidden: boolean;
}

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;
const TAGGED = /[\u{e0020}-\u{e007e}]+/gu;
/** Matches single letters with blanks between them: "i g n o r e". */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?: \p{L}){3,}(?![\p{L}\p{N}])/gu;
const APART = /(?:^|\s)\p{L} \p{L} \p{L} \p{L}(?:\s|$)/u;
/** Cyrillic and Greek letters that look like Latin ones, for words that mix scripts. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  с: 'c',
  е: 'e',
  і: 'i',
  ј: 'j',
  о: 'o',
  р: 'p',
  ѕ: 's',
  у: 'y',
  х: 'x',
  ο: 'o',
  α: 'a',
  ι: 'i',
  ν: 'v',
  τ: 't',
};
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC_OR_GREEK = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const COMMENT_SIGNS = /^[ \t]*(?:\/\*+!?|\*+\/|\/{2,}!?|#+!?|\*(?!\*)|;+|--+|%+|"{3}|'{3}|>|[-+](?= ))[ \t]?/gm;
const COMMENT_ENDS = /(?:(?<!\*)\*+\/|-->|"{3}|'{3})/g;

export function plainForms(text: string, isCode: boolean): PlainForms {
  const isHidden = hasHidden(text);
  const spelled = isHidden ? text.replace(TAGGED, (run) => ` ${untagged(run)} `).replace(HIDDEN, '') : text;
  const lines = /[^\x00-\x7f]/.test(spelled) ? folded(spelled) : unspaced(spelled.toLowerCase());
  const bare = isCode ? withoutStrings(lines) : lines;
  const words = joined(bare);
  const unquoted = withoutQuotations(words);
  return { words, unquoted, sentences: mayBeForeign(unquoted) ? sentencesOf(unquoted) : [], lines: bare, isHidden };
}

/** Frequent words of the lexicon's languages that are written in ASCII letters. */
const FOREIGN = pattern()`
  \b(?:und|der|das|den|dem|ein|eine|nicht|nur|mit|alle|dein|deine|du|ist|el|las|los|del|que|con|una|sin|tus|eres|todas
  |todos|les|des|une|et|dans|sur|tes|vos|toutes|tu|uma|os|suas|seu|voce|tutte|tutti|gli|che|il|le|sei|het|een|niet
  |geen|alleen|vorige|wszystkie|nie|jako|ve|bir|olarak)\b
`;

/** Whether the text may be in another language, so that the lexicons of other languages are needed. */
function mayBeForeign(text: string): boolean {
  return /[^\x00-\x7f“”‘’…–—•→✅❌©°×]/.test(text) || FOREIGN.test(text);
}

/** Nothing but plain letters of English, none of them apart: its words are as they stand. */
export function isPlainEnglish(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text) && !FOREIGN.test(text) && !APART.test(text);
}

function sentencesOf(text: string): string[] {
  // The dot in a file's or a host's name does not end a sentence.
  return text.split(/[!?;。！？।]|\.(?=\s|$)/).filter((sentence) => sentence.trim() !== '');
}

function folded(text: string): string {
  const plain = unspaced(text.normalize('NFKC').replaceAll('’', "'").toLowerCase());
  if (!/[\u0370-\u04ff]/.test(plain)) return plain;
  return plain.replace(/\p{L}+/gu, (word) =>
    LATIN.test(word) && CYRILLIC_OR_GREEK.test(word)
      ? [...word].map((letter) => LOOK_ALIKES[letter] ?? letter).join('')
      : word,
  );
}

function unspaced(text: string): string {
  return APART.test(text) ? text.replace(SPACED, (letters) => letters.replaceAll(' ', '')) : text;
}

function joined(text: string): string {
  return text
    .replace(COMMENT_SIGNS, '')
    .replace(COMMENT_ENDS, ' ')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const BLANK = '“”';
const QUOTATION = pattern('gu')`
  "[^"\n]{2,400}"|“[^”\n]{2,400}”|„[^“”"\n]{2,400}[“”"]|«[^»\n]{2,400}»|「[^」\n]{2,400}」|\x60[^\x60\n]{2,400}\x60
  |(?<![\p{L}\p{N}])'[^'\n]{2,400}'(?![\p{L}\p{N}])
`;

/** A text that is a single quotation is not blanked. */
function withoutQuotations(text: string): string {
  if (!/["“„«「`']/.test(text)) return text;
  const unquoted = text.replace(QUOTATION, BLANK);
  return unquoted === BLANK ? text : unquoted;
}

/**
 * Strings in code, which are data of the program. A string alone at the beginning of a line is documentation, and does
 * not match.
 */
const STRING = pattern('g')`
  (?<=[=(,[{:+]\s{0,40}|return\s)(?:[a-z]{0,2})(?:"{3}[\s\S]{0,4000}?"{3}|'{3}[\s\S]{0,4000}?'{3}|"(?:[^"\\\n]|\\.)*"
  |'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\]|\\.){0,4000}\x60)
`;

function withoutStrings(code: string): string {
  return code.replace(STRING, `"${BLANK}"`);
}
