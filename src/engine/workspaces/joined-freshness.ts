/** The freshness of a workspace: stale if any repository is, with the pending paths of all. */
import type { Freshness } from '../../model/records/query.ts';
import type { FreshnessOf, IndexFreshness } from '../freshness/index-freshness.ts';
import type { JoinedProject, OpenMember } from './joined-project.ts';
import { scopedPaths } from './member-at.ts';

export class JoinedFreshness implements FreshnessOf<JoinedProject> {
  readonly #indexFreshness: IndexFreshness;

  constructor(indexFreshness: IndexFreshness) {
    this.#indexFreshness = indexFreshness;
  }

  async of({ resolved, members, missing }: JoinedProject): Promise<Freshness> {
    const each = await Promise.all(
      members.map(async (member) => ({
        name: member.name,
        ...within(member, await this.#indexFreshness.of(member.opened, member.whole)),
      })),
    );
    const isAny = (status: Freshness['status']) => each.some((one) => one.status === status);
    const failed = each.filter(({ failure }) => failure !== undefined);
    const outdated = each.filter(({ outdated: isOld }) => isOld);
    return {
      status: isAny('stale') ? 'stale' : isAny('syncing') ? 'syncing' : 'fresh',
      pending: each.flatMap(({ pending }) => pending),
      ...(outdated.length > 0 && each.every(({ pending }) => pending.length === 0) ? { outdated: true as const } : {}),
      ...(failed.length > 0 ? { failure: failed.map(({ name, failure }) => `${name}: ${failure}`).join(' ') } : {}),
      ref: resolved.root,
      indexedAtMs: Math.min(...each.map(({ indexedAtMs }) => indexedAtMs)),
      ...(missing.length > 0 ? { missing } : {}),
    };
  }

  async wait({ members }: JoinedProject, wantedMs: number): Promise<void> {
    await Promise.all(members.map(({ opened }) => this.#indexFreshness.wait(opened, wantedMs)));
  }

  async startCheck(): Promise<void> {}
}

/** The freshness of a member: a change elsewhere in its project does not make a package stale. */
function within(member: OpenMember, freshness: Freshness): Freshness {
  const pending = scopedPaths(member, freshness.pending);
  const isElsewhere = pending.length === 0 && freshness.pending.length > 0 && freshness.failure === undefined;
  return { ...freshness, pending, ...(isElsewhere && freshness.status === 'stale' && { status: 'fresh' as const }) };
}
