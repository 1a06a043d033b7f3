/** One record per route, with the engine call that answers it. Handlers only translate parameters. */
import type { Metrics } from '../../contracts/kit/metrics/call-metrics.ts';
import { loadMetrics } from '../../contracts/kit/metrics/metrics-file.ts';
import type { Engine } from '../../engine/engine.ts';
import { DISCOVERY_TYPES, type DiscoveryType } from '../../model/records/discovery.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { GrepAnswer, LocatedSymbol, SearchFilters, SearchRequest } from '../../model/records/query.ts';
import { formatScope } from '../../model/records/scope.ts';
import { folderEntries } from './folder-entries.ts';
import { bestLines, textPattern, wordsPattern } from './found-lines.ts';
import type { Answers, Changes, MemoryAnswer, Suggestions } from './page-api.ts';
import { type Parameters, textsOf } from './parameters.ts';

export interface ApiCall {
  readonly engine: Engine;
  /** The project's folder. */
  readonly folder: string;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
  readonly metrics: Metrics;
}

const MAX_RESULTS = 100;
const MAX_LINES = 300;
const MAX_SKIPPED = 1000;
const MAX_DISCOVERIES = 1000;

export const ANSWERS: { readonly [K in keyof Answers]: (call: ApiCall) => Promise<Answers[K]> } = {
  status: ({ engine, folder, parameters }) => engine.status(folder, parameters.optional('ref')),
  projects: ({ engine }) => engine.knownProjects(),
  workspaces: async ({ engine }) =>
    (engine.hasLocalFiles ? await engine.workspaces() : []).map(({ name, members }) => ({
      name,
      scope: formatScope({ workspace: name, repos: [] }),
      members,
    })),
  folder: async ({ engine, folder, parameters }) =>
    folderEntries(await engine.files(folder, parameters.optional('ref')), parameters.text('path')),
  file: ({ engine, folder, parameters }) => {
    const ref = parameters.optional('ref');
    const path = parameters.required('path');
    return ref
      ? engine.indexedFile(folder, path, ref)
      : engine.readFile(folder, { path, includeDependencies: true, includeDependants: true });
  },
  links: ({ engine, folder, parameters }) =>
    engine.identifierLinks(folder, parameters.required('path'), parameters.optional('ref')),
  why: ({ engine, folder, parameters, signal }) => {
    const startLine = parameters.integer('from', 1, 1e9);
    return engine.lineHistory(folder, {
      file: parameters.required('path'),
      startLine,
      endLine: parameters.integer('to', startLine, 1e9),
      signal,
    });
  },
  suggest,
  search: (call) => call.engine.search(call.folder, { ...searchOf(call), ...ref(call.parameters), stateless: true }),
  soFar: async (call) => ({
    early: await call.engine.searchSoFar(call.folder, searchOf(call), call.parameters.integer('known', 0, 1e9)),
  }),
  grep,
  research: ({ engine, folder, parameters, signal }) =>
    engine.research(folder, {
      query: parameters.text('q'),
      depth: parameters.integer('depth', 2, 5),
      ...ref(parameters),
      signal,
    }),
  symbol: async ({ engine, folder, parameters }) => {
    const name = parameters.optional('name');
    const id = name === undefined ? parameters.required('id') : await idOf(engine, folder, name);
    return engine.symbol(folder, id, parameters.optional('ref'));
  },
  calls: ({ engine, folder, parameters }) =>
    engine.callNeighbours(folder, parameters.required('id'), parameters.optional('ref')),
  impact: ({ engine, folder, parameters, signal }) => {
    const [target, diff] = [parameters.optional('target'), parameters.optional('diff')];
    const staged = parameters.text('staged') === 'yes';
    return engine.impact(folder, {
      ...(target !== undefined && { target }),
      ...(diff !== undefined && { diff }),
      ...(staged && { staged }),
      ...ref(parameters),
      signal,
    });
  },
  map: ({ engine, folder, parameters }) => engine.repositoryMap(folder, parameters.optional('ref')),
  activity: ({ engine, folder }) => engine.activity(folder),
  memory,
  skipped: async ({ engine, folder, parameters }) => {
    const files = await engine.skipped(folder, parameters.optional('ref'));
    return { total: files.length, files: files.slice(0, MAX_SKIPPED) };
  },
  sessions: ({ engine, folder }) => engine.sessions(folder),
  recent: async ({ metrics }) => metrics.recent.list(),
  metrics: async ({ engine, folder }) => loadMetrics((await engine.project(await engine.root(folder))).storeFolder),
};

type Change<K extends keyof Changes> = (
  call: Omit<ApiCall, 'parameters'>,
  body: unknown,
) => Promise<Changes[K]['answer']>;

