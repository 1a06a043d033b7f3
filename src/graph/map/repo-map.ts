/**
 * A text map of the repository within a token budget: modules, entry points, and the highest ranked files with their
 * most used symbols.
 */
import { LANGUAGES, languageById, nameRulesOf } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import { nameKey } from '../../model/text/terms.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { isOwnProgram } from '../program-files.ts';
import type { SymbolGraph } from '../symbol-graph.ts';
import { rankFiles } from './page-rank.ts';

export interface MapInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly title: string;
  readonly moduleOf: (path: string) => string;
  readonly maxTokens: number;
}

const MAIN = 'main';
/** File names of entry points, for languages without a main function (scripts), and to rank main functions. */
const ENTRY = /(?:^|\/)(?:main|index|app|server|cli|__main__|manage|Main|Application)\.[A-Za-z]+$/;
/** A file in a bin folder is an entry point in any language. */
const EXECUTABLE = /^bin\/[^/]+$|\/bin\/[^/.]+$/;
const CHARACTERS_PER_TOKEN = 4;
const NO_CODE = FileFlag.Documentation | FileFlag.Config;
const SYMBOLS_PER_FILE = 6;
/** Symbols whose name more files define are listed last: most references to the name mean another one. */
const MAX_DEFINERS = 3;
/** Definitions of one name that are opened to compare them, because each reads a file's content. */
const MAX_OPENED = 30;
const MAX_MODULES = 30;
const MAX_ENTRIES = 15;
const MAX_LINE = 140;
/** Shares of the token budget; central files get what modules and entry points leave. */
const MODULE_SHARE = 0.3;
const ENTRY_SHARE = 0.15;

/** Cached: ranks are expensive to compute and the same for every token budget. */
const RANKS = new WeakMap<TreeView, Map<number, number>>();

function isOwnCode(file: TreeView['files'][number]): boolean {
  return (file.flags & NO_CODE) === 0 && isOwnProgram(file);
}

/** Ranks of the program's own files that define symbols. */
export function productRanks(graph: SymbolGraph, reader: StoreReader, view: TreeView): ReadonlyMap<number, number> {
  let ranks = RANKS.get(view);
  if (!ranks) {
    const product = view.files.flatMap((file, index) =>
      isOwnCode(file) && view.symbolCountOf[index]! > 0 ? [index] : [],
    );
    ranks = rankFiles(graph, reader, view, product);
    RANKS.set(view, ranks);
  }
  return ranks;
}

export function drawMap({ graph, reader, view, title, moduleOf, maxTokens }: MapInput): string {
  const budget = maxTokens * CHARACTERS_PER_TOKEN;
  const ranks = productRanks(graph, reader, view);
  const product = [...ranks.keys()];
  const { fileCount, lineCount, symbolCount } = view.info;
  const lines = [`# ${title}`, '', `${fileCount} files, ${lineCount} lines, ${symbolCount} symbols.`];
  const room = (share: number) => budget * share;
  addSection(lines, 'Modules', moduleLines(view, moduleOf, product, ranks), room(MODULE_SHARE));
  const entries = entryPoints(view, reader).map((path) => `- ${path}`);
  addSection(lines, 'Entry points', entries, room(MODULE_SHARE + ENTRY_SHARE));
  const central = [...product].sort((a, b) => ranks.get(b)! - ranks.get(a)! || a - b);
  addSection(lines, 'Central files', centralLines(central, view, reader, ranks), budget - 1);
  return `${lines.map(oneLine).join('\n')}\n`;
}

/** Escapes line breaks: a path or name that contains one must not start a line, or a heading, of the map. */
function oneLine(line: string): string {
  return line.replace(/\n/g, '<U+000A>').replace(/\r/g, '<U+000D>');
}

/** Adds whole lines as long as the map has at most `maxLength` characters. */
function addSection(lines: string[], title: string, body: Iterable<string>, maxLength: number): void {
  let size = lines.reduce((sum, line) => sum + line.length + 1, 0) + title.length + 6;
  const added: string[] = [];
  for (const line of body) {
    size += line.length + 1;
    if (size > maxLength) break;
    added.push(line);
  }
  if (added.length > 0) lines.push('', `## ${title}`, '', ...added);
}

