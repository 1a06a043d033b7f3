/** Classifies a query: program message, path, symbol or question. */

import type { QueryIntent } from '../../model/records/query.ts';
import { pattern } from '../../model/text/pattern.ts';
import { forEachIdentifier } from '../../model/text/terms.ts';
import { isStopWord, type Span } from './query-terms.ts';

/** With fewer other words, a filled-in value is the subject of the message. */
const MIN_WORDS_BESIDE = 3;

/**
 * What programs fill into messages: addresses, and names with all that is around them (`org.acme.Cart`,
 * `http.handlers.proxy`).
 */
export const VALUE = pattern('gi')`
  \b[a-z][a-z0-9+.-]*:\/\/[^\s"'\x60<>]+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?
  |(?<![\w/\\.$-])[a-z][\w-]*(?:\.[\w$-]+){2,}(?::\d+)?(?![\w$(/\\-]|\.\w)
`;

/** The subject at the end of a message, with its surroundings: `unused key: window.opacity`. */
export const FILLED = /(?<=\w: )[a-z][\w-]*\.[\w$-]+$/gi;

/** A text of several lines is a trace, and names are what it is about. */
export function valuesIn(text: string): Span[] {
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
 * As programs put what they say, and askers do not: it ends like a sentence, tells one thing by another behind a colon,
 * has a part in brackets or quotes, or one filled in.
 */
export function isStatement(text: string): boolean {
  const count = text.split(/\s+/).length;
  return (
    count >= MIN_SENTENCE_WORDS &&
    (valuesIn(text).length > 0 ||
      /\w[.!]$/.test(text) ||
      /\w: \S/.test(text) ||
      (count > MIN_SENTENCE_WORDS && /(?:^|\s)(?:'[^']+'|<[^>]+>|\([^)]+\))/.test(text)))
  );
}

export const QUOTED = /(^|\s)"([^"]+)"/g;
/** How programs put it when something is wrong, and askers seldom do; */
export const COMPLAINT = pattern('i')`
    \b(?:cannot|can't|could(?: not|n't)|unable to|failed to|no such|not found|do(?:es)?(?: not|n't)
    |(?:is|are|was)(?: not|n't)|must (?:be|not|have)|should (?:be|not|have)|timed out|already|violates|exceed(?:s|ed))\b
  `;
/** and words that are in such sentences, but may be what a question is about. */
const TROUBLE = pattern('i')`
    \b(?:error|fatal|warn(?:ing)?|panic(?:ked)?|fail(?:s|ed|ure)?|invalid|illegal|unexpected|unknown|undefined
    |unsupported|unrecogni[sz]ed|missing|denied|refused|duplicate|expected|wrong|threw|thrown|exception)\b
  `;
export const ASKING = /^\s*(?:how|where|what|which|who|why|when|find|show|list)\b|\?\s*$/i;
/** A longer or multi-line text was pasted, not typed as a question. */
const MAX_QUESTION_WORDS = 30;
/** Fewer words around it are no sentence that quotes. */
const MIN_SENTENCE_WORDS = 3;

/**
 * Which quoted parts must occur. Not the names and paths that a message quotes: the code of `relation "users" does not
 * exist` has a placeholder there.
 */
export function demandsWhatItQuotes(text: string, isError: boolean): (phrase: string) => boolean {
  const around = text.replace(QUOTED, ' ').trim();
  const count = around.split(/[^\p{L}\p{N}_]+/u).filter(Boolean).length;
  if (around.includes('\n') || count > MAX_QUESTION_WORDS) return () => false;
  const message =
    count >= MIN_SENTENCE_WORDS &&
    !ASKING.test(text) &&
    (isError || COMPLAINT.test(around) || TROUBLE.test(around) || isStatement(text));
  return (phrase) => !(message && !/\s/.test(phrase.trim()));
}

export function looksLikeError(query: string): boolean {
  return (
    // A name in backticks or single quotes is a name; a sentence in them is a message.
    /(^|\s)['`][^'`]*\s[^'`]*['`](?:\s|$)/.test(query) ||
    /\b(?:at|File) .+:\d+/.test(query) ||
    /\bFile ".+", line \d+/.test(query) ||
    LOGGED.test(query) ||
    // As a Python traceback ends.
    /^(?:\w+\.)+[A-Z]\w*: /.test(query) ||
    /\b(?:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,}|[A-Z]{1,4}\d{3,5}|0x[0-9a-fA-F]+|errno)\b/.test(query) ||
    /^Traceback|: error:|error\[\w+\]|\bpanic(?:ked)?:/.test(query)
  );
}

/** A level as logs and compilers write it: in brackets, or at the beginning, behind the time if there is one. */
const LOGGED = pattern()`
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

/** `*.yml`, `handler_*.go`; one with a slash is a path anyway. */
const FILE_GLOB = new RegExp(`^[\\w@+~.*?-]*\\*[\\w@+~.*?-]*\\.(?:${FILE_ENDINGS})$`, 'i');

/** A name that ends as files do, with or without a line behind it. */
const FILE_NAME = new RegExp(`^[\\w@+~$[\\]().-]*[\\w\\])]\\.(?:${FILE_ENDINGS})(?::\\d+){0,2}$`, 'i');

/**
 * As compilers number what they report: E0308, TS2304, CS0103, LNK2019. Names of the same form have fewer digits (E2E,
 * X509, SHA256), and none begins as 0x does.
 */
const ERROR_CODE = /^(?:(?:[CEFRW]|TS|CS|LNK|MSB|NU)\d{4}|0x[0-9a-fA-F]+)$/;
/**
 * What systems call their errors, and npm calls its own: any other word in capitals that begins with an E is a
 * constant.
 */
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
