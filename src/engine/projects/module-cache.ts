/**
 * The modules of a tree, cached in a file beside the store: deriving them reads every manifest, which a short command
 * would pay for at each start. A file made for other paths or manifests is ignored, and a failed write is not an error.
 */
import { readDerived, writeDerived } from '../../memory/notebook/derived-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import { isManifest, type Modules } from '../../walk/index.ts';
import { besideStore } from './cache-path.ts';

interface KeptModules {
  readonly key: string;
  readonly names: readonly string[];
  /** Number of its name, for each file of the tree. */
  readonly of: readonly number[];
}

/** A branch that differs in no path and no manifest has the modules of the work tree. */
export function loadModules(folder: string, view: TreeView, projectName: string): Modules | null {
  const key = keyOf(view, projectName);
  for (const ref of new Set([view.info.ref, 'live'])) {
    try {
      const kept = JSON.parse(
        String(readDerived(besideStore(folder, 'modules', { root: view.info.root, ref })) ?? '{}'),
      ) as KeptModules;
      if (kept.key === key && kept.of.length === view.files.length) return modulesFrom(kept, view);
    } catch {
      // None, or a broken one.
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
  const kept: KeptModules = { key: keyOf(view, projectName), names: [...numbers.keys()], of };
  writeDerived(besideStore(folder, 'modules', view.info), JSON.stringify(kept));
}

/** Everything that modules are derived from: the paths, and what the manifests say. */
function keyOf(view: TreeView, projectName: string): string {
  let text = `1\n${projectName}\n`;
  for (const { path, blobId } of view.files) text += isManifest(nameOf(path)) ? `${path} ${blobId}\n` : `${path}\n`;
  return digest(Buffer.from(text));
}

function modulesFrom({ names, of }: KeptModules, view: TreeView): Modules {
  let folders: Map<string, string> | null = null;
  const moduleOf = (path: string): string => {
    const index = view.indexOfPath(path);
    if (index >= 0) return names[of[index]!] ?? '';
    folders ??= new Map(view.files.map((file, i) => [folderOf(file.path), names[of[i]!] ?? '']));
    // Not in the tree: it belongs where the files around it do.
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const known = folders.get(folder);
      if (known !== undefined || folder === '') return known ?? '';
    }
  };
  return { names: [...names].sort(), moduleOf };
}
