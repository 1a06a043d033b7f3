/**
 * Ranks discoveries, earlier sessions and code in one list: each candidate is a row of the same named features, scored
 * by the ranker that ranks code, with weights of its own. A document that a discovery was mined from is shown as that
 * discovery, however it was found, and nothing is shown twice.
 */
import {
  type ContextRow,
  contextRows,
  discoveryRow,
  matchRow,
  type Recalled,
  requestedKinds,
  type WeighedTerm,
} from '../../memory/index.ts';
import { type ContextResult, type Discovery, UNTRUSTED_INSTRUCTION } from '../../model/records/discovery.ts';
import type { Hit } from '../../model/records/query.ts';
import type { SessionRecord } from '../../model/records/session.ts';
import type { Ranker } from '../../search/index.ts';
import { liesInModule, matchesModule } from '../../walk/index.ts';
import type { ContextRequest } from '../engine.ts';
import type { ProjectMemory } from './project-memory.ts';

/** The parts of a memory, of one project or several, that a question needs. */
export interface ContextMemory extends Pick<ProjectMemory, 'recall' | 'recallOf' | 'isHistoryRead' | 'isEmbedded'> {
  readonly sessions: Pick<ProjectMemory['sessions'], 'list'>;
}

export interface ContextInput {
  readonly memory: ContextMemory;
  readonly request: ContextRequest;
  readonly discoveries: readonly Discovery[];
  readonly terms: readonly WeighedTerm[];
  /** The query's vector; null if there is none to compare with. */
  readonly vector: Float32Array | null;
  /** Code results with their features; empty if the request asks for one type of discovery only. */
  readonly hits: readonly Hit[];
  readonly moduleOf: (path: string) => string;
  /** Time of a file's last change. */
  readonly dateOf: (path: string) => number;
  readonly ranker: Ranker;
}

/** A candidate for the answer, with its features. */
interface Candidate {
  readonly row: ContextRow;
  readonly result: Omit<ContextResult, 'score'>;
}

/** Upper bound of discoveries that are ranked: those nearest in words and meaning. */
const MAX_RANKED_DISCOVERIES = 300;
/** A session is only a hint, so few are shown. */
const MAX_SESSIONS = 2;
const MAX_CONTENT_CHARS = 1_200;
const MAX_UNTRUSTED_SCORE = 0.2;
const TEAM_FOLDER = '.sextant/memory/';
const INTENT = 'natural_language';

export async function searchContext(input: ContextInput): Promise<ContextResult[]> {
  const { request, ranker } = input;
  const wantsAll = !request.type || request.type === 'all';
  const found = await findDiscoveries(input);
  const rest = mergeHits(input, found);
  const candidates = [
    ...[...found].map(([index, row]) => ({ row, result: fromDiscovery(input.discoveries[index]!) })),
    ...(wantsAll ? rest.map(fromHit) : []),
    ...(wantsAll ? await findSessions(input) : []),
  ];
  if (candidates.length === 0) return [];
  const namesVersion = versionsIn(request.query);
  const rows = contextRows(candidates.map(({ row, result }) => (namesVersion(result.content) ? row : halveRow(row))));
  const scores = ranker.score(rows, INTENT);
  const best = scores.reduce((top, score, i) => (score > scores[top]! ? i : top), 0);
  const relevanceOf = ranker.relevance(rows, scores, best);
  let sessions = 0;
  const seenTexts = new Set<string>();
  return moveUntrustedLast(
    candidates
      .map(({ result }, i) => ({ result, i, score: rounded(relevanceOf(i)) }))
      .filter(({ score }) => score >= ranker.floor)
      .sort(
        (a, b) =>
          scores[b.i]! - scores[a.i]! || b.result.dateMs - a.result.dateMs || (a.result.id < b.result.id ? -1 : 1),
      )
      // A guide that several packages repeat word for word is shown once.
      .filter(
        ({ result }) =>
          result.source !== 'discovery' || (!seenTexts.has(result.content) && seenTexts.add(result.content)),
      )
      .filter(({ result }) => result.source !== 'session' || ++sessions <= MAX_SESSIONS)
      .map(({ result, i, score }) => ({
        ...result,
        // Added after sorting: among code results with equal scores, the file's date must not decide.
        ...(result.source === 'code' ? { dateMs: input.dateOf(result.evidence[0]!.path!) } : {}),
        score,
        ...(request.explain ? { explanation: ranker.explain(rows, i, INTENT) } : {}),
      })),
  );
}

/**
 * Returns a test for texts that name a version in the query: "drop Python 3.6" does not answer "why was 3.9 dropped".
 */
