/**
 * Which files are there? This room lists a project (or a ref of it), says why anything is left out, and knows what a
 * path alone tells: tests, vendored code, generated code, examples, secrets. It owns the calls to git and every ignore,
 * glob and path rule.
 *
 * It does not know languages, parsing or the index, and it never writes. Invariants: nothing outside the root is listed
 * or opened, through links or otherwise; secrets are not opened; a blob id that is given is that of the bytes on disk;
 * the order is the same on every run; each file is listed once, under its real path; what is not listed has an entry in
 * `skipped` unless an ignore file of the repository names it.
 */

export type { FolderPrint } from './folder-fingerprint.ts';
export { userIgnoreFile } from './folder-listing.ts';
export { blobId, ID_DIGITS } from './git/blob-id.ts';
export { fetchMirror, type Remote, type RemoteHead, remoteHead } from './git/git-mirror.ts';
export { gitVersion } from './git/git-process.ts';
export { listRef, readBlobs, resolveRef } from './git/git-refs.ts';
export {
  branchCommit,
  defaultBranch,
  gitRestriction,
  isGitBusy,
  plainBranchCommit,
  readGitState,
} from './git/git-state.ts';
export { blameLines, readChanges } from './git/history/git-blame.ts';
export { readChangedPaths } from './git/history/git-changed-paths.ts';
export { listUntracked, newFile, readDiff } from './git/history/git-diff.ts';
export { type Commit, readHistory } from './git/history/git-log.ts';
export { type RefWalk, walkRef } from './git/walk-ref.ts';
export { findIgnored, type IgnoredPaths } from './ignored-paths.ts';
export { lookAt, walk } from './list-project.ts';
export { lstatQuietly } from './lstat-quietly.ts';
export { deriveModules, liesInModule, type Modules, matchesModule } from './modules/find-modules.ts';
export { isManifest, projectManifest } from './modules/manifests.ts';
export { ripgrepProgram } from './programs.ts';
export { compileGlobs, type PathMatcher } from './rules/globs.ts';
export { createIgnoreRules } from './rules/ignore-rules.ts';
export { decodeUtf16, inspectContent } from './rules/inspect-content.ts';
export { pathFlags } from './rules/path-flags.ts';
export { safeJoin } from './rules/safe-join.ts';
export { foldName, isSecretPath } from './rules/secrets.ts';
export type { EarlierWalk, GitWords, WalkOptions } from './walk-project.ts';
