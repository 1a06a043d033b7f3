/**
 * Predicts what a change affects: the symbols that it touches, the places that depend on them, the tests to run, the
 * files that usually change with it. Pure: the caller passes the change and the history, and the tree is a published
 * one. Every claim has a place or a count, and unresolved references are reported as such.
 */

import { formatSymbolHandle } from '../../model/records/ids.ts';
import type {
  ChangedSummary,
  Dependant,
  DependantModule,
  FileChange,
  ImpactAnswer,
  TouchedSymbol,
} from '../../model/records/impact.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { TYPE_KINDS } from '../../model/records/symbol.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { CONFIDENCE_ORDER, type SymbolGraph, type SymbolPlace } from '../symbol-graph.ts';
import { type AffectedPlace, type AffectedPlaces, findAffectedPlaces } from './affected-places.ts';
import { chooseTests, isTestFile } from './choose-tests.ts';
import { CoChangeHistory, type CommitPaths, findCompanions } from './companions.ts';
import { testCommands } from './test-commands.ts';
import { findTouchedSymbols, type TouchedFile, type TouchedPlace } from './touched-symbols.ts';

export interface ImpactInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly moduleOf: (path: string) => string;
  /** The description of the change. */
  readonly description: string;
  readonly changes: readonly FileChange[];
  readonly moreFiles: number;
  /** Symbols that the request names instead of a change. */
  readonly named: readonly SymbolPlace[];
  readonly commits: readonly CommitPaths[];
  readonly pause: () => Promise<void>;
}

const MAX_COMPANIONS = 20;
/** Places that an answer lists for each module; all are counted. */
const MAX_PLACES = 50;

export async function impactOf(input: ImpactInput): Promise<Omit<ImpactAnswer, 'freshness'>> {
  const { graph, reader, view, named, changes } = input;
  const files = changes.map((change) => findTouchedSymbols(input, change));
  const touched = [
    ...named.map((place): TouchedPlace => ({ place, change: 'named' })),
    ...files.flatMap((each) => each.symbols),
  ];
  const gone = files.flatMap((each) => each.gone);
  const reach = await findAffectedPlaces(graph, touched, gone, input);
  const changedFiles = [...new Set([...files.map(({ file }) => file), ...named.map(({ file }) => file)])].filter(
    (file) => file >= 0,
  );
  const history = new CoChangeHistory(
    input.commits,
    view.files.map(({ path }) => path),
  );
  const paths = changedPaths(files, named, view);
  const program = paths.filter((path) => !isTest(view, path));
  const chosen = chooseTests({
    graph,
    reader,
    view,
    files: changedFiles,
    paths: program,
    symbols: [...touched.map(({ place }) => graph.symbol(place).name), ...gone.map(({ name }) => name)],
    types: touched.flatMap(({ place }) => typeNames(graph, place)),
    places: reach.places,
    history,
  });
  return {
    change: input.description,
    files: files.map((each) => summarise(input, each)),
    moreFiles: input.moreFiles,
    symbols: [...touched.map((each) => presentTouched(input, each)), ...gone.map((each) => presentGone(view, each))],
    modules: byModule(input, reach),
    tests: chosen.tests,
    moreTests: chosen.more,
    suiteFiles: chosen.suiteFiles,
    commands: testCommands(reader, view, chosen.tests),
    companions: findCompanions(history, paths, (path) => view.indexOfPath(path) >= 0).slice(0, MAX_COMPANIONS),
    commitsRead: input.commits.length,
    notices: noticesOf(files, reach, chosen.suiteFiles),
    nextSteps: nextSteps(input, touched, chosen.tests.length),
  };
}

function changedPaths(files: readonly TouchedFile[], named: readonly SymbolPlace[], view: TreeView): string[] {
  const paths = files.flatMap(({ change: { path, oldPath } }) => (oldPath === null ? [path] : [path, oldPath]));
  return [...new Set([...paths, ...named.map(({ file }) => view.files[file]!.path)])];
}

function isTest(view: TreeView, path: string): boolean {
  const file = view.indexOfPath(path);
  return file >= 0 && (view.files[file]!.flags & FileFlag.Test) !== 0;
}

/** Names of the symbol, if it is a type, and of the types that enclose it. */
function typeNames(graph: SymbolGraph, place: SymbolPlace): string[] {
  return graph
    .around(place)
    .map((each) => graph.symbol(each))
    .filter(({ kind }) => TYPE_KINDS.has(kind))
    .map(({ name }) => name);
}

function summarise({ view, moduleOf }: ImpactInput, { change, file, symbols, gone }: TouchedFile): ChangedSummary {
  const { path, oldPath, status, isBinary } = change;
  const flags = file < 0 ? 0 : view.files[file]!.flags;
  const skipped = file < 0 && status !== 'deleted' ? view.skipped().find((each) => each.path === path) : undefined;
  const remark = isBinary
    ? 'binary'
    : skipped
      ? `not indexed: ${skipped.reason.replaceAll('_', ' ')}`
      : file < 0 && status !== 'deleted'
        ? 'not in the index'
        : symbols.length + gone.length === 0
          ? 'no symbol touched'
          : null;
  return { path, oldPath, status, module: moduleOf(path), isTest: (flags & FileFlag.Test) !== 0, remark };
}

