/** Files that a question names by their path: whoever writes `auth/jwt.rs` means that file, whatever its words say. */
import type { TreeView } from '../store/store.ts';
import type { Masks } from './filter.ts';
import { depthOf } from './tree-stats.ts';
import type { Understood } from './understand.ts';

/** In the order in which they are meant: the very path before one that ends so, as it is written before another case; then the less deep. */
export function askedFiles({ intent, text }: Understood, view: TreeView, masks: Masks): number[] {
  if (intent !== 'path') return [];
  const asked = text.split(/\s+/).map(barePath).filter(looksLikePath);
  const found: { readonly file: number; readonly rank: number }[] = [];
  view.files.forEach(({ path }, file) => {
    if (masks.files && !masks.files[file]) return;
    const rank = Math.min(...asked.map((part) => rankOf(path, part)));
    if (rank < UNLIKE) found.push({ file, rank });
  });
  const path = ({ file }: { readonly file: number }) => view.files[file]!.path;
  // Files are in the order of their paths.
  return found
    .sort((a, b) => a.rank - b.rank || depthOf(path(a)) - depthOf(path(b)) || a.file - b.file)
    .map(({ file }) => file);
}

/** As a file is called: without the line that stands behind it, or what says that it begins here. */
function barePath(word: string): string {
  return word.replace(/(?::\d+)+$|#L\d+(?:-L?\d+)?$/, '').replace(/^\.{0,2}\/+/, '');
}

function looksLikePath(word: string): boolean {
  return /[./]/.test(word);
}

const UNLIKE = 4;

function rankOf(path: string, asked: string): number {
  if (path === asked) return 0;
  if (path.endsWith(`/${asked}`)) return 1;
  const [lower, wanted] = [path.toLowerCase(), asked.toLowerCase()];
  return lower === wanted ? 2 : lower.endsWith(`/${wanted}`) ? 3 : UNLIKE;
}
