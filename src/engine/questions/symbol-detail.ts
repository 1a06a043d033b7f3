/**
 * Describes one symbol: its place, the symbols it uses and its uses. Joins edges of the graph with presented symbols.
 */
import { posix } from 'node:path';
import type { Edge, SymbolGraph, SymbolPlace } from '../../graph/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isHandle } from '../../model/records/ids.ts';
import type { LocateAnswer, ReferenceSite, SymbolDetail, SymbolInfo } from '../../model/records/query.ts';
import { type ReferenceKind, TYPE_KINDS } from '../../model/records/symbol.ts';
import { type Match, type Presenter, placesOfHandle, presentOutline, presentSymbol } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import type { FileLinks } from '../files/read-file.ts';

export interface GraphContext extends Presenter {
  readonly graph: SymbolGraph;
}

const CONTEXT_LINES = 5;
/** Upper bound of listed uses: a rename needs all of them, but a name like `get` is called everywhere. */
const MAX_SITES = 1000;
const MAX_USERS = 20;
const ALL: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform', 'extend', 'read']);
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);

/** Throws symbol_not_found. If several files have the same declaration, the first by path is meant. */
function findSymbol(context: GraphContext, id: string): SymbolPlace {
  const [place] = isHandle(id) ? placesOfHandle(context, id) : [];
  if (!place) throw new EngineError('symbol_not_found', { name: id });
  return place;
}

export function describeSymbol(context: GraphContext, id: string): SymbolDetail {
  const { graph, reader, view } = context;
  const place = findSymbol(context, id);
  const symbol = presentSymbol(context, place.file, place.ordinal);
  const row = view.contentOf[place.file]!;
  const lines = (from: number, to: number) => reader.lines(row, from, to);
  const { fullStartLine, endLine } = graph.symbol(place);
  const edges = programFirst(graph, [...graph.references(place, ALL), ...graph.mentions(place)]);
  // For a type, its subtypes and implementers; for a method, its overrides.
  const below = TYPE_KINDS.has(symbol.kind)
    ? graph.implementers(symbol.name, place).map((found) => found.place)
    : graph.overriding(place);
  const implementers = distinct(below.map(({ file, ordinal }) => presentSymbol(context, file, ordinal)));
  const calls = edges.filter((edge) => edge.site.reference.kind === 'call');
  const outgoing = graph.outgoing(place, CALLS);
  const tests = testsOf(context, edges);
  const sitesOf = (shown: readonly Edge[]) => shown.slice(0, MAX_SITES).map((edge) => siteOf(context, edge));
  return {
    symbol,
    source: lines(fullStartLine, endLine),
    contextBefore: fullStartLine > 1 ? lines(Math.max(1, fullStartLine - CONTEXT_LINES), fullStartLine - 1) : '',
    contextAfter: lines(endLine + 1, endLine + CONTEXT_LINES),
    outline: presentOutline(reader.detail(row), view.files[place.file]!.path).filter(
      (entry) => entry.startLine >= symbol.startLine && entry.endLine <= symbol.endLine,
    ),
    references: sitesOf(edges),
    callers: sitesOf(calls),
    callees: outgoing.slice(0, MAX_SITES).map((edge) => {
      const [target] = edge.candidates.length === 1 ? edge.candidates : [];
      return {
        site: siteOf(context, edge),
        target: target ? presentSymbol(context, target.file, target.ordinal) : null,
      };
    }),
    implementers: implementers.slice(0, MAX_SITES),
    tests: tests.slice(0, MAX_SITES),
    totals: {
      references: edges.length,
      callers: calls.length,
      callees: outgoing.length,
      implementers: implementers.length,
      tests: tests.length,
    },
  };
}

/** Tests that use the symbol, then tests that use its users. */
function testsOf(context: GraphContext, edges: readonly Edge[]): SymbolInfo[] {
  const { graph } = context;
  const isTest = ({ site }: Edge) => graph.isTest(site);
  const inside = ({ site }: Edge) => ({ file: site.file, ordinal: site.reference.from });
  const isUnambiguous = (edge: Edge) => edge.confidence !== 'ambiguous' && edge.site.reference.from >= 0;
  const direct = edges.filter((edge) => isTest(edge) && edge.site.reference.from >= 0);
  const users = new Map<string, SymbolPlace>();
  for (const edge of edges)
    if (!isTest(edge) && isUnambiguous(edge)) users.set(`${edge.site.file}:${edge.site.reference.from}`, inside(edge));
  const indirect = [...users.values()]
    .slice(0, MAX_USERS)
    .flatMap((user) => graph.references(user, CALLS).filter((edge) => isTest(edge) && isUnambiguous(edge)));
  return distinct(
    [...direct, ...indirect].map((edge) => presentSymbol(context, edge.site.file, edge.site.reference.from)),
  );
}

/** Upper bound of definitions that are ordered by their uses: each costs a lookup of all uses of the name. */
const MAX_ORDERED_BY_USE = 40;