function presentTouched({ graph, reader, view }: ImpactInput, { place, change }: TouchedPlace): TouchedSymbol {
  const { qualifiedName, kind, startLine } = graph.symbol(place);
  const { path } = view.files[place.file]!;
  const inTest = graph.isTest({ file: place.file, reference: { ...NOWHERE, from: place.ordinal } });
  return {
    symbolId: formatSymbolHandle(path, reader.detail(view.contentOf[place.file]!).symbols, place.ordinal),
    name: qualifiedName,
    kind,
    path,
    line: startLine,
    change,
    isTest: inTest,
  };
}

const NOWHERE = { kind: 'call', name: '', receiver: '', line: 1, column: 1 } as const;

function presentGone(view: TreeView, { name, kind, path }: TouchedFile['gone'][number]): TouchedSymbol {
  return { symbolId: null, name, kind, path, line: 0, change: 'removed', isTest: isTest(view, path) };
}

const ORDER = { ...CONFIDENCE_ORDER, unresolved: 3 } as const;

/** Places outside of tests, each once, by module; modules with the most confident edges come first. */
function byModule(input: ImpactInput, { places }: AffectedPlaces): DependantModule[] {
  const { graph, view, moduleOf } = input;
  const surest = new Map<string, AffectedPlace>();
  for (const each of places) {
    if (each.hop > 2 || graph.isTest(each.site) || isTestFile(view, each.site.file)) continue;
    // An indirect place counts only with a confident edge.
    if (each.hop > 1 && each.confidence === 'ambiguous') continue;
    const key = `${each.site.file}:${each.site.reference.line}:${each.site.reference.column}`;
    const known = surest.get(key);
    if (!known || known.hop > each.hop || (known.hop === each.hop && isMoreConfident(each, known)))
      surest.set(key, each);
  }
  const modules = new Map<string, AffectedPlace[]>();
  for (const each of surest.values()) {
    const module = moduleOf(view.files[each.site.file]!.path);
    const places = modules.get(module);
    if (places) places.push(each);
    else modules.set(module, [each]);
  }
  return [...modules]
    .map(([module, own]) => presentModule(input, module, own))
    .sort((a, b) => weight(b) - weight(a) || (a.module < b.module ? -1 : 1));
}

function isMoreConfident(a: AffectedPlace, b: AffectedPlace): boolean {
  return ORDER[a.confidence] < ORDER[b.confidence];
}

function weight({ exact, likely, ambiguous, unresolved }: DependantModule): number {
  return exact * 1_000 + likely * 100 + ambiguous + unresolved / 1_000;
}

function presentModule(input: ImpactInput, module: string, own: readonly AffectedPlace[]): DependantModule {
  const direct = own.filter(({ hop }) => hop === 1);
  const count = (confidence: AffectedPlace['confidence']) =>
    direct.filter((each) => each.confidence === confidence).length;
  const sorted = [...own].sort(
    (a, b) =>
      a.hop - b.hop ||
      ORDER[a.confidence] - ORDER[b.confidence] ||
      a.site.file - b.site.file ||
      a.site.reference.line - b.site.reference.line,
  );
  return {
    module,
    exact: count('exact'),
    likely: count('likely'),
    ambiguous: count('ambiguous'),
    unresolved: count('unresolved'),
    places: sorted.slice(0, MAX_PLACES).map((each) => presentPlace(input, each)),
  };
}

function presentPlace({ graph, reader, view }: ImpactInput, { site, confidence, hop, uses }: AffectedPlace): Dependant {
  const { path } = view.files[site.file]!;
  const { from, line } = site.reference;
  const symbols = () => reader.detail(view.contentOf[site.file]!).symbols;
  return {
    uses,
    from: from < 0 ? '' : graph.symbol({ file: site.file, ordinal: from }).qualifiedName,
    symbolId: from < 0 ? null : formatSymbolHandle(path, symbols(), from),
    path,
    line,
    confidence,
    hop,
  };
}

function noticesOf(files: readonly TouchedFile[], reach: AffectedPlaces, suiteFiles: number): string[] {
  const notices: string[] = [];
  const unknown = files.filter(({ file, change }) => file < 0 && change.status !== 'deleted').length;
  if (unknown > 0) notices.push(`${unknown} changed files are not in the index; nothing is known of their symbols.`);
  if (reach.leftOut > 0)
    notices.push(`The users of ${reach.leftOut} more touched symbols were not looked for: the change is too large.`);
  else if (reach.isPartial) notices.push('Not every way to the change was followed: there are too many.');
  if (suiteFiles === 0) notices.push('The index holds no tests.');
  return notices;
}

function nextSteps({ graph }: ImpactInput, touched: readonly TouchedPlace[], tests: number): string[] {
  const [first] = touched;
  const name = first && graph.symbol(first.place).qualifiedName;
  return [
    ...(tests > 0 ? ['Run the tests in their order; the first tell most.'] : []),
    ...(name
      ? [`sextant locate ${name} --references lists every use; sextant history ${name} tells why it is so.`]
      : []),
  ];
}
