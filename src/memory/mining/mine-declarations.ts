/** Mines naming conventions of types, functions and values, and common base types, from a sample of the files. */
import type { Evidence } from '../../model/records/discovery.ts';
import type { SymbolKind } from '../../model/records/symbol.ts';
import { nameKey, rawParts } from '../../model/text/terms.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { Idiom } from './mine-idioms.ts';

/** Number of files read, spread over the tree. */
const MAX_SAMPLED_FILES = 300;
const MIN_COUNT = 8;
const MIN_SHARE = 0.05;
const MIN_PLACES = 3;
const MAX_PER_KIND = 4;
const EXAMPLE_COUNT = 3;

interface Group {
  readonly what: string;
  readonly kinds: ReadonlySet<SymbolKind>;
  /** The word of a name that forms a convention: the last of types, the first of functions and values. */
  readonly side: 'first' | 'last';
}

const GROUPS: readonly Group[] = [
  {
    what: 'types',
    kinds: new Set<SymbolKind>(['class', 'struct', 'interface', 'protocol', 'trait', 'enum', 'type']),
    side: 'last',
  },
  { what: 'functions', kinds: new Set<SymbolKind>(['function']), side: 'first' },
  { what: 'methods', kinds: new Set<SymbolKind>(['method']), side: 'first' },
  { what: 'constants and variables', kinds: new Set<SymbolKind>(['constant', 'variable']), side: 'first' },
];

/** Words that begin names in every project. */
const COMMON_WORDS = new Set(['get', 'set', 'is', 'has', 'to', 'on', 'in', 'out', 'test']);

/** Names with a common word, or types with a common base. */
interface NameTally {
  readonly names: string[];
  readonly paths: Set<string>;
}

export function declarationIdioms(
  reader: StoreReader,
  view: TreeView,
  isProduct: (flags: number) => boolean,
): readonly Idiom[] {
  const byGroup = GROUPS.map(() => new Map<string, NameTally>());
  const totals = GROUPS.map(() => 0);
  const bases = new Map<string, NameTally>();
  for (const { path, file } of sampleOf(view, isProduct)) {
    const { symbols, references } = reader.detail(view.contentOf[file]!);
    for (const { name, kind } of symbols) {
      const group = GROUPS.findIndex(({ kinds }) => kinds.has(kind));
      const words = group < 0 ? [] : rawParts(name);
      if (words.length < 2) continue;
      totals[group]!++;
      const word = GROUPS[group]!.side === 'first' ? words[0]! : words.at(-1)!;
      if (!COMMON_WORDS.has(word)) count(byGroup[group]!, word, name, path);
    }
    for (const { kind, name, from } of references)
      if ((kind === 'inherit' || kind === 'conform') && symbols[from] && isWorthNaming(reader, name))
        count(bases, name, symbols[from]!.name, path);
  }
  return [
    ...GROUPS.flatMap(({ what, side }, at) => namingIdioms(what, side, byGroup[at]!, totals[at]!)),
    ...mostCommon(bases, MIN_COUNT).map(([name, tally]) =>
      idiomOf(`Common pattern: ${tally.names.length} types extend or implement \`${name}\``, tally),
    ),
  ];
}

/** Whether a base is worth reporting: a type of the project or an error type, not an interface of the language. */
function isWorthNaming(reader: StoreReader, base: string): boolean {
  return /(?:Error|Exception)$/.test(base) || reader.postings('symbol', nameKey(base)).docs.length > 0;
}

function namingIdioms(
  what: string,
  side: Group['side'],
  tallies: ReadonlyMap<string, NameTally>,
  total: number,
): readonly Idiom[] {
  return mostCommon(tallies, Math.max(MIN_COUNT, MIN_SHARE * total)).map(([word, tally]) => {
    const [example = word] = tally.names;
    const at = example.toLowerCase()[side === 'first' ? 'indexOf' : 'lastIndexOf'](word);
    const written = example.slice(at, at + word.length);
    const form = side === 'first' ? `${written}…` : `…${written}`;
    return idiomOf(`Naming convention: ${tally.names.length} of ${total} ${what} are named \`${form}\``, tally);
  });
}

function idiomOf(statement: string, { names, paths }: NameTally): Idiom {
  const examples = [...new Set(names)].slice(0, EXAMPLE_COUNT).map((name) => `\`${name}\``);
  return {
    content: `${statement}, such as ${examples.join(', ')}.`,
    confidence: 0.5,
    evidence: examplesOf([...paths]),
  };
}

/** Examples at even distances: neighbouring files often belong to one module. */
export function examplesOf(paths: readonly string[]): Evidence[] {
  const last = paths.length - 1;
  const places = Array.from({ length: EXAMPLE_COUNT }, (_, i) => Math.round((i * last) / (EXAMPLE_COUNT - 1)));
  return [...new Set(places)].flatMap((at) => (paths[at] === undefined ? [] : [{ path: paths[at] }]));
}

function count(tallies: Map<string, NameTally>, key: string, name: string, path: string): void {
  const tally = tallies.get(key) ?? { names: [], paths: new Set<string>() };
  tally.names.push(name);
  tally.paths.add(path);
  tallies.set(key, tally);
}

function mostCommon(tallies: ReadonlyMap<string, NameTally>, least: number): [string, NameTally][] {
  return [...tallies]
    .filter(([key, { names, paths }]) => key.length > 1 && names.length >= least && paths.size >= MIN_PLACES)
    .sort(([a, m], [b, n]) => n.names.length - m.names.length || (a < b ? -1 : 1))
    .slice(0, MAX_PER_KIND);
}

/** Files of the product at even distances over the tree. */
function sampleOf(view: TreeView, isProduct: (flags: number) => boolean): { path: string; file: number }[] {
  const own = view.files.flatMap(({ path, flags }, file) => (isProduct(flags) ? [{ path, file }] : []));
  const step = Math.max(1, own.length / MAX_SAMPLED_FILES);
  return Array.from({ length: Math.min(own.length, MAX_SAMPLED_FILES) }, (_, i) => own[Math.floor(i * step)]!);
}