function moduleLines(
  view: TreeView,
  moduleOf: (path: string) => string,
  product: readonly number[],
  ranks: ReadonlyMap<number, number>,
): string[] {
  const modules = new Map<string, { files: number; lines: number; rank: number; top: number }>();
  for (const index of product) {
    const { path, lines } = view.files[index]!;
    const name = moduleOf(path) || '(root)';
    const module = modules.get(name) ?? { files: 0, lines: 0, rank: 0, top: index };
    module.files++;
    module.lines += lines;
    module.rank += ranks.get(index)!;
    if (ranks.get(index)! > ranks.get(module.top)!) module.top = index;
    modules.set(name, module);
  }
  return [...modules]
    .sort((a, b) => b[1].rank - a[1].rank || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_MODULES)
    .map(
      ([name, { files, lines, top }]) =>
        `- ${name}: ${files} file${files === 1 ? '' : 's'}, ${lines} lines, around ${view.files[top]!.path}`,
    );
}

/** Entry points: files that manifests declare, then files with the name of an entry point or a main function. */
export function entryPoints(view: TreeView, reader: StoreReader): string[] {
  const declared = [...declaredEntries(view, reader).keys()];
  const depth = (index: number) => view.files[index]!.path.split('/').length;
  // Small scripts have main functions, too; a file named like an entry point is more likely the program's.
  const isOther = (index: number) => Number(!ENTRY.test(view.files[index]!.path));
  const mains = filesWithMain(view, reader);
  const isEntry = (index: number) => {
    const { path, language } = view.files[index]!;
    if (!isOwnCode(view.files[index]!) || languageById(language)?.family !== 'code') return false;
    const { main, entryFile } = nameRulesOf(language);
    if (EXECUTABLE.test(path) || entryFile?.test(path)) return true;
    if (main || view.symbolCountOf[index] === 0 || !ENTRY.test(path)) return main !== '' && mains.has(index);
    const { runs } = nameRulesOf(language);
    return runs === null || /(?:^|\/)__main__\./.test(path) || runs.test(reader.text(view.contentOf[index]!));
  };
  const found = view.files
    .flatMap((_, index) => (isEntry(index) ? [index] : []))
    .sort((a, b) => isOther(a) - isOther(b) || depth(a) - depth(b) || a - b)
    .map((index) => view.files[index]!.path);
  return [...new Set([...declared, ...found])].slice(0, MAX_ENTRIES);
}

/** The files that manifests of the program declare as entry points, with the function that they name or ''. */
export function declaredEntries(view: TreeView, reader: StoreReader): ReadonlyMap<string, string> {
  const rules = [...new Set(LANGUAGES.flatMap(({ id }) => nameRulesOf(id).entryManifests ?? []))];
  const byName = new Map(rules.flatMap((each) => each.names.map((name) => [name, each] as const)));
  const entries = new Map<string, string>();
  view.files.forEach((file, index) => {
    const manifest = byName.get(nameOf(file.path));
    if (!manifest || !isOwnProgram(file)) return;
    const folder = folderOf(file.path);
    for (const { paths, functionName } of manifest.read(reader.text(view.contentOf[index]!), folder === '')) {
      const path = paths
        .map((each) => (folder === '' ? each : `${folder}/${each}`))
        .find((each) => view.indexOfPath(each) >= 0 && isOwnCode(view.files[view.indexOfPath(each)]!));
      if (path !== undefined && !entries.get(path)) entries.set(path, functionName);
    }
  });
  return entries;
}

