/**
 * Settings, flags, routes and environment variables: the query has them in the notation of code, and so does their
 * definition.
 */

import type { IndexedTree } from '../indexed-tree.ts';
import type { VerbatimMatch } from '../scoring/message-match.ts';
import type { NameMatch } from '../scoring/name-match.ts';
import { chunkWithPhrase, filesWithAllTerms, repeats } from './phrases.ts';
import type { Masks } from './search-filter.ts';

export interface SettingKey {
  /** Without the dashes of a flag. */
  readonly text: string;
  readonly sort: 'flag' | 'setting' | 'variable';
}

const OPENING = /^["'`(]+/;
/** From its first sign on, so that a run of signs is looked at once. */
const CLOSING = /(?<!["'`),;:?.])["'`),;:?.]+$/;
const FLAG = /^--([a-z][\w-]*)(?:=.*)?$/i;
const KEBAB = /^[a-z]\w*(?:-\w+)+$/;
const DOTTED = /^[a-z][\w-]*(?:\.[a-z][\w-]*){2,}$/;
const ROUTE = /^\/[\w{}:*~-][\w{}:*.~-]*(?:\/[\w{}:*.~-]*)*$/;
/** Of the environment, or of a configuration: `API_TOKEN`, `health_uri`. */
const VARIABLE = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)$/;
/** In a longer text a dash makes a word like any other. */
const MAX_SHORT_WORDS = 3;
/** Files that are opened for one key. */
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
 * Files that contain a key of the query, with a score for the place that defines it: a whole string literal or the
 * beginning of a line.
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
    // A symbol of this name is its definition, so no text needs to be searched.
    if (sort === 'variable' && [...names.values()].some(({ identifier }) => identifier === 2)) continue;
    const holders = [...(filesWithAllTerms([key], presenter) ?? [])]
      .filter((file) => (!masks.files || masks.files[file]) && !repeats(view, file))
      .sort((a, b) => a - b);
    const ways = waysToWrite(key, sort);
    for (const file of holders.slice(0, MAX_FILES_OPENED)) {
      const text = reader.text(view.contentOf[file]!);
      if (!text.includes(key)) continue;
      for (const { pattern, share } of ways) {
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
 * Without its dashes a flag is told from any other key by what takes it: `Flags().String("adapter")`, `new
 * InputOption('no-dev')`. Options have any keys.
 */
const TAKES = '(?:[Ff]lag|[Oo]ption(?!s)|[Aa]rgument(?!s)|\\bArg\\b)[^\\n]{0,80}';

/** The surest first. */
function waysToWrite(key: string, sort: SettingKey['sort']): { readonly pattern: RegExp; readonly share: number }[] {
  const literal = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (sort === 'flag')
    return [
      { pattern: new RegExp(`(?:["'\`]--|${TAKES}["'\`])${literal}${FLAG_END}`), share: 1 },
      { pattern: new RegExp(`["'\`]${literal}${FLAG_END}`), share: 0.7 },
      { pattern: new RegExp(`--${literal}(?![\\w-])`), share: 0.4 },
    ];
  return [
    { pattern: new RegExp(`["'\`]${literal}["'\`]`), share: 1 },
    { pattern: new RegExp(`^[ \\t]*${literal}(?:[ \\t]*[:=]|[ \\t]+)[ \\t]*[\\w"'/.\\[{]`, 'm'), share: 0.9 },
    { pattern: new RegExp(`["'\`]${literal}(?![\\w-])`), share: 0.8 },
    // `process.env.HOME_FOLDER` and `$HOME_FOLDER` are how a variable is read.
    { pattern: new RegExp(`(?<![\\w-])${literal}(?![\\w-])`), share: sort === 'variable' ? 0.8 : 0.4 },
  ];
}
