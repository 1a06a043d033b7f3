/**
 * A map of the repository within a token budget: modules, entry points, and the files that matter most to others, with
 * their main symbols.
 */
import { languageById, nameRulesOf } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
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
/** Where programs do not begin in a function, or not only there, the file's name says that it is the beginning. */
const ENTRY = /(?:^|\/)(?:main|index|app|server|cli|__main__|manage|Main|Application)\.[A-Za-z]+$/;
/** Names of entry points, whatever they contain. */
const EXECUTABLE = /^bin\/[^/]+$|\/bin\/[^/.]+$/;
const CHARACTERS_PER_TOKEN = 4;
const NO_CODE = FileFlag.Documentation | FileFlag.Config;
const SYMBOLS_PER_FILE = 6;
/** A name that more files define says little about any of them. */
const MAX_DEFINERS = 3;
/** To tell namesakes apart, each has to be opened. */
const MAX_OPENED = 30;
const MAX_MODULES = 30;
const MAX_ENTRIES = 15;
const MAX_LINE = 140;
/** Shares of the budget: the unused rest of a part goes to the central files. */
const MODULE_SHARE = 0.3;
const ENTRY_SHARE = 0.15;

/** Ranks are the same for every budget, and dear. */
const RANKS = new WeakMap<TreeView, Map<number, number>>();

function isOwnCode(file: TreeView['files'][number]): boolean {
  return (file.flags & NO_CODE) === 0 && isOwnProgram(file);
}

/** Files of the product that define something, with their ranks. */
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

/** A path or a name with a line break in it must not begin a line, or a heading, of its own. */
function oneLine(line: string): string {
  return line.replace(/\n/g, '<U+000A>').replace(/\r/g, '<U+000D>');
}

/** Lines are added whole, as long as the map stays below its bound. */
function addSection(lines: string[], title: string, body: Iterable<string>, bound: number): void {
  let size = lines.reduce((sum, line) => sum + line.length + 1, 0) + title.length + 6;
  const added: string[] = [];
  for (const line of body) {
    size += line.length + 1;
    if (size > bound) break;
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

export function entryPoints(view: TreeView, reader: StoreReader): string[] {
  const depth = (index: number) => view.files[index]!.path.split('/').length;
  /** Scripts of a project have a main of their own; its programs are called so. */
  const isOther = (index: number) => Number(!ENTRY.test(view.files[index]!.path));
  const mains = filesWithMain(view, reader);
  const isEntry = (index: number) => {
    const { path, language } = view.files[index]!;
    if (!isOwnCode(view.files[index]!) || languageById(language)?.family !== 'code') return false;
    const { main, entryFile } = nameRulesOf(language);
    if (EXECUTABLE.test(path) || entryFile?.test(path)) return true;
    return main ? mains.has(index) : view.symbolCountOf[index]! > 0 && ENTRY.test(path);
  };
  return view.files
    .flatMap((_, index) => (isEntry(index) ? [index] : []))
    .sort((a, b) => isOther(a) - isOther(b) || depth(a) - depth(b) || a - b)
    .slice(0, MAX_ENTRIES)
    .map((index) => view.files[index]!.path);
}

/** A function at the top, or a static method: `int main(void)`, `public static void main(String[] args)`. */
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
    // `#ifdef SIPHASH_TEST`: a library's own test, built on demand.
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
 * The symbols of a file that the files which matter mention most; a mention of a name that many files define counts for
 * each of them a little.
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
    const definers = sum === 0 ? 1 : definersOf(symbol, view, reader);
    return { symbol, weight: sum / definers, isShared: definers > MAX_DEFINERS };
  };
  // `get` and `pop` may be anybody's: what stands by itself comes before what belongs to a type.
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
 * How many files define something of this name, as far as it matters. A type is told from the methods that are called
 * like it, and from what continues it.
 */
function definersOf(symbol: SymbolRecord, view: TreeView, reader: StoreReader): number {
  const { docs } = reader.postings('symbol', nameKey(symbol.name) || symbol.name);
  const isAnyones = isMember(symbol) || docs.length > MAX_OPENED;
  const files = new Set<number>();
  for (const id of docs) {
    const file = view.fileOfSymbol[id] ?? -1;
    if (file < 0 || files.has(file)) continue;
    if (!isAnyones) {
      const other = reader.detail(view.contentOf[file]!).symbol(id - view.firstSymbolOf[file]!)!;
      if (other.name !== symbol.name || isMember(other)) continue;
    }
    files.add(file);
  }
  return Math.max(1, files.size);
}