function versionsIn(query: string): (text: string) => boolean {
  const versions = query.match(/\b\d+(?:\.\d+)+\b/g) ?? [];
  const named = versions.map((version) => new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d])`));
  return (text) => named.length === 0 || named.some((version) => version.test(text));
}

/** Halves the features of a text that names another version: its other words may match all the same. */
function halveRow(row: ContextRow): ContextRow {
  const half = (value: number | undefined) => (value ?? 0) / 2;
  return {
    ...row,
    coverage: half(row.coverage),
    best_chunk: half(row.best_chunk),
    similarity: half(row.similarity),
    vector: half(row.vector),
    relevance: half(row.relevance),
  };
}

/** Moves texts that give orders to a model behind all others, and lowers their scores to match. */
function moveUntrustedLast(ranked: readonly ContextResult[]): ContextResult[] {
  const isUntrusted = ({ type }: ContextResult) => type === UNTRUSTED_INSTRUCTION;
  const trusted = ranked.filter((result) => !isUntrusted(result));
  const maxScore = Math.min(MAX_UNTRUSTED_SCORE, trusted.at(-1)?.score ?? 1);
  const others = ranked.filter(isUntrusted).map((result) => ({ ...result, score: Math.min(maxScore, result.score) }));
  return [...trusted, ...others];
}

/** The discovery whose id is the query: `contradicts` and `supersededBy` name discoveries by id. */
export function findById(discoveries: readonly Discovery[], request: ContextRequest): ContextResult | null {
  const id = request.query.trim();
  const named = discoveries.find((discovery) => discovery.id === id);
  return named && isWanted(named, request) ? { ...fromDiscovery(named), score: 1 } : null;
}

/** Feature rows of matching discoveries, by index in `discoveries`. */
async function findDiscoveries(input: ContextInput): Promise<Map<number, ContextRow>> {
  const { memory, request, discoveries, terms, vector } = input;
  const recall = await memory.recall(
    discoveries,
    terms.map(({ term }) => term),
    request.signal,
  );
  const recalled = recall.find(terms, vector, (index) => isWanted(discoveries[index]!, request));
  const kinds = requestedKinds(request.query);
  return new Map(
    nearest(recalled).map((each) => [
      each.index,
      { ...matchRow(each), ...discoveryRow(discoveries[each.index]!, kinds) },
    ]),
  );
}

function nearest(recalled: readonly Recalled[]): readonly Recalled[] {
  if (recalled.length <= MAX_RANKED_DISCOVERIES) return recalled;
  const nearness = ({ coverage, words, similarity }: Recalled) => coverage + words + 2 * similarity;
  // A hundred thousand discoveries may share a word with the query, so those below the threshold are not sorted.
  const values = Float32Array.from(recalled, nearness);
  const threshold = values.slice().sort()[values.length - MAX_RANKED_DISCOVERIES]!;
  return recalled.filter((_, i) => values[i]! >= threshold).slice(0, 2 * MAX_RANKED_DISCOVERIES);
}

function isWanted(discovery: Discovery, request: ContextRequest): boolean {
  const wanted = request.type && request.type !== 'all' ? request.type : null;
  return (!wanted || discovery.type === wanted) && (!request.module || belongsTo(discovery, request.module));
}

/**
 * Whether a discovery belongs to `name`: a name, with or without an npm scope, means a module; a path also means a
 * folder.
 */
export function belongsTo(found: Pick<Discovery, 'module' | 'evidence'>, name: string): boolean {
  return /^[^@].*\//.test(name) ? isAbout(found, name) : matchesModule(found.module, name);
}

/** Whether a discovery has this module or has evidence in its folder. */
export function isAbout({ module, evidence }: Pick<Discovery, 'module' | 'evidence'>, name: string): boolean {
  return matchesModule(module, name) || evidence.some(({ path }) => path !== undefined && liesInModule(path, name));
}

/** Credits hits in a document to the discovery that was mined from it; returns the other hits. */
function mergeHits({ discoveries, hits, request }: ContextInput, found: Map<number, ContextRow>): Hit[] {
  const paths = new Set(hits.map(({ path }) => path));
  const byPath = new Map<string, number[]>();
  discoveries.forEach(({ evidence, origin }, index) => {
    const path = evidence[0]?.path;
    if (path !== undefined && paths.has(path) && (origin === 'adr' || origin === 'guide'))
      byPath.set(path, [...(byPath.get(path) ?? []), index]);
  });
  const kinds = requestedKinds(request.query);
  const nearness = (index: number) => found.get(index)?.similarity ?? 0;
  return hits.filter((hit) => {
    // The files of the team's memory are discoveries themselves.
    if (hit.path.startsWith(TEAM_FOLDER)) return false;
    const own = (byPath.get(hit.path) ?? []).filter(
      (index) => isWanted(discoveries[index]!, request) && covers(discoveries[index]!, hit),
    );
    if (own.length === 0) return true;
    const best = own.reduce((a, b) => (nearness(b) > nearness(a) ? b : a));
    const row = found.get(best) ?? discoveryRow(discoveries[best]!, kinds);
    found.set(best, { ...row, relevance: Math.max(row.relevance ?? 0, hit.score) });
    return false;
  });
}

/** Whether a discovery covers a hit: a decision covers its whole document, a rule its lines. */
function covers({ origin, evidence }: Discovery, hit: Hit): boolean {
  const { startLine = 0, endLine = startLine } = evidence[0] ?? {};
  return origin === 'adr' || (startLine <= hit.endLine && endLine >= hit.startLine);
}

/** Earlier sessions that asked or read something similar. */
async function findSessions(input: ContextInput): Promise<Candidate[]> {
  const { memory, request, terms, vector, moduleOf, discoveries } = input;
  const sessions = memory.sessions
    .list()
    .filter(({ id, reads, discoveries: own }) => id !== request.session && Object.keys(reads).length + own.length > 0);
  if (sessions.length === 0) return [];
  const byId = new Map(discoveries.map((discovery) => [discovery.id, discovery]));
  const described = sessions.map((session) => ({
    session,
    content: describeSession(session, byId),
    module: mainModule(session, moduleOf),
  }));
  const recall = await memory.recallOf(
    described.map(({ content }) => content),
    request.signal,
  );
  return recall
    .find(terms, vector, (index) => !request.module || matchesModule(described[index]!.module, request.module))
    .map((recalled) => {
      const { session, content, module } = described[recalled.index]!;
      return {
        row: { ...matchRow(recalled), is_session: 1 },
        result: {
          id: session.id,
          type: 'session' as const,
          content,
          module,
          session: session.id,
          dateMs: session.lastMs,
          source: 'session' as const,
          evidence: mostRead(session).map((path) => ({ path })),
        },
      };
    });
}

function describeSession(session: SessionRecord, byId: ReadonlyMap<string, Discovery>): string {
  const recorded = session.discoveries.flatMap((id) => byId.get(id)?.content ?? []);
  const files = mostRead(session);
  return [
    session.queries.length > 0 && `Asked: ${session.queries.slice(-8).join('; ')}.`,
    files.length > 0 && `Read: ${files.join(', ')}.`,
    recorded.length > 0 && `Recorded: ${recorded.join(' ')}`,
  ]
    .filter(Boolean)
    .join(' ')
    .slice(0, MAX_CONTENT_CHARS);
}

function mostRead({ reads }: SessionRecord): string[] {
  return Object.entries(reads)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, 6)
    .map(([path]) => path);
}

function mainModule({ reads }: SessionRecord, moduleOf: (path: string) => string): string {
  const counts = new Map<string, number>();
  for (const [path, count] of Object.entries(reads))
    counts.set(moduleOf(path), (counts.get(moduleOf(path)) ?? 0) + count);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? '';
}

function fromDiscovery(discovery: Discovery): Candidate['result'] {
  const { id, type, content, module, session, dateMs, evidence, supersededBy, author, contradicts, status } = discovery;
  return {
    id,
    type,
    content,
    module,
    session,
    dateMs,
    source: 'discovery',
    evidence,
    ...(supersededBy ? { supersededBy } : {}),
    ...(author ? { author } : {}),
    ...(contradicts.length > 0 ? { contradicts } : {}),
    ...(status ? { status } : {}),
  };
}

function fromHit(hit: Hit): Candidate {
  const value = (name: string) => hit.explanation?.find(({ feature }) => feature === name)?.value ?? 0;
  return {
    row: {
      coverage: value('coverage'),
      best_chunk: value('best_chunk'),
      similarity: value('similarity'),
      vector: value('vector'),
      relevance: hit.score,
      [hit.chunkType === 'documentation' ? 'is_documentation' : 'is_code']: 1,
    },
    result: {
      id: hit.resultId,
      type: 'code',
      content: hit.content,
      module: hit.module,
      session: '',
      dateMs: 0,
      source: 'code',
      evidence: [{ path: hit.path, startLine: hit.startLine, endLine: hit.endLine }],
    },
  };
}

function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
