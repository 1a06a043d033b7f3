/** Engine answers in the default profile's words: short, and without fields that say nothing. */
import type { ProjectStatus } from '../../engine/engine.ts';
import type { Discovery, Evidence } from '../../model/discovery.ts';
import type {
  Freshness,
  GrepMatch,
  Hit,
  LocatedSymbol,
  OutlineEntry,
  ReferenceSite,
  SearchAnswer,
  SymbolDetail,
  SymbolInfo,
} from '../../model/query.ts';

type Json = Record<string, unknown>;

export function lines(startLine: number, endLine: number): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

export function presentHit(hit: Hit): Json & { content: string } {
  const { symbol } = hit;
  return {
    path: hit.path,
    lines: lines(hit.startLine, hit.endLine),
    score: hit.score,
    ...(symbol
      ? { name: symbol.qualifiedName, kind: symbol.kind, id: symbol.symbolId }
      : { name: hit.title, kind: hit.chunkType, id: hit.resultId }),
    ...(hit.isTest && { test: true }),
    content: hit.content,
    ...(hit.explanation && {
      explanation: Object.fromEntries(
        hit.explanation.map(({ feature, contribution }) => [feature, Math.round(contribution * 1e3) / 1e3]),
      ),
    }),
  };
}

export function presentSymbol(symbol: SymbolInfo): Json {
  return {
    path: symbol.path,
    lines: lines(symbol.startLine, symbol.endLine),
    name: symbol.qualifiedName,
    kind: symbol.kind,
    id: symbol.symbolId,
    stable_id: symbol.stableId,
    signature: symbol.signature,
    ...(symbol.doc && { doc: symbol.doc }),
  };
}

export function presentLocated(symbol: LocatedSymbol): Json {
  return {
    ...presentSymbol(symbol),
    score: Math.round(symbol.score * 1e4) / 1e4,
    ...(symbol.match !== 'exact' && { match: symbol.match }),
  };
}

export function presentReference(site: ReferenceSite): Json {
  return {
    path: site.path,
    line: site.line,
    kind: site.kind,
    text: site.text.trim(),
    ...(site.from && { in: site.from.qualifiedName }),
    ...(site.confidence !== 'exact' && { confidence: site.confidence }),
  };
}

export function presentDetail(detail: SymbolDetail): Json & { source: string } {
  const callees = detail.callees.map(({ site, target }) => ({
    ...presentReference(site),
    ...(target && { target: target.qualifiedName, id: target.symbolId }),
  }));
  const named = (symbols: readonly SymbolInfo[]) =>
    symbols.map((symbol) => ({ name: symbol.qualifiedName, path: symbol.path, line: symbol.startLine }));
  const { symbol } = detail;
  const members = detail.outline.filter(
    ({ name, startLine }) => name !== symbol.name || startLine !== symbol.startLine,
  );
  return {
    ...presentSymbol(symbol),
    source: detail.source,
    ...(members.length > 0 && { members: members.map(presentOutline) }),
    ...(detail.callers.length > 0 && { callers: detail.callers.map(presentReference) }),
    ...(callees.length > 0 && { callees }),
    ...(detail.implementers.length > 0 && { implementers: named(detail.implementers) }),
    ...(detail.tests.length > 0 && { tests: named(detail.tests) }),
  };
}

export function presentOutline(entry: OutlineEntry): Json {
  return {
    lines: lines(entry.startLine, entry.endLine),
    kind: entry.kind,
    name: entry.name,
    signature: entry.signature,
    ...(entry.depth > 0 && { depth: entry.depth }),
  };
}

export function presentMatch(match: GrepMatch): Json {
  return {
    path: match.path,
    line: match.line,
    column: match.column,
    text: match.text,
    ...(match.before.length > 0 && { before: match.before }),
    ...(match.after.length > 0 && { after: match.after }),
  };
}

/** What makes an answer less than it could be; nothing when all is well. */
export function presentState(freshness: Freshness): Json {
  if (freshness.status === 'fresh') return {};
  return {
    index: freshness.status,
    ...(freshness.pending.length > 0 && {
      not_yet_indexed: freshness.pending.slice(0, 10),
      hint: 'These files changed after indexing; call index_codebase to include them.',
    }),
  };
}

export function presentSearchFields(answer: SearchAnswer): Json {
  return {
    ...(answer.hits.length === 0 && { message: 'Nothing matches.' }),
    ...(answer.nearestNames.length > 0 && { nearest_names: answer.nearestNames }),
    ...(answer.related?.length && {
      related: Object.fromEntries(answer.related.map(({ term, weight }) => [term, Number(weight.toFixed(3))])),
    }),
    ...(answer.expansion && { expansion: answer.expansion }),
    ...(answer.synthesis && {
      summary: answer.synthesis.summary,
      summary_by: answer.synthesis.model ?? answer.synthesis.source,
      ask_next: answer.synthesis.followUps,
    }),
    ...(answer.notices.length > 0 && { notices: answer.notices }),
    ...presentState(answer.freshness),
  };
}

export function presentStatus(status: ProjectStatus): Json {
  const { project } = status;
  return {
    project: project.moduleName,
    root: project.root,
    ref: status.ref,
    state: status.indexing,
    ...(status.schema !== 'compatible' && { schema: status.schema }),
    freshness: status.freshness,
    ...(status.pending.length > 0 && { not_yet_indexed: status.pending.slice(0, 20) }),
    files: status.fileCount,
    lines: status.lineCount,
    symbols: status.symbolCount,
    chunks: status.chunkCount,
    vectors: status.vectorCount,
    model: status.modelId,
    index_mb: Number((status.indexBytes / (1024 * 1024)).toFixed(1)),
    ...(status.lastIndexedAtMs !== null && { indexed_at: new Date(status.lastIndexedAtMs).toISOString() }),
    watching: status.watching,
    languages: Object.fromEntries(status.languages.map(({ language, files }) => [language, files])),
    ...(Object.keys(status.skippedByReason).length > 0 && { skipped: status.skippedByReason }),
    ...(status.activeJob && {
      job: { id: status.activeJob.jobId, done: status.activeJob.done, total: status.activeJob.total },
    }),
    ...(status.refs.length > 1 && { refs: status.refs.map(({ ref, files }) => ({ ref, files })) }),
    ...(status.indexing === 'not_indexed' && { hint: 'Call index_codebase.' }),
  };
}

export function presentDiscovery(discovery: Discovery): Json {
  const { id, type, content, module, session, origin, confidence, evidence, contradicts, supersededBy } = discovery;
  return {
    id,
    type,
    content,
    module,
    date: new Date(discovery.dateMs).toISOString(),
    origin,
    ...(session && { session }),
    ...(confidence < 1 && { confidence }),
    ...(evidence.length > 0 && { evidence: evidence.map(evidenceText) }),
    ...(contradicts.length > 0 && { contradicts }),
    ...(supersededBy !== null && { superseded_by: supersededBy }),
  };
}

/** "src/auth.ts:10-20", or the commit where there is no file. */
export function evidenceText({ path, startLine, endLine, commit }: Evidence): string {
  if (!path) return commit ?? '';
  return startLine === undefined
    ? path
    : `${path}:${startLine}${endLine && endLine !== startLine ? `-${endLine}` : ''}`;
}
