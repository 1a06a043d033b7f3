/** Separates the program's own files from vendored, generated, example and test files. */
import { FileFlag } from '../model/records/source-file.ts';
import type { TreeView } from '../store/store.ts';

type Placed = Pick<TreeView['files'][number], 'path' | 'flags'>;

/** Folders at the top that hold other people's code and are indexed all the same: `deps/jemalloc` in redis. */
const DEPENDENCIES = /^(?:deps|external|externals|extern)\//;
const BROUGHT = FileFlag.Generated | FileFlag.Vendored;
const BESIDE = FileFlag.Test | FileFlag.Example;

/** Made by a tool, or other people's code. */
export function isBroughtAlong({ path, flags }: Placed): boolean {
  return (flags & BROUGHT) !== 0 || DEPENDENCIES.test(path);
}

/** Written for this program, and neither test nor example. */
export function isOwnProgram(file: Placed): boolean {
  return (file.flags & BESIDE) === 0 && !isBroughtAlong(file);
}
