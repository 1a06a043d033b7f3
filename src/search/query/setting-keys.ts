/**
 * Finds settings, flags, routes and environment variables that the query writes as code does: their definition contains
 * the same text.
 */

import { escapePattern } from '../../model/text/escape-pattern.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import type { VerbatimMatch } from '../scoring/message-match.ts';
import type { NameMatch } from '../scoring/name-match.ts';
import { chunkWithPhrase, filesWithAllTerms, isSecondarySource } from './phrases.ts';
import type { Masks } from './search-filter.ts';

export interface SettingKey {
  /** The key; a flag without its dashes. */
  readonly text: string;
  readonly sort: 'flag' | 'setting' | 'variable';
}

const OPENING = /^["'`(]+/;
/** Matches only at the first of several punctuation marks, so that a long run takes linear time. */
const CLOSING = /(?<!["'`),;:?.])["'`),;:?.]+$/;
const FLAG = /^--([a-z][\w-]*)(?:=.*)?$/i;
const KEBAB = /^[a-z]\w*(?:-\w+)+$/;
const DOTTED = /^[a-z][\w-]*(?:\.[a-z][\w-]*){2,}$/;
const ROUTE = /^\/[\w{}:*~-][\w{}:*.~-]*(?:\/[\w{}:*.~-]*)*$/;
/** A variable of the environment or a configuration: `API_TOKEN`, `health_uri`. */
const VARIABLE = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)$/;
/** In a longer query, a word with a dash is an ordinary word. */
const MAX_SHORT_WORDS = 3;
/** Files that are read for one key. */
const MAX_FILES_OPENED = 400;

export function findSettingKeys(text: string, asks: boolean): SettingKey[] {
  const words = text.split(/\s+/).map((word) => word.replace(OPENING, '').replace(CLOSING, ''));
  const isShort = words.length <= MAX_SHORT_WORDS && !asks;
  return words.flatMap((word): SettingKey[] => {
    const flag = FLAG.exec(word)?.[1];
    if (flag) return [{ text: flag, sort: 'flag' }];
    if (VARIABLE.test(word) && words.length === 1) return [{ text: word, sort: 'variable' }];
    return isShort && (KEBAB.test(word) || DOTTED.test(word) || ROUTE.test(word))
      ? [{ text: word, sort: 'setting' }]
      : [];
  });
}

/**
 * By file that contains a key of the query, the chunk that most likely defines it. A whole string literal or the
 * beginning of a line gets the highest share.
 */
export function matchSettingKeys(
  presenter: IndexedTree,
  keys: readonly SettingKey[],
  names: ReadonlyMap<number, NameMatch>,
  masks: Masks,
): ReadonlyMap<number, VerbatimMatch> {
  const { reader, view } = presenter;
  const found = new Map<number, VerbatimMatch>();
  for (const { text: key, sort } of keys) {
    // A symbol of this name is the variable's definition, so no text needs to be searched.
    if (sort === 'variable' && [...names.values()].some(({ identifier }) => identifier === 2)) continue;
    const files = [...(filesWithAllTerms([key], presenter) ?? [])]
      .filter((file) => (!masks.files || masks.files[file]) && !isSecondarySource(view, file))
      .sort((a, b) => a - b);
    const notations = notationsOf(key, sort);
    for (const file of files.slice(0, MAX_FILES_OPENED)) {
      const text = reader.text(view.contentOf[file]!);
      if (!text.includes(key)) continue;
      for (const { pattern, share } of notations) {
        const written = pattern.exec(text)?.[0].trim();
        if (!written || share <= (found.get(file)?.share ?? 0)) continue;
        const place = chunkWithPhrase(presenter, masks, [written], file, -1);
        if (place) found.set(file, { share, chunk: view.firstChunkOf[file]! + place.ordinal });
      }
    }
  }
  return found;
}

const FLAG_END = '(?=["\'`=,|[ ])';
/**
 * A call that declares a flag without its dashes: `Flags().String("adapter")`, `new InputOption('no-dev')`. Not
 * `Options` or `Arguments`, which hold keys of any kind.
 */
const DECLARES_FLAG = '(?:[Ff]lag|[Oo]ption(?!s)|[Aa]rgument(?!s)|\\bArg\\b)[^\\n]{0,80}';

/** Patterns for the definition of a key, the most certain first. */
function notationsOf(key: string, sort: SettingKey['sort']): { readonly pattern: RegExp; readonly share: number }[] {
  const literal = escapePattern(key);
  if (sort === 'flag')
    return [
      { pattern: new RegExp(`(?:["'\`]--|${DECLARES_FLAG}["'\`])${literal}${FLAG_END}`), share: 1 },
      { pattern: new RegExp(`["'\`]${literal}${FLAG_END}`), share: 0.7 },
      { pattern: new RegExp(`--${literal}(?![\\w-])`), share: 0.4 },
    ];
  return [
    { pattern: new RegExp(`["'\`]${literal}["'\`]`), share: 1 },
    { pattern: new RegExp(`^[ \\t]*${literal}(?:[ \\t]*[:=]|[ \\t]+)[ \\t]*[\\w"'/.\\[{]`, 'm'), share: 0.9 },
    { pattern: new RegExp(`["'\`]${literal}(?![\\w-])`), share: 0.8 },
    // Code reads a variable as `process.env.HOME_FOLDER` or `$HOME_FOLDER`.
    { pattern: new RegExp(`(?<![\\w-])${literal}(?![\\w-])`), share: sort === 'variable' ? 0.8 : 0.4 },
  ];
}
