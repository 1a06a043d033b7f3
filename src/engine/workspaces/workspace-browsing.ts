/**
 * Answers for the page about several repositories: files, identifiers, calls and the map come from the joined tree;
 * history and state come from each repository, with its name before every path.
 */
import type { LineHistory, LineHistoryRequest, RepositoryActivity } from '../../model/records/browse.ts';
import { TreeBrowsing } from '../browse/tree-browsing.ts';
import type { Engine, ProjectStatus, WorkspaceMember } from '../engine.ts';
import type { JoinedProject, JoinedProjects } from './joined-project.ts';
import { joinStatuses } from './joined-status.ts';
import { scopedItems } from './member-at.ts';

const MAX_CHANGED_ENTRIES = 1_000;

export type LocalBrowsing = Pick<Engine, 'status' | 'lineHistory' | 'activity' | 'memoryNotices'>;

export class WorkspaceBrowsing extends TreeBrowsing<JoinedProject> {
  readonly #projects: JoinedProjects;
  readonly #localEngine: LocalBrowsing;

  constructor(projects: JoinedProjects, alone: LocalBrowsing) {
    super(projects);
    this.#projects = projects;
    this.#localEngine = alone;
  }

  async status(scope: string): Promise<ProjectStatus> {
    return joinStatuses(scope, await this.#each(scope, ({ root }) => this.#localEngine.status(root)));
  }

  async lineHistory(scope: string, request: LineHistoryRequest): Promise<LineHistory> {
    const { place, path } = await this.#projects.fileIn(scope, request.file);
    return this.#localEngine.lineHistory(place.root, { ...request, file: path });
  }

  async memoryNotices(scope: string): Promise<readonly string[]> {
    const each = await this.#each(scope, ({ root }) => this.#localEngine.memoryNotices(root));
    return each.flatMap(({ member, value }) => value.map((notice) => `${member.name}: ${notice}`));
  }

  async activity(scope: string): Promise<RepositoryActivity> {
    const all = await this.#each(scope, async (member) => ({
      place: await this.#projects.placeOf(member),
      ...(await this.#localEngine.activity(member.root)),
    }));
    // Packages of one project share its commits, which are counted once.
    const each = all.filter(({ value }, i) => all.findIndex((one) => one.value.place.root === value.place.root) === i);
    const days = new Map<number, { startMs: number; commits: number; added: number; removed: number }>();
    for (const day of each.flatMap(({ value }) => value.days)) {
      const sum = days.get(day.startMs) ?? { startMs: day.startMs, commits: 0, added: 0, removed: 0 };
      sum.commits += day.commits;
      sum.added += day.added;
      sum.removed += day.removed;
      days.set(day.startMs, sum);
    }
    const changed = <T extends { readonly commits: number }>(of: (one: (typeof all)[number]) => readonly T[]) =>
      all
        .flatMap(of)
        .sort((a, b) => b.commits - a.commits)
        .slice(0, MAX_CHANGED_ENTRIES);
    return {
      days: [...days.values()].sort((a, b) => a.startMs - b.startMs),
      commits: each.reduce((sum, { value }) => sum + value.commits, 0),
      changedFiles: changed(({ value }) => scopedItems(value.place, value.changedFiles)),
      changedModules: changed(({ member, value }) =>
        each.some((one) => one.member === member)
          ? value.changedModules.map((module) => ({ ...module, name: `${member.name}/${module.name}` }))
          : [],
      ),
      partial: each.some(({ value }) => value.partial),
    };
  }

  #each<T>(scope: string, ask: (member: WorkspaceMember) => Promise<T>) {
    return Promise.all(this.#projects.members(scope).map(async (member) => ({ member, value: await ask(member) })));
  }
}
