/**
 * Writes invisible characters, and those that change the order of text, as `<U+202E>`. With them, text of a repository
 * can hide words from a person that a language model reads, or make code look like other code. Characters that a script
 * or an emoji needs stay unchanged.
 */
import { pattern } from '../text/pattern.ts';

/**
 * Control characters except tab and line ends, direction marks, line separators, annotation marks, and all that Unicode
 * calls default-ignorable (the test derives the list from the properties). Written out, because a property class takes
 * a millisecond to compile at every start.
 */
const NARROW =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4' +
  '\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164' +
  '\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb';
const WIDE = '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
const HIDDEN_RUN = new RegExp(`[${NARROW}${WIDE}]+`, 'gu');
/** Finds candidates by code units, without pairing surrogates: most texts have none. */
const MAY_HIDE = new RegExp(`[${NARROW}\\ud82f\\ud834\\udb40-\\udb43]`);

/** Characters shown of a longer run, so that an answer grows by a bounded amount. */
const MAX_SHOWN = 8;

export function hasHidden(text: string): boolean {
  return MAY_HIDE.test(text) && revealHidden(text) !== text;
}

export function revealHidden(text: string): string {
  if (!MAY_HIDE.test(text)) return text;
  return text.replace(HIDDEN_RUN, (run, at: number) => (isNeeded(run, text, at) ? run : spelledOut(run)));
}

/** Undoes `revealHidden`, for a path that an agent passes back as it was shown. A run that was cut is not restored. */
export function restoreHidden(text: string): string {
  return text.replace(/<U\+([0-9A-F]{4,6})(?:×(\d{1,3}))?>/g, (shown, code: string, times = '1') => {
    const value = Number.parseInt(code, 16);
    const hidden = value <= 0x10ffff ? String.fromCodePoint(value).repeat(Number(times)) : '';
    return hidden !== '' && spelledOut(hidden) === shown && MAY_HIDE.test(hidden) ? hidden : shown;
  });
}

/**
 * Applies revealHidden() to every string in a value, but not to keys. Parts without hidden characters are not copied.
 */
export function revealIn<T>(value: T): T {
  if (typeof value === 'string') return revealHidden(value) as T;
  if (Array.isArray(value)) {
    const shown = value.map(revealIn);
    return shown.some((item, i) => item !== value[i]) ? (shown as T) : value;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([key, item]) => [key, revealIn(item)] as const);
  return shown.some(([, item], i) => item !== entries[i]![1]) ? (Object.fromEntries(shown) as T) : value;
}

/** JSON in which hidden characters are escaped (`\u202e`), so that they are visible and the values stay exact. */
export function visibleJson(json: string): string {
  if (!MAY_HIDE.test(json)) return json;
  return json.replace(HIDDEN_RUN, (run, at: number) => (isNeeded(run, json, at) ? run : escaped(run)));
}

function escaped(run: string): string {
  let text = '';
  for (let i = 0; i < run.length; i++) text += `\\u${run.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}

function spelledOut(run: string): string {
  const characters = [...run];
  const name = (character: string) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  if (characters.length > 1 && characters.every((character) => character === characters[0]))
    return `<${name(characters[0]!)}×${characters.length}>`;
  const shown = characters.slice(0, MAX_SHOWN).map((character) => `<${name(character)}>`);
  const rest = characters.length - MAX_SHOWN;
  return rest > 0 ? `${shown.join('')}<${rest} more hidden characters>` : shown.join('');
}

/** Letters of scripts whose spelling needs joiners. */
const JOINED = pattern('u')`
  [\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}
  \p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}
  \p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]
`;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
const KEYCAP_BASE = /[0-9#*]/;
const SELECTABLE = /[\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Sm}\p{So}]/u;
/** The only flags with tag characters: England, Scotland and Wales. */
const FLAG_TAGS = /^(?:gbeng|gbsct|gbwls)\u{e007f}$/u;

/**
 * Whether a character must stay: a byte order mark at the beginning, or one that spells a script or an emoji here. A
 * run of several is never needed.
 */
function isNeeded(run: string, text: string, at: number): boolean {
  if (run === '\ufeff' && at === 0) return true;
  const before = characterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 0);
  const isPicture = PICTURE.test(before);
  if (run === '\ufe0f\u200d' || run === '\u200d')
    return (isPicture && PICTURE.test(after)) || (run === '\u200d' && JOINED.test(before) && JOINED.test(after));
  if (run === '\u200c') return JOINED.test(before) && JOINED.test(after);
  if (run === '\ufe0f' || run === '\ufe0e')
    return isPicture || SELECTABLE.test(before) || (KEYCAP_BASE.test(before) && after === '\u20e3');
  if (/^(?:[\u180b-\u180f\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}])$/u.test(run)) return SELECTABLE.test(before);
  return before === '\u{1f3f4}' && FLAG_TAGS.test(untagged(run));
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}

/** Decodes tag characters to the letters that they stand for. */
export function untagged(text: string): string {
  return text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCharCode(tag.codePointAt(0)! - 0xe0000));
}
