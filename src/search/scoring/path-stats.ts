/**
 * Statistics of a tree's paths. Computing them takes a good part of a short command, so they can be packed, cached by
 * the caller, and restored by the next one.
 */
import { folderOf, nameOf, stemOf } from '../../model/text/path-text.ts';
import { nameKey, TERMS_VERSION, textTerms } from '../../model/text/terms.ts';
import type { TreeView } from '../../store/store.ts';

export interface PathStats {
  /** Path terms -> files, folders counted once each. */
  readonly pathTerms: { get(term: string): readonly number[] | undefined };
  /** Number of path terms a file has. */
  readonly pathLength: Uint8Array;
  /** Terms of the base name without its endings. */
  readonly stemOf: (file: number) => readonly string[];
  /**
   * The name a file goes by, as nameKey: its stem, or its folder where the stem says nothing (index, mod, __init__).
   */
  readonly keys: readonly string[];
}

interface Derived extends PathStats {
  readonly pathTerms: ReadonlyMap<string, readonly number[]>;
  readonly stems: readonly (readonly string[])[];
}

const known = new WeakMap<TreeView, PathStats>();
/** Raised when they are derived or packed in another way. */
const FORMAT = 1;

export function pathStats(view: TreeView): PathStats {
  const found = known.get(view) ?? derive(view);
  known.set(view, found);
  return found;
}

function derive(view: TreeView): Derived {
  const pathTerms = new Map<string, number[]>();
  const pathLength = new Uint8Array(view.files.length);
  // Names repeat from folder to folder: each is taken apart once.
  const taken = new Map<string, readonly string[]>();
  const termsOf = (name: string): readonly string[] => {
    const found = taken.get(name) ?? textTerms(name);
    taken.set(name, found);
    return found;
  };
  const folders = new Map<string, readonly string[]>([['', []]]);
  const inFolder = (folder: string): readonly string[] => {
    const found = folders.get(folder) ?? [...inFolder(folderOf(folder)), ...termsOf(nameOf(folder))];
    folders.set(folder, found);
    return found;
  };
  const stems = view.files.map((file, index) => {
    const stem = termsOf(stemOf(nameOf(file.path)));
    const all = new Set([...inFolder(folderOf(file.path)), ...stem]);
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

const NAMELESS = /^(?:index|mod|main|lib|__init__|init|package|types?|utils?|common|impl|base|core)$/i;

function fileKey(path: string): string {
  const segments = path.split('/');
  const stem = stemOf(segments.at(-1)!).replace(/-/g, '');
  const named = NAMELESS.test(stem) && segments.length > 1 ? segments.at(-2)!.replace(/-/g, '') : stem;
  return nameKey(named);
}

/** Names this tree and no other: each published tree has its own time. */
function headOf({ info, files }: TreeView): string {
  return `${FORMAT} ${TERMS_VERSION} ${info.root} ${info.ref} ${info.generation} ${info.publishedAtMs} ${files.length}`;
}

/**
 * Null if restored, because the caller has the packed form already. Terms and names contain no line break, so lines
 * separate them.
 */
export function packPathStats(view: TreeView): Uint8Array | null {
  const stats = known.get(view);
  if (!stats || !(stats.pathTerms instanceof Map)) return null;
  const { pathTerms, pathLength, stems, keys } = stats as Derived;
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

/** Whether they are at hand already. */
export function hasPathStats(view: TreeView): boolean {
  return known.has(view);
}

/** Restores what was packed for this tree; ignores anything else. */
export function restorePathStats(view: TreeView, packed: Uint8Array): void {
  if (known.has(view)) return;
  const stats = unpack(view, packed);
  if (stats) known.set(view, stats);
}

function unpack(view: TreeView, packed: Uint8Array): PathStats | null {
  const files = view.files.length;
  const end = packed.length - new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const [head, termText, keyText] = Buffer.from(packed.subarray(end)).toString('utf8').split('\n');
  if (head !== headOf(view) || termText === undefined || keyText === undefined) return null;
  const terms = termText.split('\t');
  const keys = keyText.split('\t');
  // Copied into memory of its own, and so to a place where numbers may begin.
  const numbers = new Uint32Array(new Uint8Array(packed.subarray(4, end - files)).buffer);
  const starts = new Uint32Array(1 + terms.length + files);
  starts[0] = starts.length;
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i - 1]! + numbers[i]!;
  if (numbers[0] !== terms.length || keys.length !== files || starts.at(-1) !== numbers.length) return null;
  const list = (at: number) => numbers.subarray(starts[at]!, starts[at + 1]!);
  const idOf = new Map(terms.map((term, id) => [term, id]));
  // A server asks for the same ones again and again.
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
