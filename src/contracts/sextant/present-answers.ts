/** Engine answers in the default profile's form: short, without empty fields. */
import type { ProjectStatus } from '../../engine/engine.ts';
import type { Discovery, Evidence } from '../../model/records/discovery.ts';
import type {
  GrepMatch,
  Hit,
  LocatedSymbol,
  OutlineEntry,
  ReferenceSite,
  SymbolDetail,
  SymbolInfo,
} from '../../model/records/query.ts';
import { shownContent } from '../kit/untrusted-text.ts';

type Json = Record<string, unknown>;

export interface DetailList {
  readonly name: string;
  readonly items: readonly Json[];
  /** Total number of items. */
  readonly total: number;
}

export function lines(startLine: number, endLine: number): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

export interface PresentedHit extends Json {
  /** Absent if the first line is enough. */
  readonly content?: string;
  readonly explanation?: Readonly<Record<string, number>>;
}

export function presentHit(hit: Hit): PresentedHit {
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

/** A result in a full list. */
export function presentPlace(hit: Hit): PresentedHit {
  return {
    path: hit.path,
    lines: lines(hit.startLine, hit.endLine),
    score: Math.round(hit.score * 100) / 100,
    name: hit.symbol?.qualifiedName ?? hit.title,
    kind: hit.symbol?.kind ?? hit.chunkType,
  };
}

/** One line for a hit, as grep prints it, with the name in place of the text. */
export function placeText({ path, startLine, endLine, ...named }: Hit): string {
  return `${path}:${lines(startLine, endLine)} ${named.symbol?.qualifiedName ?? named.title}`;
}

export interface PresentedSymbol extends Json {
  readonly stable_id?: string;
  readonly signature?: string;
  readonly doc?: string;
}

function presentSymbol(symbol: SymbolInfo): PresentedSymbol {
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

export function presentLocated(symbol: LocatedSymbol): PresentedSymbol {
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
    ...(site.kind !== 'call' && { kind: site.kind }),
    text: site.text.trim(),
    ...(site.from && { in: site.from.qualifiedName }),
    ...(site.confidence !== 'exact' && { confidence: site.confidence }),
  };
}

/** Uses outside of tests, and the number of uses in tests; or the uses in tests if there are no others. */
export function foldTests(
  sites: readonly ReferenceSite[],
  total: number,
): {
  readonly shown: readonly ReferenceSite[];
  readonly inTests: { readonly count: number; readonly first: string } | null;
} {
  const program = sites.filter(({ isTest }) => !isTest);
  if (program.length === 0 || program.length === sites.length) return { shown: sites, inTests: null };
  const { path, line } = sites.find(({ isTest }) => isTest)!;
  return { shown: program, inTests: { count: total, first: `${path}:${line}` } };
}

/** Everything about a symbol, by field name; empty lists are left out. */
export function detailParts(detail: SymbolDetail): {
  readonly symbol: PresentedSymbol;
  readonly lists: readonly DetailList[];
} {
  const callees = detail.callees.map(({ site, target }) => ({
    ...presentReference({ ...site, from: null }),
    ...(target && { target: target.qualifiedName, id: target.symbolId }),
  }));
  const named = (symbols: readonly SymbolInfo[]) =>
    symbols.map((symbol) => ({ name: symbol.qualifiedName, path: symbol.path, line: symbol.startLine }));
  const { symbol, totals } = detail;
  const members = detail.outline.filter(
    ({ name, startLine }) => name !== symbol.name || startLine !== symbol.startLine,
  );
  const lists = [
    { name: 'callers', items: detail.callers.map(presentReference), total: totals.callers },
    { name: 'implementers', items: named(detail.implementers), total: totals.implementers },
    { name: 'callees', items: callees, total: totals.callees },
    { name: 'tests', items: named(detail.tests), total: totals.tests },
    { name: 'members', items: members.map(presentOutline), total: members.length },
  ];
  return { symbol: presentSymbol(symbol), lists: lists.filter(({ total }) => total > 0) };
}

export function presentDetail(detail: SymbolDetail): Json {
  const { symbol, lists } = detailParts(detail);
  return {
    ...symbol,
    source: detail.source,
    ...Object.fromEntries(lists.map(({ name, items }) => [name, items])),
    ...Object.fromEntries(
      lists.flatMap(({ name, items, total }) => (total > items.length ? [[`more_${name}`, total - items.length]] : [])),
    ),
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

export interface PresentedMatch extends Json {
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export function presentMatch(match: GrepMatch): PresentedMatch {
  return {
    path: match.path,
    line: match.line,
    column: match.column,
    text: match.text.trim(),
    ...(match.before.length > 0 && { before: match.before }),
    ...(match.after.length > 0 && { after: match.after }),
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
    ...(status.outdated && { outdated: 'another version of Sextant made it: call index_codebase' }),
    ...(status.failure !== null && { last_update_failed: status.failure }),
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
    ...(status.snapshot !== undefined && { snapshot: status.snapshot }),
  };
}

export function presentDiscovery(discovery: Discovery): Json {
  const { id, type, content, module, session, origin, confidence, evidence, contradicts, supersededBy } = discovery;
  return {
    id,
    type,
    ...shownContent(content, evidence[0]?.path),
    module,
    date: new Date(discovery.dateMs).toISOString(),
    origin,
    ...(discovery.author && { author: discovery.author }),
    ...(session && { session }),
    ...(confidence < 1 && { confidence }),
    ...(evidence.length > 0 && { evidence: evidence.map(evidenceText) }),
    ...(contradicts.length > 0 && { contradicts }),
    ...(supersededBy !== null && { superseded_by: supersededBy }),
  };
}

/** "src/auth.ts:10-20", or the commit of a discovery without a file. */
export function evidenceText({ path, startLine, endLine, commit }: Evidence): string {
  if (!path) return commit ?? '';
  return startLine === undefined
    ? path
    : `${path}:${startLine}${endLine && endLine !== startLine ? `-${endLine}` : ''}`;
}
