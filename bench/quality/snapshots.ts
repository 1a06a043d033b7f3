/**
 * Clones of bare snapshots (MIRROR/OWNER+NAME/repo), by hard links where the disk is the same: nothing is checked out,
 * any commit can be indexed as a ref.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The git folder of a snapshot; null where the mirror has none. */
export function snapshotOf(mirror: string, repository: string): string | null {
  const folder = join(mirror, repository.replace('/', '+'), 'repo');
  for (const git of [join(folder, '.git'), folder]) if (existsSync(join(git, 'HEAD'))) return git;
  return null;
}

export function localClone(mirror: string, repository: string, into: string): string | null {
  const snapshot = snapshotOf(mirror, repository);
  if (!snapshot) return null;
  const clone = join(into, repository.replace('/', '+'));
  if (!existsSync(clone))
    execFileSync('git', ['clone', '--quiet', '--local', '--no-checkout', snapshot, clone], { stdio: 'pipe' });
  return clone;
}

export function hasCommit(clone: string, commit: string): boolean {
  try {
    execFileSync('git', ['-C', clone, 'cat-file', '-e', `${commit}^{tree}`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
