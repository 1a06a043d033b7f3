/** Classifies a query: a program message, a path, a symbol or a question. */

import type { QueryIntent } from '../../model/records/query.ts';
import { pattern } from '../../model/text/pattern.ts';
import { forEachIdentifier } from '../../model/text/terms.ts';
import { isStopWord, type Span } from './query-terms.ts';

/** With fewer words beside them, filled-in values are what the query is about. */
const MIN_WORDS_BESIDE = 3;

/** A value that a program fills into a message: an address, or a name such as `org.acme.Cart`. */
export const VALUE = pattern('gi')`
  \b[a-z][a-z0-9+.-]*:\/\/[^\s"'\x60<>]+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?
  |(?<![\w/\\.$-])[a-z][\w-]*(?:\.[\w$-]+){2,}(?::\d+)?(?![\w$(/\\-]|\.\w)
`;

/** A qualified name behind the colon of a message: `unused key: window.opacity`. */
export const FILLED = /(?<=\w: )[a-z][\w-]*\.[\w$-]+$/gi;

/** Spans of values that a program filled in. None in a text of several lines: that is a trace, which is about names. */
export function findFilledValues(text: string): Span[] {
  if (text.includes('\n')) return [];
  const values = [...text.matchAll(VALUE), ...text.matchAll(FILLED)]
    .filter(([value]) => !FILE_NAME.test(value))
    .map(({ 0: value, index }) => ({ start: index, end: index + value.length }));
  let beside = 0;
  forEachIdentifier(text, (word, index) => {
    if (!isStopWord(word.toLowerCase()) && !values.some(({ start, end }) => index >= start && index < end)) beside++;
  });
  return beside >= MIN_WORDS_BESIDE ? values : [];
}

/**
 * Whether a text reads like a sentence of a program, not of a user: it contains a filled-in value, a colon before a
 * detail, a bracketed or quoted part, or ends with a full stop.
 */
export function isStatement(text: string): boolean {
  const count = text.split(/\s+/).length;
  return (
    count >= MIN_SENTENCE_WORDS &&
    (findFilledValues(text).length > 0 ||
      /\w[.!]$/.test(text) ||
      /\w: \S/.test(text) ||
      (count > MIN_SENTENCE_WORDS && /(?:^|\s)(?:'[^']+'|<[^>]+>|\([^)]+\))/.test(text)))
  );
}

export const QUOTED = /(^|\s)"([^"]+)"/g;
/** Phrases with which programs report a problem; users seldom ask with them. */
export const COMPLAINT = pattern('i')`
    \b(?:cannot|can't|could(?: not|n't)|unable to|failed to|no such|not found|do(?:es)?(?: not|n't)
    |(?:is|are|was)(?: not|n't)|must (?:be|not|have)|should (?:be|not|have)|timed out|already|violates|exceed(?:s|ed))\b
  `;
/** Words of such sentences that may also be the subject of a question. */
const TROUBLE = pattern('i')`
    \b(?:error|fatal|warn(?:ing)?|panic(?:ked)?|fail(?:s|ed|ure)?|invalid|illegal|unexpected|unknown|undefined
    |unsupported|unrecogni[sz]ed|missing|denied|refused|duplicate|expected|wrong|threw|thrown|exception)\b
  `;
export const ASKING = /^\s*(?:how|where|what|which|who|why|when|find|show|list)\b|\?\s*$/i;
/** A longer text was pasted, not typed as a question. */
const MAX_QUESTION_WORDS = 30;
/** Fewer words around a quoted part do not make a sentence. */
const MIN_SENTENCE_WORDS = 3;

/**
 * Returns a test for quoted parts that must occur. Names and paths that a message quotes need not: the code of
 * `relation "users" does not exist` has a placeholder there.
 */
export function requiredQuoteTest(text: string, isError: boolean): (phrase: string) => boolean {
  const around = text.replace(QUOTED, ' ').trim();
  const count = around.split(/[^\p{L}\p{N}_]+/u).filter(Boolean).length;
  if (around.includes('\n') || count > MAX_QUESTION_WORDS) return () => false;
  const isMessage =
    count >= MIN_SENTENCE_WORDS &&
    !ASKING.test(text) &&
    (isError || COMPLAINT.test(around) || TROUBLE.test(around) || isStatement(text));
  return (phrase) => !(isMessage && !/\s/.test(phrase.trim()));
}

