/** Decides which ref a run indexes and which others it updates, and creates its job record. */
import { randomId } from '../../model/runtime/random-id.ts';
import type { JobRecord, TreeInfo } from '../../store/store.ts';
import { branchCommit } from '../../walk/index.ts';
import { type OpenedProject, shortRef } from '../projects/opened-project.ts';
import { bareDefaultBranches, type ResolvedProject } from '../projects/project-registry.ts';
import type { IndexOptions } from './index-records.ts';

export interface RunRefs {
  /** The ref of the run; null for the work tree, which is also known by its checked-out branch. */
  readonly ref: string | null;
  /** This folder's trees in the store. */
  readonly trees: readonly TreeInfo[];
  /** This folder's refs in the store before a forced run opened it. */
  readonly refs: readonly string[];
}

/** The other refs that a run over `tree` updates. */
export function otherRefsToUpdate(
  resolved: ResolvedProject,
  { ref, trees, refs }: RunRefs,
  options: Pick<IndexOptions, 'keepBranch' | 'ref'>,
  tree: TreeInfo,
): ReadonlySet<string> {
  const beside = new Set(ref === null ? branchLeft(resolved, trees, tree) : []);
  // A branch that was requested by name stays indexed after another branch is checked out.
  const branch = resolved.git?.branch;
  const isNamed = options.keepBranch || (options.ref && shortRef(options.ref) === branch);
  if (ref === null && branch && isNamed) beside.add(branch);
  // Restores the refs of an index that was set aside as damaged.
  for (const lost of refs) if (lost !== ref && !trees.some((known) => known.ref === lost)) beside.add(lost);
  return beside;
}

/** This folder's refs in the store; empty if the store cannot be read. */
export function refsIn(opened: OpenedProject): string[] {
  try {
    const { root } = opened.resolved;
    return opened.reader.trees().flatMap((tree) => (tree.root === root && tree.ref !== 'live' ? [tree.ref] : []));
  } catch {
    return [];
  }
}

export function newJob({ root, git }: ResolvedProject, ref: string | null, mode: JobRecord['mode']): JobRecord {
  return {
    jobId: randomId(8),
    root,
    // The work tree is recorded under its current branch, even if another one is checked out later.
    ref: ref ?? git?.branch ?? 'live',
    mode,
    status: 'running',
    changedFiles: null,
    durationMs: null,
    createdAtMs: Date.now(),
    error: null,
    pid: process.pid,
    done: 0,
    total: 0,
  };
}

/** The ref that a request indexes; null for the work tree. */
export function treeRef(resolved: ResolvedProject, requested: string | undefined): string | null {
  const { git } = resolved;
  const ref = requested && shortRef(requested);
  const isBranch = ref !== undefined && ref === git?.branch && git.workTree !== null;
  if (ref === undefined || ref === 'live' || ref === 'HEAD') return bareDefaultBranches(resolved)[0] ?? null;
  return isBranch ? null : ref;
}

/**
 * The branch that was checked out before, if it was indexed by name: the live tree answered for it until now, so its
 * own tree must be updated.
 */
function branchLeft({ git }: ResolvedProject, before: readonly TreeInfo[], { branch: now }: TreeInfo): string[] {
  const left = before.find(({ ref }) => ref === 'live')?.branch ?? null;
  const named = before.find(({ ref }) => ref === left);
  return git && named && left !== now && branchCommit(git, named.ref) !== named.commit ? [named.ref] : [];
}
