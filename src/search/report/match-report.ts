/** Which files of a tree a pasted issue points at, by paths and modules, and how strongly. */
import { idfOf } from '../../model/text/bm25.ts';
import { nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import type { Masks } from '../query/search-filter.ts';
import { treeStats } from '../scoring/tree-stats.ts';
import type { NamedFile, ReportEvidence } from './report-evidence.ts';

export interface PointedAt {
  /** 0..1: 1 for the frame where a trace stopped, less for each one around it. */
  readonly strength: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly inside: string;
}

export interface ReportMatch {
  /** By file: frames of traces, what links and sentences name, and how much of a module's name the path has. */
  readonly frames: ReadonlyMap<number, readonly PointedAt[]>;
  readonly files: ReadonlyMap<number, readonly PointedAt[]>;
  readonly modules: ReadonlyMap<number, number>;
  /** How much of the title a path has; the rarer a word is in paths, the more it counts. */
  readonly titles: ReadonlyMap<number, number>;
}

/** A frame further out counts this much of the one before. */
const OUTER_FRAME_DECAY = 0.75;
/** A name alone, without its folder. */
const BARE_NAME_SHARE = 0.6;
/** Files that share the most of a path; where more do, none is meant. */
const MAX_NAMESAKES = 2;
const MAX_MODULE_FILES = 6;

export function matchReport(
  { frames, files, modules, title }: ReportEvidence,
  view: TreeView,
  masks: Masks,
): ReportMatch {
  const named = new Map<string, number[]>();
  const stems = new Map<string, number[]>();
  for (const { parts } of [...frames, ...files]) named.set(parts.at(-1) ?? '', []);
  for (const part of modules.flat()) stems.set(part, []);
  if (named.size > 0 || stems.size > 0)
    view.files.forEach(({ path }, file) => {
      if (masks.files && masks.files[file] === 0) return;
      const name = nameOf(path);
      named.get(name)?.push(file);
      stems.get(moduleName(path, name))?.push(file);
    });
  return {
    frames: pointed(frames, named, view, OUTER_FRAME_DECAY),
    files: pointed(files, named, view, 1),
    modules: matchModules(modules, stems, view),
    titles: titlesInPaths(title, view, masks),
  };
}

function titlesInPaths(title: ReadonlySet<string>, view: TreeView, masks: Masks): Map<number, number> {
  const { pathTerms, counts } = treeStats(view);
  const found = new Map<number, number>();
  let all = 0;
  for (const term of title) {
    const files = pathTerms.get(term);
    const rarity = idfOf(counts.files, files?.length ?? 0);
    all += rarity;
    for (const file of files ?? []) if (masks.files?.[file] !== 0) found.set(file, (found.get(file) ?? 0) + rarity);
  }
  for (const [file, sum] of found) found.set(file, sum / all);
  return found;
}

/** A package's entry goes by its folder. */
function moduleName(path: string, name: string): string {
  const stem = name.replace(/\.[^.]+$/, '');
  return /^(?:__init__|index|mod)$/.test(stem) ? (path.split('/').at(-2) ?? stem) : stem;
}

function pointed(
  wanted: readonly NamedFile[],
  named: ReadonlyMap<string, readonly number[]>,
  view: TreeView,
  decay: number,
): Map<number, PointedAt[]> {
  const found = new Map<number, PointedAt[]>();
  let strength = 1;
  for (const { parts, firstLine, lastLine, inside } of wanted) {
    const alike = longestEnding(parts, named.get(parts.at(-1) ?? '') ?? [], view);
    if (alike.files.length === 0) continue;
    const share = (alike.shared > 1 ? 1 : BARE_NAME_SHARE) / alike.files.length;
    for (const file of alike.files) {
      const list = found.get(file) ?? [];
      list.push({ strength: strength * share, firstLine, lastLine, inside });
      found.set(file, list);
    }
    strength *= decay;
  }
  return found;
}

/** The files that share the longest ending with a path; its folder, too, where it has one. */
function longestEnding(
  parts: readonly string[],
  files: readonly number[],
  view: TreeView,
): { readonly files: readonly number[]; readonly shared: number } {
  let best: number[] = [];
  let most = parts.length > 1 ? 2 : 1;
  for (const file of files) {
    const own = view.files[file]!.path.split('/');
    let shared = 1;
    while (shared < own.length && shared < parts.length && own.at(-1 - shared) === parts.at(-1 - shared)) shared++;
    if (shared > most) [best, most] = [[file], shared];
    else if (shared === most) best.push(file);
  }
  return { files: best.length > MAX_NAMESAKES ? [] : best, shared: most };
}

/** `jax.experimental.pallas.call` is jax/experimental/pallas.py, or its folder's entry. */
function matchModules(
  modules: readonly (readonly string[])[],
  stems: ReadonlyMap<string, readonly number[]>,
  view: TreeView,
): Map<number, number> {
  const found = new Map<number, number>();
  for (const parts of modules) {
    for (let end = parts.length - 1; end >= 1; end--) {
      const alike = (stems.get(parts[end]!) ?? []).filter((file) => endsWithModule(view.files[file]!.path, parts, end));
      if (alike.length === 0 || alike.length > MAX_MODULE_FILES) continue;
      for (const file of alike) found.set(file, Math.max(found.get(file) ?? 0, 1 / alike.length));
      break;
    }
  }
  return found;
}

function endsWithModule(path: string, parts: readonly string[], end: number): boolean {
  const own = path
    .replace(/\.[^./]+$/, '')
    .replace(/\/(?:__init__|index|mod)$/, '')
    .split('/');
  return own.at(-2) === parts[end - 1] || (own.length === 1 && end === 0);
}
