/** What does the asker want? Intent, the words that carry it, identifiers inside sentences, phrases that must match, qualifiers, negations. Pure. */
import type { QueryIntent, SearchFilters } from '../../model/records/query.ts';
import { forEachIdentifier, identifierTerms, nameKey } from '../../model/text/terms.ts';
import { isReport, type ReportPart, readReport } from './read-report.ts';
import { type Key, keysOf } from './setting-keys.ts';

export interface Understood {
  readonly intent: QueryIntent;
  /** The query without qualifiers, quotes and negations. */
  readonly text: string;
  /** What is compared by meaning, where that is less than the text: of a pasted issue, what it says in words. */
  readonly gist?: string;
  /** Distinct terms with how much each counts. */
  readonly terms: readonly QueryTerm[];
  /** Words as written that look like identifiers (`parseFile`, `MAX_SIZE`, `std::vec`), longest first. */
  readonly identifiers: readonly string[];
  /** Two or three neighbouring words written as one name: "flat hash map" may be flat_hash_map. As nameKey, longest first. */
  readonly compounds: readonly string[];
  /** Single words as nameKey, without stop words: any may be a symbol's whole name. */
  readonly words: readonly string[];
  /** Settings, flags, routes and variables of the environment, as code writes them. */
  readonly keys: readonly Key[];
  /** Whether it reads as what a program says, and whether it puts a question. */
  readonly isMessage: boolean;
  readonly asks: boolean;
  /** Quoted: must occur exactly. */
  readonly phrases: readonly string[];
  /** Terms that must not occur. */
  readonly excluded: readonly string[];
  /** From `lang:`, `path:`, `kind:`, `package:`, `tag:`, `ext:`; with a minus before them, `without`. */
  readonly filters: SearchFilters;
}

