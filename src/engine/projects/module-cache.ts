/**
 * Caches the modules of a tree in a file beside the store: deriving them reads every manifest, which a short command
 * would otherwise repeat at each start. A file made for other paths or manifests is ignored; a failed write is not an
 * error.
 */
import { readDerived, writeDerived } from '../../memory/notebook/derived-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import { isManifest, type Modules } from '../../walk/index.ts';
import { cachePath } from './cache-path.ts';

interface CachedModules {
  readonly key: string;
  readonly names: readonly string[];
  /** For each file of the tree, the index of its module in `names`. */
  readonly of: readonly number[];
}

/** Also tries the work tree's cache: a branch with the same paths and manifests has the same modules. */
export function loadModules(folder: string, view: TreeView, projectName: string): Modules | null {
  const key = keyOf(view, projectName);
  for (const ref of new Set([view.info.ref, 'live'])) {
    try {
      const cached = JSON.parse(
        String(readDerived(cachePath(folder, 'modules', { root: view.info.root, ref })) ?? '{}'),
      ) as CachedModules;
      if (cached.key === key && cached.of.length === view.files.length) return modulesFrom(cached, view);
    } catch {
      // No cache file, or a damaged one.
    }
  }
  return null;
}

export function saveModules(folder: string, view: TreeView, projectName: string, { moduleOf }: Modules): void {
  const numbers = new Map<string, number>();
  const of = view.files.map(({ path }) => {
    const name = moduleOf(path);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  const cached: CachedModules = { key: keyOf(view, projectName), names: [...numbers.keys()], of };
  writeDerived(cachePath(folder, 'modules', view.info), JSON.stringify(cached));
}

/** A digest of everything that modules are derived from: all paths, and the content of manifests. */
function keyOf(view: TreeView, projectName: string): string {
  let text = `1\n${projectName}\n`;
  for (const { path, blobId } of view.files) text += isManifest(nameOf(path)) ? `${path} ${blobId}\n` : `${path}\n`;
  return digest(Buffer.from(text));
}

function modulesFrom({ names, of }: CachedModules, view: TreeView): Modules {
  let folders: Map<string, string> | null = null;
  const moduleOf = (path: string): string => {
    const index = view.indexOfPath(path);
    if (index >= 0) return names[of[index]!] ?? '';
    folders ??= new Map(view.files.map((file, i) => [folderOf(file.path), names[of[i]!] ?? '']));
    // A path outside of the tree belongs to the module of the files around it.
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const known = folders.get(folder);
      if (known !== undefined || folder === '') return known ?? '';
    }
  };
  return { names: [...names].sort(), moduleOf };
}
