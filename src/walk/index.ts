/**
 * Which files are there? This room lists the files of a project or of a ref, gives a reason for each file that it
 * skips, and flags tests, vendored code, generated code, examples and secrets by their paths. It owns the calls to git
 * and every ignore, glob and path rule.
 *
 * It knows nothing of parsing or of the index, and writes nothing. Invariants:
 *  - nothing outside the root is listed or opened, through links or otherwise;
 *  - secrets are not opened;
 *  - a blob id in a listing is that of the bytes on disk (but for `trustIds`);
 *  - the order is the same on every run;
 *  - each file is listed once, under its real path;
 *  - a file that is not listed has an entry in `skipped`, unless an ignore file of the repository names it.
 */

export type { FolderFingerprint } from './folder-fingerprint.ts';
export { userIgnoreFile } from './folder-listing.ts';
export { blobId, ID_DIGITS } from './git/blob-id.ts';
export { listRef, readBlobs, resolveRef } from './git/git-refs.ts';
export {
  branchCommit,
  defaultBranch,
  gitRestriction,
  isGitBusy,
  plainBranchCommit,
  readGitState,
} from './git/git-state.ts';
export { readCommitActivity } from './git/history/git-activity.ts';
export { blameLines } from './git/history/git-blame.ts';
export { readChangedPaths } from './git/history/git-changed-paths.ts';
export { listUntracked, newFile, readDiff } from './git/history/git-diff.ts';
export { type Commit, readHistory } from './git/history/git-log.ts';
export { gitVersion } from './git/process/git-process.ts';
export { fetchMirror, type Remote, remoteHead } from './git/remote/git-mirror.ts';
export { type RefWalk, walkRef } from './git/walk-ref.ts';
export { findIgnored } from './ignored-paths.ts';
export { readFolderFingerprint, walk } from './list-project.ts';
export { lstatQuietly } from './lstat-quietly.ts';
export { deriveModules, liesInModule, type Modules, matchesModule } from './modules/find-modules.ts';
export { isManifest, projectManifest } from './modules/manifests.ts';
export { ripgrepProgram } from './programs.ts';
export { compileGlobs, type PathMatcher } from './rules/globs.ts';
export { decodeUtf16, inspectContent } from './rules/inspect-content.ts';
export { pathFlags } from './rules/path-flags.ts';
export { safeJoin } from './rules/safe-join.ts';
export { foldName, isSecretPath } from './rules/secrets.ts';
export type { EarlierWalk, GitListingOutput, WalkOptions } from './walk-project.ts';
