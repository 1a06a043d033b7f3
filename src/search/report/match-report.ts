/** Finds the files that a pasted issue points at, by path, module and title, and how strongly. */
import { idfOf } from '../../model/text/bm25.ts';
import { nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import { sharedSuffix } from '../query/path-mentions.ts';
import type { Masks } from '../query/search-filter.ts';
import { treeStats } from '../scoring/tree-stats.ts';
import type { NamedFile, ReportEvidence } from './report-evidence.ts';

/** A file that the issue names, with its lines and function. */
export interface PointedAt {
  /** 0..1: 1 for the innermost frame of a trace, less for each outer one. */
  readonly strength: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly inside: string;
}

export interface ReportMatch {
  /** By file: its frames in traces. */
  readonly frames: ReadonlyMap<number, readonly PointedAt[]>;
  /** By file: mentions in links and sentences. */
  readonly files: ReadonlyMap<number, readonly PointedAt[]>;
  /** By file of a named module: 1 divided by the number of files that match the name. */
  readonly modules: ReadonlyMap<number, number>;
  /** By file: the share of the title that its path contains; words that are rare in paths weigh more. */
  readonly titles: ReadonlyMap<number, number>;
}

/** Each outer frame has this share of the strength of the frame inside it. */
const OUTER_FRAME_DECAY = 0.75;
/** Strength of a file name without a folder. */
const BARE_NAME_SHARE = 0.6;
/** A path whose longest suffix more files share identifies none of them. */
const MAX_NAMESAKES = 2;
/** A module name that more files match identifies none of them. */
const MAX_MODULE_FILES = 6;

export function matchReport(
  { frames, files, modules, title }: ReportEvidence,
  view: TreeView,
  masks: Masks,
): ReportMatch {
  const filesByName = new Map<string, number[]>();
  const filesByModule = new Map<string, number[]>();
  for (const { parts } of [...frames, ...files]) filesByName.set(parts.at(-1) ?? '', []);
  for (const part of modules.flat()) filesByModule.set(part, []);
  if (filesByName.size > 0 || filesByModule.size > 0)
    view.files.forEach(({ path }, file) => {
      if (masks.files && masks.files[file] === 0) return;
      const name = nameOf(path);
      filesByName.get(name)?.push(file);
      filesByModule.get(moduleName(path, name))?.push(file);
    });
  return {
    frames: resolvePaths(frames, filesByName, view, OUTER_FRAME_DECAY),
    files: resolvePaths(files, filesByName, view, 1),
    modules: matchModules(modules, filesByModule, view),
    titles: matchTitle(title, view, masks),
  };
}

function matchTitle(title: ReadonlySet<string>, view: TreeView, masks: Masks): Map<number, number> {
  const { pathTerms, counts } = treeStats(view);
  const found = new Map<number, number>();
  let total = 0;
  for (const term of title) {
    const files = pathTerms.get(term);
    const rarity = idfOf(counts.files, files?.length ?? 0);
    total += rarity;
    for (const file of files ?? []) if (masks.files?.[file] !== 0) found.set(file, (found.get(file) ?? 0) + rarity);
  }
  for (const [file, sum] of found) found.set(file, sum / total);
  return found;
}

/** A module's name: the file's stem, or the folder's name for an entry file. */
function moduleName(path: string, name: string): string {
  const stem = name.replace(/\.[^.]+$/, '');
  return /^(?:__init__|index|mod)$/.test(stem) ? (path.split('/').at(-2) ?? stem) : stem;
}

/** Resolves named paths to files; `decay` multiplies the strength from one path to the next. */
function resolvePaths(
  paths: readonly NamedFile[],
  filesByName: ReadonlyMap<string, readonly number[]>,
  view: TreeView,
  decay: number,
): Map<number, PointedAt[]> {
  const found = new Map<number, PointedAt[]>();
  let strength = 1;
  for (const { parts, firstLine, lastLine, inside } of paths) {
    const matching = longestSuffix(parts, filesByName.get(parts.at(-1) ?? '') ?? [], view);
    if (matching.files.length === 0) continue;
    const share = (matching.shared > 1 ? 1 : BARE_NAME_SHARE) / matching.files.length;
    for (const file of matching.files) {
      const list = found.get(file) ?? [];
      list.push({ strength: strength * share, firstLine, lastLine, inside });
      found.set(file, list);
    }
    strength *= decay;
  }
  return found;
}

/** The files that share the longest suffix with a path, including its folder if the path has one. */
function longestSuffix(
  parts: readonly string[],
  files: readonly number[],
  view: TreeView,
): { readonly files: readonly number[]; readonly shared: number } {
  let best: number[] = [];
  let longest = parts.length > 1 ? 2 : 1;
  for (const file of files) {
    const shared = sharedSuffix(view.files[file]!.path.split('/'), parts);
    if (shared > longest) [best, longest] = [[file], shared];
    else if (shared === longest) best.push(file);
  }
  return { files: best.length > MAX_NAMESAKES ? [] : best, shared: longest };
}

/** Resolves module names: `jax.experimental.pallas.call` lies in jax/experimental/pallas.py or its entry file. */
function matchModules(
  modules: readonly (readonly string[])[],
  filesByModule: ReadonlyMap<string, readonly number[]>,
  view: TreeView,
): Map<number, number> {
  const found = new Map<number, number>();
  for (const parts of modules) {
    for (let end = parts.length - 1; end >= 1; end--) {
      const matching = (filesByModule.get(parts[end]!) ?? []).filter((file) =>
        endsWithModule(view.files[file]!.path, parts, end),
      );
      if (matching.length === 0 || matching.length > MAX_MODULE_FILES) continue;
      for (const file of matching) found.set(file, Math.max(found.get(file) ?? 0, 1 / matching.length));
      break;
    }
  }
  return found;
}

function endsWithModule(path: string, parts: readonly string[], end: number): boolean {
  const segments = path
    .replace(/\.[^./]+$/, '')
    .replace(/\/(?:__init__|index|mod)$/, '')
    .split('/');
  return segments.at(-2) === parts[end - 1] || (segments.length === 1 && end === 0);
}
