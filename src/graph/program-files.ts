/** Separates the program's own files from vendored, generated, example and test files. */
import { FileFlag } from '../model/records/source-file.ts';
import type { TreeView } from '../store/store.ts';

type Placed = Pick<TreeView['files'][number], 'path' | 'flags'>;

/** Folders at the top that hold other people's code and are indexed all the same: `deps/jemalloc` in redis. */
const DEPENDENCIES = /^(?:deps|external|externals|extern)\//;
const THIRD_PARTY_OR_GENERATED = FileFlag.Generated | FileFlag.Vendored;
const TEST_OR_EXAMPLE = FileFlag.Test | FileFlag.Example;

/** Made by a tool, or other people's code. */
export function isThirdPartyOrGenerated({ path, flags }: Placed): boolean {
  return (flags & THIRD_PARTY_OR_GENERATED) !== 0 || DEPENDENCIES.test(path);
}

/** Written for this program, and neither test nor example. */
export function isOwnProgram(file: Placed): boolean {
  return (file.flags & TEST_OR_EXAMPLE) === 0 && !isThirdPartyOrGenerated(file);
}
