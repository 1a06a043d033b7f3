/**
 * Classifies a query by the contract's table of trigger patterns. The engine ranks a path or a quote inside a sentence
 * as part of a question; the contract names the intent after that path or quote.
 */

import type { QueryIntent } from '../../model/records/query.ts';
import { pattern } from '../../model/text/pattern.ts';

/** A quoted string (`'no such table'`, `"timeout"`), not an apostrophe. */
const QUOTED = /(?:^|[\s(:=])(?:'[^']+'|"[^"]+"|`[^`]*\s[^`]*`)(?=$|[\s).,:;?!])/;
const STATUS =
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?: code)?|exit(?:ed)?(?: with)?(?: code| status)?|errno|signal)[ :=]+\d{1,3}\b/i;
/** A folder with a file name, a file name with an extension, or a glob: `src/auth/jwt.rs`, `jwt.rs`, `*.rs`. */
const PATH = pattern('i')`
  (?:^|[\s('"\x60])(?:[\w@.*-]+\/[\w@.*/-]*\w|[\w@*-][\w@.*-]*\.[a-z][a-z0-9]{0,5}|\*\.[a-z]\w*)
  (?=$|[\s)'"\x60:,?!]|\.(?:\s|$))
`;
/** Text that only looks like a path: `and/or`, `http/2`, versions and abbreviations. */
const NO_PATH = /(?:^|\s)(?:and\/or|i\.e|e\.g|(?:tcp|http|https|client|read|input|yes)\/\w+)(?=$|\s)/i;

export function contractIntent(query: string, intent: QueryIntent): QueryIntent {
  if (intent !== 'natural_language') return intent;
  if (QUOTED.test(query) || STATUS.test(query)) return 'error';
  return PATH.test(query.replace(NO_PATH, ' ')) ? 'path' : intent;
}
