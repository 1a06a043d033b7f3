/**
 * Statistics of a tree's paths. Computing them takes a large part of a short command, so a caller can pack and cache
 * them, and the next process restores them.
 */
import { folderOf, nameOf, stemOf } from '../../model/text/path-text.ts';
import { nameKey, TERMS_VERSION, textTerms } from '../../model/text/terms.ts';
import type { TreeView } from '../../store/store.ts';

export interface PathStats {
  /** Files by path term. */
  readonly pathTerms: { get(term: string): readonly number[] | undefined };
  /** Number of path terms a file has. */
  readonly pathLength: Uint8Array;
  /** Terms of the base name without its extensions. */
  readonly stemOf: (file: number) => readonly string[];
  /** A file's name as nameKey: its stem, or its folder's name if the stem is generic (index, mod, __init__). */
  readonly keys: readonly string[];
}

interface ComputedStats extends PathStats {
  readonly pathTerms: ReadonlyMap<string, readonly number[]>;
  readonly stems: readonly (readonly string[])[];
}

const cache = new WeakMap<TreeView, PathStats>();
/** Increment it with every change to the statistics or their packed form. */
const FORMAT = 1;

export function pathStats(view: TreeView): PathStats {
  const stats = cache.get(view) ?? computeStats(view);
  cache.set(view, stats);
  return stats;
}

function computeStats(view: TreeView): ComputedStats {
  const pathTerms = new Map<string, number[]>();
  const pathLength = new Uint8Array(view.files.length);
  // Names repeat from folder to folder; each is split into terms once.
  const termsByName = new Map<string, readonly string[]>();
  const termsOf = (name: string): readonly string[] => {
    const terms = termsByName.get(name) ?? textTerms(name);
    termsByName.set(name, terms);
    return terms;
  };
  const termsByFolder = new Map<string, readonly string[]>([['', []]]);
  const folderTerms = (folder: string): readonly string[] => {
    const terms = termsByFolder.get(folder) ?? [...folderTerms(folderOf(folder)), ...termsOf(nameOf(folder))];
    termsByFolder.set(folder, terms);
    return terms;
  };
  const stems = view.files.map((file, index) => {
    const stem = termsOf(stemOf(nameOf(file.path)));
    const all = new Set([...folderTerms(folderOf(file.path)), ...stem]);
    pathLength[index] = Math.min(255, all.size);
    for (const term of all) {
      const list = pathTerms.get(term);
      if (list) list.push(index);
      else pathTerms.set(term, [index]);
    }
    return stem;
  });
  return {
    pathTerms,
    pathLength,
    stems,
    stemOf: (file) => stems[file]!,
    keys: view.files.map((file) => fileKey(file.path)),
  };
}

const GENERIC_STEM = /^(?:index|mod|main|lib|__init__|init|package|types?|utils?|common|impl|base|core)$/i;

function fileKey(path: string): string {
  const segments = path.split('/');
  const stem = stemOf(segments.at(-1)!).replace(/-/g, '');
  const isGeneric = GENERIC_STEM.test(stem) && segments.length > 1;
  return nameKey(isGeneric ? segments.at(-2)!.replace(/-/g, '') : stem);
}

/** Identifies the tree: each published tree has another publishing time. */
function headOf({ info, files }: TreeView): string {
  return `${FORMAT} ${TERMS_VERSION} ${info.root} ${info.ref} ${info.generation} ${info.publishedAtMs} ${files.length}`;
}

/**
 * Packs computed statistics; null for restored ones, whose packed form the caller already has. Line breaks separate the
 * texts, because terms and names contain none.
 */
export function packPathStats(view: TreeView): Uint8Array | null {
  const stats = cache.get(view);
  if (!stats || !(stats.pathTerms instanceof Map)) return null;
  const { pathTerms, pathLength, stems, keys } = stats as ComputedStats;
  const terms = [...pathTerms.keys()];
  const idOf = new Map(terms.map((term, id) => [term, id]));
  const lists = [
    ...terms.map((term) => pathTerms.get(term)!),
    ...stems.map((stem) => stem.map((term) => idOf.get(term)!)),
  ];
  const texts = Buffer.from([headOf(view), terms.join('\t'), keys.join('\t')].join('\n'));
  const numbers = Uint32Array.from([terms.length, ...lists.map((list) => list.length), ...lists.flat()]);
  const size = Uint32Array.of(texts.length);
  return Buffer.concat([Buffer.from(size.buffer), Buffer.from(numbers.buffer), Buffer.from(pathLength), texts]);
}

export function hasPathStats(view: TreeView): boolean {
  return cache.has(view);
}

/** Restores statistics that were packed for this tree; ignores those of another tree or format. */
export function restorePathStats(view: TreeView, packed: Uint8Array): void {
  if (cache.has(view)) return;
  const stats = unpack(view, packed);
  if (stats) cache.set(view, stats);
}

function unpack(view: TreeView, packed: Uint8Array): PathStats | null {
  const files = view.files.length;
  const end = packed.length - new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const [head, termText, keyText] = Buffer.from(packed.subarray(end)).toString('utf8').split('\n');
  if (head !== headOf(view) || termText === undefined || keyText === undefined) return null;
  const terms = termText.split('\t');
  const keys = keyText.split('\t');
  // Copied, because a Uint32Array must begin at an aligned address.
  const numbers = new Uint32Array(new Uint8Array(packed.subarray(4, end - files)).buffer);
  const starts = new Uint32Array(1 + terms.length + files);
  starts[0] = starts.length;
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i - 1]! + numbers[i]!;
  if (numbers[0] !== terms.length || keys.length !== files || starts.at(-1) !== numbers.length) return null;
  const list = (at: number) => numbers.subarray(starts[at]!, starts[at + 1]!);
  const idOf = new Map(terms.map((term, id) => [term, id]));
  // Cached, because the questions to a server repeat terms.
  const filesOf = new Map<string, readonly number[]>();
  const stems: (readonly string[] | undefined)[] = new Array(files);
  return {
    pathTerms: {
      get(term) {
        const id = idOf.get(term);
        if (id === undefined) return undefined;
        const found = filesOf.get(term) ?? [...list(id)];
        filesOf.set(term, found);
        return found;
      },
    },
    pathLength: new Uint8Array(packed.subarray(end - files, end)),
    stemOf: (file) => {
      const found = stems[file] ?? Array.from(list(terms.length + file), (id) => terms[id]!);
      stems[file] = found;
      return found;
    },
    keys,
  };
}
