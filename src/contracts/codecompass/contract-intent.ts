/**
 * Intents by the contract's table of trigger patterns. The engine reads a path or a quote inside a sentence as part of
 * a question and ranks it so; the contract names the intent after it.
 */

import type { QueryIntent } from '../../model/records/query.ts';
import { pattern } from '../../model/text/pattern.ts';

/** Quotes around something, not an apostrophe: `'no such table'`, `"timeout"`. */
const QUOTED = /(?:^|[\s(:=])(?:'[^']+'|"[^"]+"|`[^`]*\s[^`]*`)(?=$|[\s).,:;?!])/;
const STATUS =
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?: code)?|exit(?:ed)?(?: with)?(?: code| status)?|errno|signal)[ :=]+\d{1,3}\b/i;
/** A folder and a name, a file by its ending, a pattern for files: `src/auth/jwt.rs`, `jwt.rs`, `*.rs`. */
const PATH = pattern('i')`
  (?:^|[\s('"\x60])(?:[\w@.*-]+\/[\w@.*/-]*\w|[\w@*-][\w@.*-]*\.[a-z][a-z0-9]{0,5}|\*\.[a-z]\w*)
  (?=$|[\s)'"\x60:,?!]|\.(?:\s|$))
`;
/** What looks like a path and is none: `and/or`, `http/2`, versions and abbreviations. */
const NO_PATH = /(?:^|\s)(?:and\/or|i\.e|e\.g|(?:tcp|http|https|client|read|input|yes)\/\w+)(?=$|\s)/i;

export function contractIntent(query: string, intent: QueryIntent): QueryIntent {
  if (intent !== 'natural_language') return intent;
  if (QUOTED.test(query) || STATUS.test(query)) return 'error';
  return PATH.test(query.replace(NO_PATH, ' ')) ? 'path' : intent;
}
