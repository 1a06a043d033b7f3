/** Whether the repositories of a workspace are up to date: stale where any is, with the paths of all. */
import type { Freshness } from '../../model/records/query.ts';
import type { FreshnessOf, IndexFreshness } from '../freshness/index-freshness.ts';
import type { JoinedProject } from './joined-project.ts';

export class JoinedFreshness implements FreshnessOf<JoinedProject> {
  readonly #indexFreshness: IndexFreshness;

  constructor(indexFreshness: IndexFreshness) {
    this.#indexFreshness = indexFreshness;
  }

  async of({ resolved, members, missing }: JoinedProject): Promise<Freshness> {
    const each = await Promise.all(
      members.map(async ({ name, opened, view }) => ({ name, ...(await this.#indexFreshness.of(opened, view)) })),
    );
    const isAny = (status: Freshness['status']) => each.some((one) => one.status === status);
    const failed = each.filter(({ failure }) => failure !== undefined);
    const outdated = each.filter(({ outdated: isOld }) => isOld);
    return {
      status: isAny('stale') ? 'stale' : isAny('syncing') ? 'syncing' : 'fresh',
      pending: each.flatMap(({ name, pending }) => pending.map((path) => `${name}/${path}`)),
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

  async lookAhead(): Promise<void> {}
}