/** Among definitions that match equally well, those that are used more come first. */
export function usedFirst({ graph }: GraphContext, matches: readonly Match[]): readonly Match[] {
  const [best] = matches;
  const equal = best ? matches.filter(({ score, match }) => score === best.score && match === best.match) : [];
  if (equal.length < 2 || equal.length > MAX_ORDERED_BY_USE) return matches;
  const uses = new Map(equal.map((match) => [match, graph.references(match, ALL).length]));
  const isUsed = (match: Match) => (uses.get(match)! > 0 ? 1 : 0);
  // An extension is used under the name of its type, and defines no type.
  const isExtension = ({ symbol }: Match) => (symbol.kind === 'extension' ? 1 : 0);
  const ordered = [...equal].sort(
    (a, b) =>
      isExtension(a) - isExtension(b) || isUsed(b) - isUsed(a) || b.rank - a.rank || uses.get(b)! - uses.get(a)!,
  );
  return [...ordered, ...matches.filter((match) => !uses.has(match))];
}

/** The uses of the symbols; a place that may refer to several of them counts once. */
export function referencesOf(
  context: GraphContext,
  symbols: readonly SymbolInfo[],
): Pick<LocateAnswer, 'references' | 'referenceCounts'> {
  const edges = new Map<string, Edge>();
  for (const { symbolId } of symbols) {
    const place = findSymbol(context, symbolId);
    for (const edge of [...context.graph.references(place, ALL), ...context.graph.mentions(place)]) {
      const { file, reference } = edge.site;
      const key = `${file}:${reference.line}:${reference.column}`;
      if (!edges.has(key)) edges.set(key, edge);
    }
  }
  const all = [...edges.values()];
  const counts = { exact: 0, likely: 0, ambiguous: 0 };
  for (const { confidence } of all) counts[confidence]++;
  const inTests = all.filter(({ site }) => context.graph.isTest(site)).length;
  return {
    references: programFirst(context.graph, all)
      .slice(0, MAX_SITES)
      .map((edge) => siteOf(context, edge)),
    referenceCounts: { ...counts, total: all.length, inTests, symbols: symbols.length },
  };
}

/** Moves uses in tests to the end: they are often the majority, and rarely the ones a caller wants. */
function programFirst(graph: SymbolGraph, edges: readonly Edge[]): Edge[] {
  const inTest = new Map(edges.map((edge) => [edge, graph.isTest(edge.site)]));
  return [...edges.filter((edge) => !inTest.get(edge)), ...edges.filter((edge) => inTest.get(edge))];
}

function siteOf(context: GraphContext, { site, confidence, candidates }: Edge): ReferenceSite {
  const { reader, view } = context;
  const { file, reference } = site;
  const entry = view.files[file]!;
  return {
    kind: reference.kind,
    path: entry.path,
    line: reference.line,
    column: reference.column,
    text: reader.lines(view.contentOf[file]!, reference.line, reference.line).trim().slice(0, 300),
    confidence,
    from: reference.from >= 0 ? presentSymbol(context, file, reference.from) : null,
    candidates:
      confidence === 'ambiguous'
        ? candidates.slice(0, 10).map((place) => presentSymbol(context, place.file, place.ordinal).symbolId)
        : [],
    isTest: context.graph.isTest(site),
  };
}

export function linksOf({ graph, reader, view }: GraphContext, path: string): FileLinks | null {
  const file = view.indexOfPath(path);
  if (file < 0) return null;
  const pathOf = (index: number) => view.files[index]!.path;
  const dependencies = reader.detail(view.contentOf[file]!).imports.flatMap((record) => {
    const { source, files } = graph.files.importOf(file, record);
    return files.map((index) => ({ path: pathOf(index), source }));
  });
  const outside = graph.files.externals(file).map((source) => ({ source, path: skippedTarget(view, path, source) }));
  const own = outside.flatMap(({ source, path: found }) => (found === null ? [] : [{ path: found, source }]));
  const unique = new Map([...dependencies, ...own].map((dependency) => [dependency.path, dependency]));
  return {
    dependencies: [...unique.values()],
    external: outside.flatMap(({ source, path: found }) => (found === null ? [source] : [])),
    dependants: graph.files.dependants(file).map(pathOf),
  };
}

/** The file of the project that a relative import leads to although the index skips it, for its size for example. */
function skippedTarget(view: TreeView, from: string, source: string): string | null {
  if (!/^\.\.?\//.test(source)) return null;
  const target = posix.join(posix.dirname(from), source);
  const stem = target.replace(/\.[cm]?jsx?$/, '');
  const paths = view.skipped().map((file) => file.path);
  return paths.find((path) => path === target) ?? paths.find((path) => path.replace(/\.\w+$/, '') === stem) ?? null;
}

function distinct(symbols: readonly SymbolInfo[]): SymbolInfo[] {
  return [...new Map(symbols.map((symbol) => [symbol.symbolId, symbol])).values()];
}
