/** The packages of a monorepo: folders with a manifest of their own. */
import { dirname } from 'node:path/posix';
import { FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { isManifest, pathFlags } from '../../walk/index.ts';

const OTHERS = FileFlag.Test | FileFlag.Vendored | FileFlag.Example | FileFlag.Generated;

/** In order. A package inside of another one belongs to it; the root, and what is there for tests, is no package. */
export function packageFolders(paths: readonly string[]): readonly string[] {
  const manifests = paths.filter((path) => isManifest(nameOf(path)) && (pathFlags(path) & OTHERS) === 0);
  const folders = [...new Set(manifests.map((path) => dirname(path)))].filter((folder) => folder !== '.').sort();
  const outer: string[] = [];
  for (const folder of folders) if (!outer.some((each) => folder.startsWith(`${each}/`))) outer.push(folder);
  return outer;
}