/** Files with a main function at top level or a static main method: `public static void main(String[] args)`. */
function filesWithMain(view: TreeView, reader: StoreReader): Set<number> {
  const files = new Set<number>();
  const conditional = new Set<number>();
  for (const id of reader.postings('symbol', MAIN).docs) {
    const file = view.fileOfSymbol[id] ?? -1;
    if (file < 0 || files.has(file)) continue;
    const symbol = reader.detail(view.contentOf[file]!).symbol(id - view.firstSymbolOf[file]!)!;
    const { name, kind, parent, signature } = symbol;
    const isFunction = (kind === 'function' || kind === 'method') && !signature.endsWith(';');
    const rules = nameRulesOf(view.files[file]!.language);
    const isMain = name === (rules.main || MAIN);
    if (!isMain || !isFunction || !(parent < 0 || /\bstatic\b|^(?:override )?(?:fun|def) /.test(signature))) continue;
    const lines = () => reader.text(view.contentOf[file]!).split('\n');
    // A library may have a main function for its own test behind a condition: `#ifdef SIPHASH_TEST`.
    if (rules.isConditional?.(lines(), symbol.startLine, view.files[file]!.path)) conditional.add(file);
    else files.add(file);
  }
  return files.size > 0 ? files : conditional;
}

function* centralLines(
  central: readonly number[],
  view: TreeView,
  reader: StoreReader,
  ranks: ReadonlyMap<number, number>,
): Generator<string> {
  for (const index of central) {
    const shown = centralSymbols(index, view, reader, ranks);
    if (shown.length === 0) continue;
    yield `- ${view.files[index]!.path}`;
    for (const { startLine, signature, name } of shown)
      yield `  - ${startLine}: ${(signature || name).slice(0, MAX_LINE)}`;
  }
}

/**
 * The symbols of a file that high ranked files refer to most. A reference to a name that several files define counts
 * for each of them in equal parts.
 */
export function centralSymbols(
  file: number,
  view: TreeView,
  reader: StoreReader,
  ranks: ReadonlyMap<number, number>,
): SymbolRecord[] {
  const weigh = (symbol: SymbolRecord) => {
    const key = nameKey(symbol.name) || symbol.name;
    let sum = 0;
    for (const row of reader.postings('reference', key).docs)
      for (const other of view.filesOfContent(row)) if (other !== file) sum += ranks.get(other) ?? 0;
    const definers = sum === 0 ? 1 : countDefiners(symbol, view, reader);
    return { symbol, weight: sum / definers, isShared: definers > MAX_DEFINERS };
  };
  // A reference to a member (`get`, `pop`) may mean a member of any other type, so members come after the rest.
  const order = ({ symbol, weight, isShared }: ReturnType<typeof weigh>) =>
    weight === 0 ? 2 : Number(isShared || isMember(symbol));
  return reader
    .detail(view.contentOf[file]!)
    .symbols.filter(
      ({ visibility, kind }) => visibility !== 'private' && !['field', 'variable', 'property'].includes(kind),
    )
    .map(weigh)
    .sort((a, b) => order(a) - order(b) || b.weight - a.weight || a.symbol.startLine - b.symbol.startLine)
    .slice(0, SYMBOLS_PER_FILE)
    .map(({ symbol }) => symbol)
    .sort((a, b) => a.startLine - b.startLine);
}

function isMember({ kind, parent }: SymbolRecord): boolean {
  return kind === 'method' || kind === 'extension' || (kind === 'constant' && parent >= 0);
}

/**
 * Counts the files that define a symbol of this name. For a non-member, members and extensions of its name are left
 * out.
 */
function countDefiners(symbol: SymbolRecord, view: TreeView, reader: StoreReader): number {
  const { docs } = reader.postings('symbol', nameKey(symbol.name) || symbol.name);
  const countsMembers = isMember(symbol) || docs.length > MAX_OPENED;
  const files = new Set<number>();
  for (const id of docs) {
    const file = view.fileOfSymbol[id] ?? -1;
    if (file < 0 || files.has(file)) continue;
    if (!countsMembers) {
      const other = reader.detail(view.contentOf[file]!).symbol(id - view.firstSymbolOf[file]!)!;
      if (other.name !== symbol.name || isMember(other)) continue;
    }
    files.add(file);
  }
  return Math.max(1, files.size);
}