export function looksLikeError(query: string): boolean {
  return (
    // A sentence in backticks or single quotes is a message; a single word in them is a name.
    /(^|\s)['`][^'`]*\s[^'`]*['`](?:\s|$)/.test(query) ||
    /\b(?:at|File) .+:\d+/.test(query) ||
    /\bFile ".+", line \d+/.test(query) ||
    LOG_LEVEL.test(query) ||
    // The last line of a Python traceback.
    /^(?:\w+\.)+[A-Z]\w*: /.test(query) ||
    /\b(?:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,}|[A-Z]{1,4}\d{3,5}|0x[0-9a-fA-F]+|errno)\b/.test(query) ||
    /^Traceback|: error:|error\[\w+\]|\bpanic(?:ked)?:/.test(query)
  );
}

/** A level as logs and compilers write it: in brackets, or at the beginning after an optional time. */
const LOG_LEVEL = pattern()`
    \[(?:emerg|alert|crit(?:ical)?|fatal|error|warn(?:ing)?|notice|info|debug|ERROR|WARN(?:ING)?|FATAL|INFO|DEBUG)\]
    |^[\s\d:.,/TZ+-]*(?:(?:FATAL|PANIC|SEVERE|CRITICAL|ERROR|WARN(?:ING)?)\b|(?:[Ff]atal|[Ee]rror|[Ww]arning): )
  `;

export function intentOf(text: string, isError: boolean): QueryIntent {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1) {
    const word = words[0]!;
    if (word.includes('/') || FILE_NAME.test(word) || FILE_GLOB.test(word)) return 'path';
    if (ERROR_CODE.test(word) || ERROR_NAMES.has(word)) return 'error';
    if (/^[\w$.:#\\~?!<>]+(?:\(\))?$/.test(word) && /[A-Za-z_]/.test(word)) return 'symbol';
  }
  if (isError) return 'error';
  if (words.length <= 3 && words.some((word) => word.includes('/') && /\w\/\w/.test(word))) return 'path';
  return 'natural_language';
}

export const FILE_ENDINGS =
  'go|rs|py|pyi|pyw|ts|tsx|mts|cts|js|jsx|mjs|cjs|java|c|h|cc|cpp|cxx|hpp|hh|cs|csproj|sln|kt|kts|scala|sc|sbt|' +
  'php|phtml|rb|rake|gemspec|podspec|ex|exs|lua|hs|cabal|zig|sh|bash|zsh|dart|swift|md|mdx|markdown|rst|adoc|txt|' +
  'yml|yaml|json|jsonc|json5|toml|ini|cfg|sql|proto|graphql|gql|tf|tfvars|hcl|html|htm|css|scss|less|vue|svelte|' +
  'xml|plist|gradle|cmake|mk';

/** A glob for file names: `*.yml`, `handler_*.go`. A glob with a slash counts as a path already. */
const FILE_GLOB = new RegExp(`^[\\w@+~.*?-]*\\*[\\w@+~.*?-]*\\.(?:${FILE_ENDINGS})$`, 'i');

/** A file name with a known extension, with or without a line number after it. */
const FILE_NAME = new RegExp(`^[\\w@+~$[\\]().-]*[\\w\\])]\\.(?:${FILE_ENDINGS})(?::\\d+){0,2}$`, 'i');

/**
 * Error codes of compilers (E0308, TS2304, CS0103, LNK2019) and hexadecimal codes. Other names of this form have fewer
 * digits (E2E, X509, SHA256).
 */
const ERROR_CODE = /^(?:(?:[CEFRW]|TS|CS|LNK|MSB|NU)\d{4}|0x[0-9a-fA-F]+)$/;
/** Error names of POSIX, Windows and npm; another word in capitals that begins with E is a constant. */
const ERROR_NAMES: ReadonlySet<string> = new Set(
  (
    'EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EAI_AGAIN EALREADY EBADENGINE EBADF EBADMSG EBUSY ' +
    'ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG ' +
    'EHOSTDOWN EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTEGRITY EINTR EINVAL EIO EISCONN EISDIR ELIFECYCLE ELOOP ' +
    'EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODATA ENODEV ENOENT ' +
    'ENOEXEC ENOLCK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSOCK ENOTSUP ' +
    'ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE ERESOLVE EROFS ' +
    'ESHUTDOWN ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV'
  ).split(' '),
);
