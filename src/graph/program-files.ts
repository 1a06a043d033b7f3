/** Tells the program's own files from third-party, generated, example and test files. */
import { FileFlag } from '../model/records/source-file.ts';
import type { TreeView } from '../store/store.ts';

type Placed = Pick<TreeView['files'][number], 'path' | 'flags'>;

/** Top-level folders of third-party code that indexing does not mark as vendored: `deps/jemalloc` in redis. */
const DEPENDENCIES = /^(?:deps|external|externals|extern)\//;
const THIRD_PARTY_OR_GENERATED = FileFlag.Generated | FileFlag.Vendored;
const TEST_OR_EXAMPLE = FileFlag.Test | FileFlag.Example;

export function isThirdPartyOrGenerated({ path, flags }: Placed): boolean {
  return (flags & THIRD_PARTY_OR_GENERATED) !== 0 || DEPENDENCIES.test(path);
}

/** Written for this program, and neither a test nor an example. */
export function isOwnProgram(file: Placed): boolean {
  return (file.flags & TEST_OR_EXAMPLE) === 0 && !isThirdPartyOrGenerated(file);
}
