/**
 * Parses YAML settings that may come from a repository. A module of its own, loaded on demand. The length is limited,
 * and two features of the library whose cost grows faster than the text are avoided: its check for unique keys compares
 * each key with all others (200,000 keys took minutes), and a key that is a collection is serialised again at every
 * level.
 */
import { type Document, isMap, isScalar, Lexer, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { MAX_SETTINGS_LENGTH } from './settings.ts';

/** Limit of nesting; settings are two levels deep, and some are lists. */
const MAX_DEPTH = 8;
/** Brackets and block indicators that a line may open. */
const MAX_OPEN = 16;
/** Limit of tokens per line; a list of hundreds of names still fits. */
const MAX_TOKENS = 2000;

export interface SettingsDocument {
  readonly content: unknown;
  /** Line of the value at these keys; null without one. */
  lineOf(keys: readonly string[]): number | null;
}

/** Parses settings. Throws an Error with a one-line message. */
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
    // toJS() throws for an alias without an anchor, and for an excessive number of aliases.
    content: toRecords(document.toJS({ mapAsMap: true })),
    lineOf(keys) {
      const node = document.getIn(keys, true);
      const range = node && typeof node === 'object' && 'range' in node ? (node.range as [number] | null) : null;
      return range ? counter.linePos(range[0]).line : null;
    },
  };
}

/**
 * Limits nesting before parsing: the library parses nested values recursively, and ten thousand brackets or `? ? ?`
 * exhaust the stack in a way that ends the process. Its lexer is not recursive. Levels that are opened line by line
 * need more and more indentation, which the length limits.
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
    // Stops at the first error: the library would collect further ones at a superlinear cost.
    if (brackets < 0) throw new Error('a bracket is closed that was never opened');
    if (++tokens > MAX_TOKENS) throw new Error('a line of it has too many parts for settings');
    if (brackets + indicators > MAX_OPEN) throw new Error('it is nested too deeply for settings');
  }
}

/** Rejects duplicate keys of settings and sections; at deeper levels, the last of two equal keys wins. */
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