export interface QueryTerm {
  readonly term: string;
  /** 1 for a word; less for a stop word or the whole of an identifier whose parts count too. */
  readonly weight: number;
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and any are as at be been being between but by can could did do does doing for from get gets had has have having how i if in into is it its itself just like make makes me my need of on or our out over should so some such than that the their them then there these they this those through to under up use used uses using via was we were what when where which while who why will with within without would you your all each every during about code implement implementation implemented function class method file handle handled handling work works'.split(
    ' ',
  ),
);
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Stop words that the sentence may still be about count a little. */
const STOP_WEIGHT = 0.12;
const WHOLE_WEIGHT = 0.8;
/** Of a word inside of what a program filled in. */
const VALUE_WEIGHT = 0.2;
/** With fewer words beside it, it is what the message is about. */
const WORDS_BESIDE = 3;
/** With fewer words beside it, a number is what the message is about. */
const MESSAGE_WORDS = 4;
/** Not `http/2` nor `v1/2`: a name of several parts, or one that asks or warns. */
const WITH_ARITY = /(?<![\w/.-])((?:[A-Za-z]\w*\.)+[a-z_]\w*[?!]?|[a-z]+(?:_\w+[?!]?|[?!]))\/\d{1,2}(?![\w/.-])/g;
/** `struct window_pane`, `class Cart`, `fn open`: a name, said to be one. Not `class loader` nor `interface segregation`. */
const DEFINITION =
  /^(?:(?:def|fn|func|fun|defmodule) +(?=\w)|(?:struct|enum|union|class|interface|trait|protocol|function|typedef|macro|#define) +(?=[A-Z]|\w*_\w|[a-z]+[A-Z]))([\w$.:#]*\w) *(?:\(\)|[(:{])?$/;
const QUALIFIER = /(^|\s)(-?)(lang|language|path|file|kind|type|package|pkg|tag|ext):("[^"]*"|\S+)/gi;

/** More words than this of a report tell nothing more, and take time. */
const REPORT_TERMS = 48;
const REPORT_NAMES = 16;

/** A pasted issue: no filters, quotes or negations are meant in it, and its parts count differently. */
function understandReport(query: string): Understood {
  const parts = readReport(query);
  const weights = new Map<string, number>();
  const identifiers = new Map<string, number>();
  const main = parts.filter(({ sort }) => sort === 'title' || sort === 'prose');
  for (const { text, weight, sort } of parts) {
    const own = collectTerms(text, 'natural_language', []);
    // A word that comes back is what the report is about.
    for (const { term, weight: share } of own.terms)
      weights.set(term, Math.max(weights.get(term) ?? 0, weight * share) + 0.1 * weight * share);
    if (sort !== 'trace')
      for (const name of own.identifiers) identifiers.set(name, Math.max(identifiers.get(name) ?? 0, weight));
  }
  const most = (all: ReadonlyMap<string, number>, count: number) =>
    [...all].sort((a, b) => b[1] - a[1]).slice(0, count);
  const title = collectTerms(parts[0]?.text ?? '', 'natural_language', []);
  return {
    intent: parts.some(({ sort }) => sort === 'trace') ? 'error' : 'natural_language',
    text: query,
    gist: gistOf(main),
    terms: most(weights, REPORT_TERMS).map(([term, weight]) => ({ term, weight: Math.min(1, weight) })),
    identifiers: most(identifiers, REPORT_NAMES).map(([name]) => name),
    words: title.words,
    compounds: title.compounds,
    keys: [],
    isMessage: false,
    asks: true,
    phrases: [],
    excluded: [],
    filters: {},
  };
}

const GIST_CHARACTERS = 1200;

/** The title, and as much of the prose as says what it is about; the title counts twice. */
function gistOf(parts: readonly ReportPart[]): string {
  const [title = '', ...prose] = parts.map(({ text }) => text);
  return [title, title, ...prose].join('\n').slice(0, GIST_CHARACTERS);
}

export function understand(query: string): Understood {
  if (isReport(query)) return understandReport(query);
  const filters: { -readonly [K in keyof SearchFilters]: SearchFilters[K] } = {};
  const without: NonNullable<SearchFilters['without']> = {};
  const phrases: string[] = [];
  const excludedWords: string[] = [];
  let text = query.replace(QUALIFIER, (whole, lead: string, minus: string, name: string, value: string) => {
    const word = value.replace(/^"|"$/g, '');
    if (word === '') return whole;
    addQualifier(minus ? without : filters, name.toLowerCase(), word);
    return lead;
  });
  if (Object.keys(without).length > 0) filters.without = without;
  const isError = looksLikeError(text);
  let quotes = false;
  const demands = demandsWhatItQuotes(text, isError);
  text = text.replace(QUOTED, (_whole, lead: string, phrase: string) => {
    quotes = true;
    if (demands(phrase)) phrases.push(phrase);
    return `${lead}${phrase}`;
  });
  const left = text.replace(/(^|\s)-([A-Za-z_]\w*)(?=\s|$)/g, (_whole, lead: string, word: string) => {
    excludedWords.push(word);
    return lead;
  });
  // Nothing is left to leave it out of: `-uuu` is a flag.
  if (left.trim() === '') excludedWords.length = 0;
  else text = left;
  // As Go writes a method, `reverseproxy.(*Handler).ServeHTTP`, and Elixir a function, `Oban.Job.new/2`.
  text = text
    .replace(/\(\*(\w+)\)\./g, '$1.')
    .replace(WITH_ARITY, '$1')
    .trim()
    .replace(DEFINITION, '$1');
  const intent = quotes ? 'error' : intentOf(text, isError);
  const asks = ASKING.test(text);
  const isMessage = !asks && (isError || quotes || COMPLAINT.test(text) || isStatement(text));
  const { terms, identifiers, words, compounds } = collectTerms(text, intent, isMessage ? valuesIn(text) : []);
  // An identifier excludes itself, not everything that shares a word with it.
  const excluded = excludedWords.flatMap((word) => {
    const { parts, whole } = identifierTerms(word);
    return whole ? [whole] : parts.slice(0, 1);
  });
  const keys = phrases.length > 0 ? [] : keysOf(text, asks);
  return { intent, text, terms, identifiers, words, compounds, keys, isMessage, asks, phrases, excluded, filters };
}

function addQualifier(filters: object, name: string, value: string): void {
  const key = (
    {
      lang: 'languages',
      language: 'languages',
      path: 'paths',
      file: 'paths',
      kind: 'kinds',
      type: 'kinds',
      package: 'packages',
      pkg: 'packages',
      tag: 'tags',
      ext: 'extensions',
    } as const
  )[name];
  if (!key) return;
  const glob = key === 'paths' && !/[*?[{]/.test(value) ? `**/*${value}*{,/**}` : value;
  const lists = filters as Record<string, readonly string[] | undefined>;
  lists[key] = [...(lists[key] ?? []), glob];
}

type Collected = Pick<Understood, 'terms' | 'identifiers' | 'words' | 'compounds'>;

function collectTerms(text: string, intent: QueryIntent, values: readonly Span[]): Collected {
  const weights = new Map<string, number>();
  const numbers: string[] = [];
  const identifiers: string[] = [];
  const words: string[] = [];
  /** Runs of words between stop words: compounds do not reach across them. */
  const runs: string[][] = [[]];
  const add = (term: string, weight: number) => {
    if (term) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  forEachIdentifier(text, (identifier, index) => {
    const { parts, whole } = identifierTerms(identifier);
    if (values.some(({ start, end }) => index >= start && index < end)) {
      for (const part of parts) add(part, VALUE_WEIGHT);
      return;
    }
    const stop = STOP_WORDS.has(identifier.toLowerCase());
    // A capital in the middle of a sentence is a name: "the Router class".
    const named = !stop && index > 0 && /^[A-Z][a-z]+$/.test(identifier);
    if (isIdentifierLike(identifier) || named) identifiers.push(identifier);
    for (const part of parts) add(part, stop ? STOP_WEIGHT : 1);
    add(whole, WHOLE_WEIGHT);
    if (/^\d+$/.test(identifier)) numbers.push(...parts);
    if (stop) runs.push([]);
    else {
      words.push(nameKey(identifier));
      runs.at(-1)!.push(nameKey(identifier));
    }
  });
  // Times, ports and sizes in a message are those of one day.
  if (intent === 'error' && words.length - numbers.length >= MESSAGE_WORDS)
    for (const number of numbers) weights.set(number, STOP_WEIGHT);
  // A question of stop words only is still a question.
  const all = [...weights].map(([term, weight]) => ({ term, weight }));
  const terms = all.some(({ weight }) => weight > STOP_WEIGHT) ? all : all.map(({ term }) => ({ term, weight: 1 }));
  identifiers.sort((a, b) => b.length - a.length);
  return {
    terms,
    identifiers: [...new Set(identifiers)],
    words: [...new Set(words)].filter(Boolean),
    compounds: compoundsOf(runs),
  };
}

function compoundsOf(runs: readonly (readonly string[])[]): string[] {
  const compounds = new Set<string>();
  for (const size of [3, 2]) {
    for (const run of runs) {
      for (let i = 0; i + size <= run.length; i++) {
        const compound = run.slice(i, i + size).join('');
        compounds.add(compound);
        // "rate limits" names rate_limit as well.
        if (compound.endsWith('s')) compounds.add(compound.slice(0, -1));
      }
    }
  }
  return [...compounds];
}

/** Case, underscores or digits inside: nobody writes prose like that. */
export function isIdentifierLike(word: string): boolean {
  return /[a-z][A-Z]|[A-Z]{2}[a-z]|\w_\w|^_\w|[A-Za-z]\d/.test(word) || /^[A-Z][A-Z0-9_]{2,}$/.test(word);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What programs fill into messages: addresses, and names with all that is around them (`org.acme.Cart`, `http.handlers.proxy`). */
export const VALUE =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>]+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|(?<![\w/\\.$-])[a-z][\w-]*(?:\.[\w$-]+){2,}(?::\d+)?(?![\w$(/\\-]|\.\w)/gi;

/** What a message tells of at its end, with a part of what is around it: `unused key: window.opacity`. */
export const FILLED = /(?<=\w: )[a-z][\w-]*\.[\w$-]+$/gi;

/** A text of several lines is a trace, and names are what it is about. */
function valuesIn(text: string): Span[] {
  if (text.includes('\n')) return [];
  const values = [...text.matchAll(VALUE), ...text.matchAll(FILLED)]
    .filter(([value]) => !FILE_NAME.test(value))
    .map(({ 0: value, index }) => ({ start: index, end: index + value.length }));
  let beside = 0;
  forEachIdentifier(text, (word, index) => {
    if (!STOP_WORDS.has(word.toLowerCase()) && !values.some(({ start, end }) => index >= start && index < end))
      beside++;
  });
  return beside >= WORDS_BESIDE ? values : [];
}

/** As programs put what they say, and askers do not: it ends like a sentence, tells one thing by another behind a colon, has a part in brackets or quotes, or one filled in. */
function isStatement(text: string): boolean {
  const count = text.split(/\s+/).length;
  return (
    count >= SENTENCE_WORDS &&
    (valuesIn(text).length > 0 ||
      /\w[.!]$/.test(text) ||
      /\w: \S/.test(text) ||
      (count > SENTENCE_WORDS && /(?:^|\s)(?:'[^']+'|<[^>]+>|\([^)]+\))/.test(text)))
  );
}

const QUOTED = /(^|\s)"([^"]+)"/g;
/** How programs put it when something is wrong, and askers seldom do; */
const COMPLAINT =
  /\b(?:cannot|can't|could(?: not|n't)|unable to|failed to|no such|not found|do(?:es)?(?: not|n't)|(?:is|are|was)(?: not|n't)|must (?:be|not|have)|should (?:be|not|have)|timed out|already|violates|exceed(?:s|ed))\b/i;
/** and words that are in such sentences, but may be what a question is about. */
const TROUBLE =
  /\b(?:error|fatal|warn(?:ing)?|panic(?:ked)?|fail(?:s|ed|ure)?|invalid|illegal|unexpected|unknown|undefined|unsupported|unrecogni[sz]ed|missing|denied|refused|duplicate|expected|wrong|threw|thrown|exception)\b/i;
const ASKING = /^\s*(?:how|where|what|which|who|why|when|find|show|list)\b|\?\s*$/i;
/** A text of more words, or of several lines, was pasted: nobody puts together such a question. */
const MOST_WORDS = 30;
/** Fewer words around it are no sentence that quotes. */
const SENTENCE_WORDS = 3;

/**
 * Which quoted parts must occur. Not what a message says about a name or a path of the asker's own: `relation "users" does not exist` is
 * written with a placeholder in the code that says it.
 */
function demandsWhatItQuotes(text: string, isError: boolean): (phrase: string) => boolean {
  const around = text.replace(QUOTED, ' ').trim();
  const count = around.split(/[^\p{L}\p{N}_]+/u).filter(Boolean).length;
  if (around.includes('\n') || count > MOST_WORDS) return () => false;
  const message =
    count >= SENTENCE_WORDS &&
    !ASKING.test(text) &&
    (isError || COMPLAINT.test(around) || TROUBLE.test(around) || isStatement(text));
  return (phrase) => !(message && !/\s/.test(phrase.trim()));
}

function looksLikeError(query: string): boolean {
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
const LOGGED =
  /\[(?:emerg|alert|crit(?:ical)?|fatal|error|warn(?:ing)?|notice|info|debug|ERROR|WARN(?:ING)?|FATAL|INFO|DEBUG)\]|^[\s\d:.,/TZ+-]*(?:(?:FATAL|PANIC|SEVERE|CRITICAL|ERROR|WARN(?:ING)?)\b|(?:[Ff]atal|[Ee]rror|[Ww]arning): )/;

function intentOf(text: string, isError: boolean): QueryIntent {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1) {
    const word = words[0]!;
    if (word.includes('/') || FILE_NAME.test(word)) return 'path';
    if (ERROR_CODE.test(word) || ERROR_NAMES.has(word)) return 'error';
    if (/^[\w$.:#\\~?!<>]+(?:\(\))?$/.test(word) && /[A-Za-z_]/.test(word)) return 'symbol';
  }
  if (isError) return 'error';
  if (words.length <= 3 && words.some((word) => word.includes('/') && /\w\/\w/.test(word))) return 'path';
  return 'natural_language';
}

export const FILE_ENDINGS =
  'go|rs|py|pyi|pyw|ts|tsx|mts|cts|js|jsx|mjs|cjs|java|c|h|cc|cpp|cxx|hpp|hh|cs|csproj|sln|kt|kts|scala|sc|sbt|php|phtml|rb|rake|gemspec|podspec|ex|exs|lua|hs|cabal|zig|sh|bash|zsh|dart|swift|md|mdx|markdown|rst|adoc|txt|yml|yaml|json|jsonc|json5|toml|ini|cfg|sql|proto|graphql|gql|tf|tfvars|hcl|html|htm|css|scss|less|vue|svelte|xml|plist|gradle|cmake|mk';

/** A name that ends as files do, with or without a line behind it. */
const FILE_NAME = new RegExp(`^[\\w@+~$[\\]().-]*[\\w\\])]\\.(?:${FILE_ENDINGS})(?::\\d+){0,2}$`, 'i');

/** As compilers number what they report: E0308, TS2304, CS0103, LNK2019. Names of the same form have fewer digits (E2E, X509, SHA256), and none begins as 0x does. */
const ERROR_CODE = /^(?:(?:[CEFRW]|TS|CS|LNK|MSB|NU)\d{4}|0x[0-9a-fA-F]+)$/;
/** What systems call their errors, and npm calls its own: any other word in capitals that begins with an E is a constant. */
const ERROR_NAMES: ReadonlySet<string> = new Set(
  'EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EAI_AGAIN EALREADY EBADENGINE EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTEGRITY EINTR EINVAL EIO EISCONN EISDIR ELIFECYCLE ELOOP EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE ERESOLVE EROFS ESHUTDOWN ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV'.split(
    ' ',
  ),
);
