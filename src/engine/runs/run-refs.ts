/** Which ref a run is about, which others it brings up to date, and the record it begins with. */
import { randomId } from '../../model/runtime/random-id.ts';
import type { JobRecord, TreeInfo } from '../../store/store.ts';
import { branchCommit } from '../../walk/index.ts';
import { type OpenedProject, shortRef } from '../projects/opened-project.ts';
import { type ResolvedProject, standingBranches } from '../projects/project-registry.ts';
import type { IndexOptions } from './index-records.ts';

export interface RunRefs {
  /** The ref of the run; null for the work tree, which also goes by the branch that is checked out. */
  readonly ref: string | null;
  /** Trees of this folder that the store holds. */
  readonly trees: readonly TreeInfo[];
  /** Refs in the store before a forced run opened it. */
  readonly refs: readonly string[];
}

/** Refs that the run over `tree` brings up to date besides. */
export function refsBeside(
  resolved: ResolvedProject,
  { ref, trees, refs }: RunRefs,
  options: Pick<IndexOptions, 'keepBranch' | 'ref'>,
  tree: TreeInfo,
): ReadonlySet<string> {
  const beside = new Set(ref === null ? leftBehind(resolved, trees, tree) : []);
  // A branch that was requested by its name stays indexed when another branch is checked out.
  const branch = resolved.git?.branch;
  const isNamed = options.keepBranch || (options.ref && shortRef(options.ref) === branch);
  if (ref === null && branch && isNamed) beside.add(branch);
  // An index that was set aside as damaged held these, too.
  for (const lost of refs) if (lost !== ref && !trees.some((known) => known.ref === lost)) beside.add(lost);
  return beside;
}

/** Refs of this folder that the store holds, as far as it can be read. */
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
    // The work tree goes by the branch that it is on now, whatever it will be on later.
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

/** Null for the files as they are. */
export function treeRef(resolved: ResolvedProject, requested: string | undefined): string | null {
  const { git } = resolved;
  const ref = requested && shortRef(requested);
  const isBranch = ref !== undefined && ref === git?.branch && git.workTree !== null;
  if (ref === undefined || ref === 'live' || ref === 'HEAD') return standingBranches(resolved)[0] ?? null;
  return isBranch ? null : ref;
}

/**
 * The branch that was checked out before, if it was indexed by name: the live tree answered for it until now, so its
 * own tree is updated.
 */
function leftBehind({ git }: ResolvedProject, before: readonly TreeInfo[], { branch: now }: TreeInfo): string[] {
  const left = before.find(({ ref }) => ref === 'live')?.branch ?? null;
  const named = before.find(({ ref }) => ref === left);
  return git && named && left !== now && branchCommit(git, named.ref) !== named.commit ? [named.ref] : [];
}
