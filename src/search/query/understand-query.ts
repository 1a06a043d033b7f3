/**
 * Understands a query: intent, terms, identifiers inside sentences, phrases that must match, qualifiers, negations.
 * Pure.
 */

import type { QueryIntent, SearchFilters } from '../../model/records/query.ts';
import { pattern } from '../../model/text/pattern.ts';
import { identifierTerms } from '../../model/text/terms.ts';
import { isReport, type ReportPart, readReport } from '../report/read-report.ts';
import { type ReportEvidence, reportEvidence } from '../report/report-evidence.ts';
import {
  ASKING,
  COMPLAINT,
  findFilledValues,
  intentOf,
  isStatement,
  looksLikeError,
  QUOTED,
  requiredQuoteTest,
} from './query-intent.ts';
import { collectTerms, type QueryTerm } from './query-terms.ts';
import { findSettingKeys, type SettingKey } from './setting-keys.ts';

export interface Understood {
  readonly intent: QueryIntent;
  /** The query without qualifiers, quotes and negations. */
  readonly text: string;
  /** The text to embed, if it is not the whole query: title and prose of a pasted issue. */
  readonly gist?: string;
  /** Files, lines and names that a pasted issue mentions. */
  readonly report?: ReportEvidence;
  /** Distinct terms with their weights. */
  readonly terms: readonly QueryTerm[];
  /** Words as written that look like identifiers (`parseFile`, `MAX_SIZE`, `std::vec`), longest first. */
  readonly identifiers: readonly string[];
  /**
   * Two or three neighbouring words joined to a name: "flat hash map" may mean flat_hash_map. As nameKey, longest
   * first.
   */
  readonly compounds: readonly string[];
  /** Single words as nameKey, without stop words: each may be a symbol's whole name. */
  readonly words: readonly string[];
  /** Settings, flags, routes and environment variables, as code writes them. */
  readonly keys: readonly SettingKey[];
  /** The query reads like a program message. */
  readonly isMessage: boolean;
  /** The query is phrased as a question. */
  readonly asks: boolean;
  /** Quoted phrases, which must occur verbatim. */
  readonly phrases: readonly string[];
  /** Terms that must not occur. */
  readonly excluded: readonly string[];
  /** Qualifiers `lang:`, `path:`, `kind:`, `package:`, `tag:`, `ext:`; with a minus before them, in `without`. */
  readonly filters: SearchFilters;
}

/** The ranker's weight set for a query: its intent, or `report` for a pasted issue. */
export function weightSetOf({ intent, report }: Understood): QueryIntent | 'report' {
  return report ? 'report' : intent;
}

/**
 * A function with its arity, as Elixir writes it: a name of several parts, or one that ends with `?` or `!`. Not
 * `http/2` nor `v1/2`.
 */
const WITH_ARITY = /(?<![\w/.-])((?:[A-Za-z]\w*\.)+[a-z_]\w*[?!]?|[a-z]+(?:_\w+[?!]?|[?!]))\/\d{1,2}(?![\w/.-])/g;
/**
 * A name after its keyword: `struct window_pane`, `class Cart`, `fn open`. Not `class loader` nor `interface
 * segregation`.
 */
const DEFINITION = pattern()`
    ^(?:(?:def|fn|func|fun|defmodule) +(?=\w)
    |(?:struct|enum|union|class|interface|trait|protocol|function|typedef|macro|#define) +(?=[A-Z]|\w*_\w
    |[a-z]+[A-Z]))([\w$.:#]*\w) *(?:\(\)|[(:{])?$
  `;
const QUALIFIER = /(^|\s)(-?)(lang|language|path|file|kind|type|package|pkg|tag|ext):("[^"]*"|\S+)/gi;

/** Limits for a pasted issue: further words take time and do not improve the answer. */
const MAX_REPORT_TERMS = 48;
const MAX_REPORT_NAMES = 32;

