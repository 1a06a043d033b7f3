/**
 * The OpenSearch queries of one question: one for each way to find a file (words of its chunks, vectors, defined names,
 * path), all limited to the subject's repositories and the filters of the request. Pure.
 */
import type { SearchFilters } from '../../model/records/query.ts';
import { KIND_ALIASES } from '../../model/records/symbol.ts';
import { identifierTerms, nameKey, textTerms } from '../../model/text/terms.ts';
import type { Understood } from '../../search/index.ts';
import { languagesOf } from '../../search/query/search-filter.ts';
import { IMPORT_MARK } from '../../store/store.ts';
import type { RepositorySet } from './repository-set.ts';

export type Query = Readonly<Record<string, unknown>>;

export interface CandidateSearch {
  readonly query: Query;
  readonly size: number;
}

/** Hits per search; a file has several chunks. */
const CHUNKS = 300;
const NEAREST = 120;
const FILES = 80;
const MAX_NAMES = 8;
/** Terms below this weight are too frequent to select files. */
const MIN_TERM_WEIGHT = 0.2;

/** The filters that OpenSearch can apply to files and chunks; the embedded filters apply all of them again. */
export function filterQueries(repositories: RepositorySet, filters: SearchFilters): readonly Query[] {
  const { languages, extensions, chunkTypes, kinds, exactKinds, paths, includeTests, without } = filters;
  const known = kinds?.flatMap((kind) => KIND_ALIASES.get(kind.toLowerCase()) ?? []);
  const globs = paths?.map(wildcardOf);
  return [
    repositories.within,
    ...(languages?.length ? [{ terms: { language: languages.flatMap(languagesOf) } }] : []),
    ...(extensions?.length ? [{ terms: { extension: extensions.map(endingOf) } }] : []),
    ...(includeTests === false ? [{ term: { isTest: false } }] : []),
    ...(globs?.length && globs.every((glob) => glob !== null)
      ? [any(globs.map((value) => ({ wildcard: { path: { value, case_insensitive: true } } })))]
      : []),
    ...(chunkTypes?.length ? [orFile({ terms: { type: chunkTypes } })] : []),
    ...(known?.length || exactKinds?.length
      ? [orFile({ terms: { symbolKind: [...(known ?? []), ...(exactKinds ?? [])] } })]
      : []),
    ...(without?.languages?.length
      ? [{ bool: { must_not: [{ terms: { language: without.languages.flatMap(languagesOf) } }] } }]
      : []),
  ];
}

/** Lets documents of files pass, which lack the fields of chunks. */
function orFile(query: Query): Query {
  return any([query, { term: { kind: 'file' } }]);
}

function any(queries: readonly Query[]): Query {
  return { bool: { should: queries, minimum_should_match: 1 } };
}

function endingOf(extension: string): string {
  return `.${extension
    .trim()
    .replace(/^\*?\./, '')
    .toLowerCase()}`;
}

/** A wildcard pattern that matches at least what the glob does; null without one. */
function wildcardOf(glob: string): string | null {
  const plain = glob.replace(/\{,\/\*\*\}$/, '').replace(/\*+\/?/g, '*');
  return /[{}[\]!()\\]/.test(plain) ? null : `*${plain.replace(/^\*?\/?/, '')}`.replace(/\/$/, '/*');
}

export function candidateSearches(
  understood: Understood,
  vector: Float32Array | null,
  filter: readonly Query[],
): CandidateSearch[] {
  const { terms, phrases } = understood;
  const telling = terms.filter(({ weight }) => weight >= MIN_TERM_WEIGHT);
  const words = telling.length > 0 ? telling : terms;
  const within = (query: Query, kind?: 'file' | 'chunk'): Query => ({
    bool: { filter: kind ? [...filter, { term: { kind } }] : filter, must: [query] },
  });
  const quoted = phrases.map((phrase) => ({ bool: { must: textTerms(phrase).map((term) => termQuery(term, 1)) } }));
  const names = nameQueries(understood);
  return [
    ...(words.length > 0
      ? [{ query: within(any(words.map(({ term, weight }) => termQuery(term, weight))), 'chunk'), size: CHUNKS }]
      : []),
    ...(quoted.length > 0 ? [{ query: within({ bool: { must: quoted } }, 'chunk'), size: CHUNKS }] : []),
    ...(vector ? [{ query: nearest(vector, filter), size: NEAREST }] : []),
    ...(names.length > 0
      ? [{ query: within({ bool: { should: names, minimum_should_match: 1 } }, 'file'), size: FILES }]
      : []),
    { query: within(pathQuery(understood, words), 'file'), size: FILES },
  ];
}

