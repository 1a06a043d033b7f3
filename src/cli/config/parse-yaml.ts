/**
 * YAML of settings that a repository may bring along. A module of its own, loaded when there is such a file. Limited in
 * length, and read with the parts of the library whose work grows with the text: its check for unique keys compares
 * each with all others (200,000 keys took minutes), and a key that is itself a collection is written out anew at every
 * level.
 */
import { type Document, isMap, isScalar, Lexer, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { MAX_SETTINGS_LENGTH } from './settings.ts';

/** Settings are two levels deep, and some are lists. */
const MAX_DEPTH = 8;
/** Brackets and block indicators that a line may open. */
const MAX_OPEN = 16;
/** Signs and words of a line: a list of hundreds of names still fits. */
const MAX_TOKENS = 2000;

export interface SettingsDocument {
  readonly content: unknown;
  /** Line of the value at these keys; null where there is none. */
  lineOf(keys: readonly string[]): number | null;
}

/** Throws an Error with what is wrong, in one line. */
export function parseSettings(text: string): SettingsDocument {
  if (text.length > MAX_SETTINGS_LENGTH)
    throw new Error(`its length is ${text.length}; settings take no more than ${MAX_SETTINGS_LENGTH} characters`);
  checkNesting(text);
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  const [broken] = document.errors;
  if (broken) throw new Error(broken.message.split('\n')[0]!.replace(/:$/, ''));
  checkKeys(document, counter);
  return {
    // An alias without its anchor, or so many of them that they mean harm, throws.
    content: toRecords(document.toJS({ mapAsMap: true })),
    lineOf(keys) {
      const node = document.getIn(keys, true);
      const range = node && typeof node === 'object' && 'range' in node ? (node.range as [number] | null) : null;
      return range ? counter.linePos(range[0]).line : null;
    },
  };
}

/**
 * The library reads nested values by calling itself, and ten thousand brackets or `? ? ?` exhaust the stack at a point
 * where the runtime ends the process. Its lexer does not nest. Levels that are opened line by line need ever more
 * indentation, which the length limits.
 */
function checkNesting(text: string): void {
  let brackets = 0;
  let indicators = 0;
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') brackets++;
    else if (token === ']' || token === '}') brackets--;
    else if (token === '-' || token === '?' || token === ':') indicators++;
    else if (token.includes('\n')) indicators = tokens = 0;
    // The library goes on collecting mistakes, at more than their length: the first one is enough.
    if (brackets < 0) throw new Error('a bracket is closed that was never opened');
    if (++tokens > MAX_TOKENS) throw new Error('a line of it has too many parts for settings');
    if (brackets + indicators > MAX_OPEN) throw new Error('it is nested too deeply for settings');
  }
}

/** Of the settings and their sections; further in, the last of two equal keys counts. */
function checkKeys({ contents }: Document, counter: LineCounter): void {
  if (!isMap(contents)) return;
  checkUnique(contents as YAMLMap, counter);
  for (const { value } of contents.items) if (isMap(value)) checkUnique(value as YAMLMap, counter);
}

function checkUnique(map: YAMLMap, counter: LineCounter): void {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) throw new Error('a key is no plain text');
    if (seen.has(key.value)) {
      const line = key.range ? ` (line ${counter.linePos(key.range[0]).line})` : '';
      throw new Error(`the key \`${String(key.value).slice(0, 60)}\` is given twice${line}`);
    }
    seen.add(key.value);
  }
}

function toRecords(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new Error('it is nested too deeply for settings');
  if (Array.isArray(value)) return value.map((item) => toRecords(item, depth + 1));
  if (!(value instanceof Map)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, below] of value) {
    if (key !== null && typeof key === 'object') throw new Error('a key is no plain text');
    entries.push([String(key), toRecords(below, depth + 1)]);
  }
  return Object.fromEntries(entries);
}