export const CHANGES: { readonly [K in keyof Changes]: Change<K> } = {
  remember: async ({ engine, folder }, body) => {
    const { type, content, module } = textsOf(body, ['type', 'content', 'module']);
    const request = { type: typeOf(type), content, origin: 'person', ...(module && { module }) } as const;
    return (await engine.remember(folder, request)).discovery;
  },
  edit: ({ engine, folder }, body) => {
    const { id, type, content, module } = textsOf(body, ['id', 'type', 'content', 'module']);
    return engine.editDiscovery(folder, id, { type: typeOf(type), content, module });
  },
  forget: async ({ engine, folder }, body) => ({ forgotten: await engine.forget(folder, textsOf(body, ['id']).id) }),
  index: async ({ engine, folder }, body) => {
    const { ref: wanted } = textsOf(body, ['ref']);
    return { jobId: (await engine.startIndex(folder, wanted === '' ? {} : { ref: wanted })).jobId };
  },
};

function ref(parameters: Parameters): { readonly ref?: string } {
  const wanted = parameters.optional('ref');
  return wanted === undefined ? {} : { ref: wanted };
}

function searchOf({ parameters, signal }: ApiCall): SearchRequest {
  return {
    query: parameters.text('q'),
    limit: parameters.integer('limit', 20, MAX_RESULTS),
    filters: filtersOf(parameters),
    overviewLines: 12,
    explain: true,
    signal,
  };
}

function filtersOf(parameters: Parameters): SearchFilters {
  const languages = parameters.list('lang');
  const kinds = parameters.list('kind');
  const place = parameters.text('in');
  return {
    ...(languages.length > 0 && { languages }),
    ...(kinds.length > 0 && { kinds }),
    ...(place !== '' && (/[*?[{]/.test(place) ? { paths: [place] } : { folder: place.replace(/\/$/, '') })),
    ...(parameters.text('tests') === 'no' && { includeTests: false }),
  };
}

/** Suggestions while the user types: names and paths, which take a few milliseconds. */
async function suggest({ engine, folder, parameters }: ApiCall): Promise<Suggestions> {
  const query = parameters.text('q').trim();
  if (query === '') return { question: 'open', symbols: [], paths: [] };
  const word = /^[\w$.:#/@-]+$/.test(query);
  const [question, located, paths] = await Promise.all([
    engine.questionOf(query),
    word ? engine.locate(folder, { name: query, limit: 6, ...ref(parameters) }) : null,
    word ? engine.findPaths(folder, query, 5) : [],
  ]);
  return { question, symbols: withoutOverloads(located?.symbols ?? []), paths };
}

/** Lines of the files on disk, whether or not they are indexed. */
async function grep({ engine, folder, parameters, signal }: ApiCall): Promise<GrepAnswer> {
  const place = parameters.text('in').replace(/\/$/, '');
  const request = { contextLines: 2, signal, ...(place !== '' && { filePattern: `${escapeGlob(place)}/**` }) };
  const text = parameters.optional('text');
  if (text !== undefined) return engine.grep(folder, { ...request, ...textPattern(text), limit: MAX_LINES });
  const words = parameters.required('words').split(' ');
  const answer = await engine.grep(folder, { ...request, ...wordsPattern(words) });
  return { ...answer, matches: bestLines(answer.matches, words, MAX_RESULTS) };
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}!\\]/g, '\\$&');
}

async function idOf(engine: Engine, folder: string, name: string): Promise<string> {
  const [best] = withoutOverloads((await engine.locate(folder, { name, limit: 6 })).symbols);
  if (!best) throw new EngineError('symbol_not_found', { name });
  return best.symbolId;
}

/** Drops overload signatures in favour of the definition with a body, which has the calls. */
function withoutOverloads(symbols: readonly LocatedSymbol[]): readonly LocatedSymbol[] {
  const length = ({ startLine, endLine }: LocatedSymbol) => endLine - startLine;
  const isSame = (a: LocatedSymbol, b: LocatedSymbol) =>
    a.path === b.path && a.qualifiedName === b.qualifiedName && a.kind === b.kind && a.match === b.match;
  return symbols.filter(
    (symbol) => length(symbol) > 0 || !symbols.some((other) => isSame(symbol, other) && length(other) > 0),
  );
}

async function memory({ engine, folder, parameters }: ApiCall): Promise<MemoryAnswer> {
  const all = await engine.discoveries(folder);
  const counts: Record<string, number> = {};
  for (const { type } of all) counts[type] = (counts[type] ?? 0) + 1;
  const type = parameters.text('type');
  const words = parameters.text('q').toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(
    (each) =>
      (type === '' || each.type === type) &&
      words.every((word) => `${each.content} ${each.module}`.toLowerCase().includes(word)),
  );
  return {
    total: shown.length,
    counts,
    discoveries: shown.slice(0, MAX_DISCOVERIES),
    notices: await engine.memoryNotices(folder),
  };
}

function typeOf(type: string): DiscoveryType {
  const known = DISCOVERY_TYPES.find((each) => each === type);
  if (!known)
    throw new EngineError('invalid_input', { reason: `The type must be one of ${DISCOVERY_TYPES.join(', ')}.` });
  return known;
}