function termQuery(term: string, weight: number): Query {
  const inField = (field: string, boost: number) => ({ term: { [field]: { value: term, boost: boost * weight } } });
  return { dis_max: { queries: [inField('body', 1), inField('names', 2), inField('docs', 1)], tie_breaker: 0.7 } };
}

/** Queries for names: a name in a question means the definition of that symbol, not a word of a sentence. */
function nameQueries({ identifiers, compounds, words, intent, text }: Understood): Query[] {
  const named = (keys: readonly string[], boost: number) =>
    [...new Set(keys)].filter(Boolean).map((value) => ({ term: { symbols: { value, boost } } }));
  const parts = identifiers.flatMap((name) => name.split(/::|->|[.#/\\$]/).map(nameKey));
  const alike = intent === 'symbol' ? [nameKey(text.split(/::|->|[.#/\\]/).at(-1) ?? '')] : [];
  return [
    ...named(parts, 4),
    ...named(compounds, 2),
    ...named(words, 1),
    ...named(alike, 4),
    ...alike.filter((value) => value.length > 3).map(similarName),
  ];
}

function similarName(value: string): Query {
  return { fuzzy: { symbols: { value, fuzziness: 'AUTO:4,8', prefix_length: 2, boost: 0.5 } } };
}

function pathQuery(
  { text, intent }: Understood,
  words: readonly { readonly term: string; readonly weight: number }[],
): Query {
  const files = text.match(/[\w@+~$.-]+\.\w+/g) ?? [];
  const paths = intent === 'path' ? text.split(/\s+/).filter((word) => /[./]/.test(word)) : [];
  const parts = paths.map((word) => word.replace(/(?::\d+)+$|#L\d+.*$/, '').replace(/^\.{0,2}\/+/, ''));
  return any([
    ...words.map(({ term, weight }) => ({ term: { pathTerms: { value: term, boost: weight } } })),
    ...files.map((name) => ({ term: { name: { value: name.toLowerCase(), boost: 5 } } })),
    ...parts
      .filter((part) => part.length > 2)
      .map((part) => ({
        wildcard: { path: { value: `*${part.replace(/[*?\\]/g, '')}*`, case_insensitive: true, boost: 5 } },
      })),
  ]);
}

function nearest(vector: Float32Array, filter: readonly Query[]): Query {
  const maxValue = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
  const bytes = Array.from(vector, (value) => Math.round((value / maxValue) * 127));
  return { knn: { vector: { vector: bytes, k: NEAREST, filter: { bool: { filter } } } } };
}

/** Searches for files that define the name, or a similar one. */
export function definingSearches(name: string, filter: readonly Query[]): CandidateSearch[] {
  const segments = name.split(/::|->|[.#/\\]/).filter(Boolean);
  const key = nameKey(segments.at(-1) ?? name) || name;
  const within = (query: Query, size: number) => ({
    query: { bool: { filter: [...filter, { term: { kind: 'file' } }], must: [query] } },
    size,
  });
  const { parts } = identifierTerms(segments.at(-1) ?? name);
  return [
    within({ constant_score: { filter: { term: { symbols: key } } } }, FILES * 2),
    within({ constant_score: { filter: { prefix: { symbols: key } } } }, FILES),
    ...(key.length > 3 ? [within(similarName(key), FILES)] : []),
    ...(parts.length > 0
      ? [
          {
            query: {
              bool: {
                filter: [...filter, { term: { kind: 'chunk' } }],
                must: parts.map((term) => ({ term: { names: term } })),
              },
            },
            size: FILES,
          },
        ]
      : []),
  ];
}

/** A search for files that refer to the name or import it. */
export function referringSearch(name: string, filter: readonly Query[], size: number): CandidateSearch {
  const last = name.split(/::|->|[.#/\\]/).filter(Boolean);
  const key = nameKey(last.at(-1) ?? name) || name;
  const used = { terms: { references: [key, IMPORT_MARK + key] } };
  return { query: { bool: { filter: [...filter, { term: { kind: 'file' } }, used] } }, size };
}

/** Searches for uses of the packages and symbols in a question: "@shop/api" is imported by its last parts. */
export function usingSearches(understood: Understood, filter: readonly Query[]): CandidateSearch[] {
  const { text, identifiers, compounds, words } = understood;
  const packages = text.match(/@?[\w.-]+(?:[/:][\w.-]+)+/g) ?? [];
  const parts = packages.flatMap((name) => name.split(/[/:.]+/).slice(-2)).map((part) => part.replace(/-/g, ''));
  const names = [...new Set([...parts, ...identifiers, ...compounds, ...words])].slice(0, MAX_NAMES);
  return names.map((name) => referringSearch(name, filter, FILES));
}
