/**
 * One ranking of what the team knows, what was done in earlier sessions, and the code. A document that a discovery was mined from is shown as that
 * discovery, however it was found: the better of the two scores counts, and nothing is shown twice.
 */
import { rankRecalled, type SessionRecord, type WeighedTerm } from '../memory/index.ts';
import type { ContextResult, Discovery } from '../model/discovery.ts';
import type { Hit } from '../model/query.ts';
import { matchesModule } from '../walk/index.ts';
import type { ContextRequest } from './engine.ts';
import type { ProjectMemory } from './project-memory.ts';

export interface ContextInput {
  readonly memory: ProjectMemory;
  readonly request: ContextRequest;
  readonly discoveries: readonly Discovery[];
  readonly terms: readonly WeighedTerm[];
  /** Null where the model knows none of the words. */
  readonly vector: Float32Array | null;
  /** Code that answers the question, best first; empty where only a type of discovery is asked for. */
  readonly hits: readonly Hit[];
  readonly moduleOf: (path: string) => string;
}

/** Below this a discovery has little to do with the question. */
const LEAST = 0.06;
/** What somebody said comes before what the code shows, what a document says before what code does. */
const CODE_SHARE = 0.6;
const DOCUMENT_SHARE = 0.85;
/** A session is a hint at most, and never the whole answer. */
const SESSION_SHARE = 0.6;
const MAX_SESSIONS = 2;
const MAX_CONTENT = 1_200;
const TEAM_FOLDER = '.sextant/memory/';

export async function searchContext(input: ContextInput): Promise<ContextResult[]> {
  const { request, discoveries, hits } = input;
  const scores = await scoreDiscoveries(input);
  const rest = mergeHits(discoveries, scores, hits, request);
  const found = [...scores].map(([index, score]) => fromDiscovery(discoveries[index]!, score));
  const wantsAll = !request.type || request.type === 'all';
  const sessions = wantsAll ? await findSessions(input) : [];
  return [...found, ...(wantsAll ? rest.map(fromHit) : []), ...sessions].sort(
    (a, b) => b.score - a.score || b.dateMs - a.dateMs || (a.id < b.id ? -1 : 1),
  );
}

async function scoreDiscoveries(input: ContextInput): Promise<Map<number, number>> {
  const { memory, request, discoveries, terms, vector } = input;
  const recall = await memory.recall(discoveries, request.signal);
  const scores = new Map<number, number>();
  for (const recalled of recall.find(terms, vector, (index) => isWanted(discoveries[index]!, request))) {
    const score = rankRecalled(discoveries[recalled.index]!, recalled, request.query);
    if (score >= LEAST) scores.set(recalled.index, score);
  }
  return scores;
}

function isWanted({ type, module }: Discovery, request: ContextRequest): boolean {
  const wanted = request.type && request.type !== 'all' ? request.type : null;
  return (!wanted || type === wanted) && (!request.module || matchesModule(module, request.module));
}

/** Hits in a place that a discovery was mined from raise that discovery; the others are returned. */
function mergeHits(
  discoveries: readonly Discovery[],
  scores: Map<number, number>,
  hits: readonly Hit[],
  request: ContextRequest,
): Hit[] {
  const paths = new Set(hits.map(({ path }) => path));
  const byPath = new Map<string, number[]>();
  discoveries.forEach(({ evidence, origin }, index) => {
    const path = evidence[0]?.path;
    if (path !== undefined && paths.has(path) && (origin === 'adr' || origin === 'guide'))
      byPath.set(path, [...(byPath.get(path) ?? []), index]);
  });
  return hits.filter((hit) => {
    // Files of the team's memory are discoveries themselves.
    if (hit.path.startsWith(TEAM_FOLDER)) return false;
    const own = (byPath.get(hit.path) ?? []).filter(
      (index) => isWanted(discoveries[index]!, request) && covers(discoveries[index]!, hit),
    );
    if (own.length === 0) return true;
    const best = own.reduce((a, b) => ((scores.get(b) ?? 0) > (scores.get(a) ?? 0) ? b : a));
    scores.set(best, Math.max(scores.get(best) ?? 0, hit.score * DOCUMENT_SHARE));
    return false;
  });
}

/** A decision stands for its whole document, a rule for its lines. */
function covers({ origin, evidence }: Discovery, hit: Hit): boolean {
  const { startLine = 0, endLine = startLine } = evidence[0] ?? {};
  return origin === 'adr' || (startLine <= hit.endLine && endLine >= hit.startLine);
}

/** Sessions before this one that asked or read something like it. */
async function findSessions({
  memory,
  request,
  terms,
  vector,
  moduleOf,
  discoveries,
}: ContextInput): Promise<ContextResult[]> {
  const sessions = memory.sessions
    .list()
    .filter(({ id, reads, discoveries: own }) => id !== request.session && Object.keys(reads).length + own.length > 0);
  if (sessions.length === 0) return [];
  const byId = new Map(discoveries.map((discovery) => [discovery.id, discovery]));
  const told = sessions.map((session) => ({
    session,
    content: tellSession(session, byId),
    module: mainModule(session, moduleOf),
  }));
  const recall = await memory.recallOf(
    told.map(({ content }) => content),
    request.signal,
  );
  return recall
    .find(terms, vector, (index) => !request.module || matchesModule(told[index]!.module, request.module))
    .map(({ index, coverage, similarity }) => ({
      ...told[index]!,
      score: SESSION_SHARE * (0.6 * coverage + 0.4 * similarity),
    }))
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SESSIONS)
    .map(({ session, content, module, score }) => ({
      id: session.id,
      type: 'session' as const,
      content,
      module,
      session: session.id,
      dateMs: session.lastMs,
      score: rounded(score),
      source: 'session' as const,
      evidence: mostRead(session).map((path) => ({ path })),
    }));
}

function tellSession(session: SessionRecord, byId: ReadonlyMap<string, Discovery>): string {
  const recorded = session.discoveries.flatMap((id) => byId.get(id)?.content ?? []);
  const files = mostRead(session);
  return [
    session.queries.length > 0 && `Asked: ${session.queries.slice(-8).join('; ')}.`,
    files.length > 0 && `Read: ${files.join(', ')}.`,
    recorded.length > 0 && `Recorded: ${recorded.join(' ')}`,
  ]
    .filter(Boolean)
    .join(' ')
    .slice(0, MAX_CONTENT);
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

function fromDiscovery(discovery: Discovery, score: number): ContextResult {
  const { id, type, content, module, session, dateMs, evidence, supersededBy, contradicts, status } = discovery;
  return {
    id,
    type,
    content,
    module,
    session,
    dateMs,
    score: rounded(score),
    source: 'discovery',
    evidence,
    ...(supersededBy ? { supersededBy } : {}),
    ...(contradicts.length > 0 ? { contradicts } : {}),
    ...(status ? { status } : {}),
  };
}

function fromHit(hit: Hit): ContextResult {
  const share = hit.chunkType === 'documentation' ? DOCUMENT_SHARE : CODE_SHARE;
  return {
    id: hit.resultId,
    type: 'code',
    content: hit.content,
    module: hit.module,
    session: '',
    dateMs: 0,
    score: rounded(hit.score * share),
    source: 'code',
    evidence: [{ path: hit.path, startLine: hit.startLine, endLine: hit.endLine }],
  };
}

function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
