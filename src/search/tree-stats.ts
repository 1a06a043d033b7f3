/** What ranking needs to know about a tree as a whole, derived once per published tree. */

import { stemOf } from '../model/paths.ts';
import { nameKey, textTerms } from '../model/terms.ts';
import type { TreeView } from '../store/store.ts';

export interface TreeStats {
  readonly liveChunks: number;
  readonly averageNames: number;
  readonly averageDocs: number;
  readonly averageBody: number;
  /** Terms of all chunks of a file, and their average. */
  readonly fileLength: Float32Array;
  readonly averageFile: number;
  /** Path terms -> files, folders counted once each. */
  readonly pathTerms: ReadonlyMap<string, readonly number[]>;
  /** Number of path terms a file has. */
  readonly pathLength: Uint8Array;
  /** Terms of the base name without its endings. */
  readonly stems: readonly (readonly string[])[];
  /** The name a file goes by, as nameKey: its stem, or its folder where the stem says nothing (index, mod, __init__). */
  readonly keys: readonly string[];
  /** Folders above the middle file: how deep a tree is says nothing, how deep a file is in it does. */
  readonly medianDepth: number;
  /** 1 for content rows of this tree. */
  readonly liveContents: Uint8Array;
}

const cache = new WeakMap<TreeView, TreeStats>();
const OVERVIEW = 1;

export function treeStats(view: TreeView): TreeStats {
  const known = cache.get(view);
  if (known) return known;
  const made = derive(view);
  cache.set(view, made);
  return made;
}

function derive(view: TreeView): TreeStats {
  const fileLength = new Float32Array(view.files.length);
  let liveChunks = 0;
  let names = 0;
  let docs = 0;
  let body = 0;
  for (let id = 0; id < view.fileOfChunk.length; id++) {
    const file = view.fileOfChunk[id]!;
    if (file < 0 || view.chunkType[id] === OVERVIEW) continue;
    liveChunks++;
    names += view.namesLength[id]!;
    docs += view.docsLength[id]!;
    body += view.bodyLength[id]!;
    fileLength[file]! += view.bodyLength[id]!;
  }
  const pathTerms = new Map<string, number[]>();
  const pathLength = new Uint8Array(view.files.length);
  const folderTerms = new Map<string, readonly string[]>();
  const stems = view.files.map((file, index) => {
    const slash = file.path.lastIndexOf('/');
    const folder = file.path.slice(0, Math.max(slash, 0));
    let above = folderTerms.get(folder);
    if (!above) {
      above = textTerms(folder);
      folderTerms.set(folder, above);
    }
    const stem = textTerms(stemOf(file.path.slice(slash + 1)));
    const all = new Set([...above, ...stem]);
    pathLength[index] = Math.min(255, all.size);
    for (const term of all) {
      const list = pathTerms.get(term);
      if (list) list.push(index);
      else pathTerms.set(term, [index]);
    }
    return stem;
  });
  const total = Math.max(1, liveChunks);
  const fileTotal = fileLength.reduce((sum, length) => sum + length, 0);
  return {
    liveChunks,
    averageNames: names / total || 1,
    averageDocs: docs / total || 1,
    averageBody: body / total || 1,
    fileLength,
    averageFile: fileTotal / Math.max(1, view.files.length) || 1,
    pathTerms,
    pathLength,
    stems,
    keys: view.files.map((file) => fileKey(file.path)),
    medianDepth: medianDepth(view),
    liveContents: liveContents(view),
  };
}

const NAMELESS = /^(?:index|mod|main|lib|__init__|init|package|types?|utils?|common|impl|base|core)$/i;

export function fileKey(path: string): string {
  const segments = path.split('/');
  const stem = stemOf(segments.at(-1)!).replace(/-/g, '');
  const named = NAMELESS.test(stem) && segments.length > 1 ? segments.at(-2)!.replace(/-/g, '') : stem;
  return nameKey(named);
}

function liveContents(view: TreeView): Uint8Array {
  const highest = view.contentOf.reduce((max, row) => Math.max(max, row), 0);
  const live = new Uint8Array(highest + 1);
  for (const row of view.contentOf) live[row] = 1;
  return live;
}

function medianDepth(view: TreeView): number {
  const depths = view.files.map((file) => file.path.split('/').length - 1).sort((a, b) => a - b);
  return depths[depths.length >> 1] ?? 0;
}