/** Reads a pasted issue: its parts have different weights, and it has no filters, quotes or negations. */
function understandReport(query: string): Understood {
  const parts = readReport(query);
  const weights = new Map<string, number>();
  const identifiers = new Map<string, number>();
  const main = parts.filter(({ sort }) => sort === 'title' || sort === 'prose');
  for (const { text, weight, sort } of parts) {
    const collected = collectTerms(text, 'natural_language', []);
    // Each repetition raises a word's weight: the report is about its repeated words.
    for (const { term, weight: share } of collected.terms)
      weights.set(term, Math.max(weights.get(term) ?? 0, weight * share) + 0.1 * weight * share);
    if (sort !== 'trace')
      for (const name of collected.identifiers) identifiers.set(name, Math.max(identifiers.get(name) ?? 0, weight));
  }
  const heaviest = (all: ReadonlyMap<string, number>, count: number) =>
    [...all].sort((a, b) => b[1] - a[1]).slice(0, count);
  const title = collectTerms(parts[0]?.text ?? '', 'natural_language', []);
  const report = reportEvidence(parts);
  for (const [name, weight] of report.names) identifiers.set(name, Math.max(identifiers.get(name) ?? 0, weight));
  return {
    intent: parts.some(({ sort }) => sort === 'trace') ? 'error' : 'natural_language',
    text: query,
    gist: gistOf(main),
    report,
    terms: heaviest(weights, MAX_REPORT_TERMS).map(([term, weight]) => ({ term, weight: Math.min(1, weight) })),
    identifiers: heaviest(identifiers, MAX_REPORT_NAMES).map(([name]) => name),
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

const MAX_GIST_CHARACTERS = 1200;

/** The title, twice to double its weight in the vector, and the beginning of the prose. */
function gistOf(parts: readonly ReportPart[]): string {
  const [title = '', ...prose] = parts.map(({ text }) => text);
  return [title, title, ...prose].join('\n').slice(0, MAX_GIST_CHARACTERS);
}

export function understand(query: string): Understood {
  if (isReport(query)) return understandReport(query);
  const { filters, text: unfiltered } = takeFilters(query);
  const isError = looksLikeError(unfiltered);
  const quoted = takeQuotes(unfiltered, isError);
  const { phrases } = quoted;
  const { excluded, text: included } = takeExclusions(quoted.text);
  // Removes the notation of a Go method, `reverseproxy.(*Handler).ServeHTTP`, and an Elixir function, `Oban.Job.new/2`.
  const text = included
    .replace(/\(\*(\w+)\)\./g, '$1.')
    .replace(WITH_ARITY, '$1')
    .trim()
    .replace(DEFINITION, '$1');
  const intent = quoted.isQuoting ? 'error' : intentOf(text, isError);
  const asks = ASKING.test(text);
  const isMessage = !asks && (isError || quoted.isQuoting || COMPLAINT.test(text) || isStatement(text));
  const { terms, identifiers, words, compounds } = collectTerms(text, intent, isMessage ? findFilledValues(text) : []);
  const keys = phrases.length > 0 ? [] : findSettingKeys(text, asks);
  return { intent, text, terms, identifiers, words, compounds, keys, isMessage, asks, phrases, excluded, filters };
}

/** Splits qualifiers such as `lang:go` from the query; those with a minus before them become `without`. */
function takeFilters(query: string): { text: string; filters: SearchFilters } {
  const filters: { -readonly [K in keyof SearchFilters]: SearchFilters[K] } = {};
  const without: NonNullable<SearchFilters['without']> = {};
  const text = query.replace(QUALIFIER, (whole, lead: string, minus: string, name: string, value: string) => {
    const word = value.replace(/^"|"$/g, '');
    if (word === '') return whole;
    addQualifier(minus ? without : filters, name.toLowerCase(), word);
    return lead;
  });
  if (Object.keys(without).length > 0) filters.without = without;
  return { text, filters };
}

/** Removes the quotation marks; `phrases` are the quoted parts that must occur. */
function takeQuotes(query: string, isError: boolean): { text: string; phrases: string[]; isQuoting: boolean } {
  const phrases: string[] = [];
  let isQuoting = false;
  const isRequired = requiredQuoteTest(query, isError);
  const text = query.replace(QUOTED, (_whole, lead: string, phrase: string) => {
    isQuoting = true;
    if (isRequired(phrase)) phrases.push(phrase);
    return `${lead}${phrase}`;
  });
  return { text, phrases, isQuoting };
}

/** Splits off `-word`. An identifier excludes itself, not everything that shares a word with it. */
function takeExclusions(query: string): { text: string; excluded: string[] } {
  const excluded: string[] = [];
  const text = query.replace(/(^|\s)-([A-Za-z_]\w*)(?=\s|$)/g, (_whole, lead: string, word: string) => {
    const { parts, whole } = identifierTerms(word);
    excluded.push(...(whole ? [whole] : parts.slice(0, 1)));
    return lead;
  });
  // A query of exclusions only is a query for flags: `-uuu`.
  return text.trim() === '' ? { text: query, excluded: [] } : { text, excluded };
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
