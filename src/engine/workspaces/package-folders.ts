/** Finds the packages of a monorepo: folders with a manifest of their own. */
import { dirname } from 'node:path/posix';
import { FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { isManifest, pathFlags } from '../../walk/index.ts';

const NOT_PRODUCT = FileFlag.Test | FileFlag.Vendored | FileFlag.Example | FileFlag.Generated;

/**
 * Sorted package folders. A package inside another one belongs to that one; the root, and folders for tests or
 * examples, are no packages.
 */
export function packageFolders(paths: readonly string[]): readonly string[] {
  const manifests = paths.filter((path) => isManifest(nameOf(path)) && (pathFlags(path) & NOT_PRODUCT) === 0);
  const folders = [...new Set(manifests.map((path) => dirname(path)))].filter((folder) => folder !== '.').sort();
  const outer: string[] = [];
  for (const folder of folders) if (!outer.some((each) => folder.startsWith(`${each}/`))) outer.push(folder);
  return outer;
}
