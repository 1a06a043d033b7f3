/**
 * What a person reads of several repositories as one: the joined tree for files, identifiers, calls and the map; git
 * history and state from each repository, with its name before every path.
 */
import type { LineHistory, LineHistoryRequest, RepositoryActivity } from '../../model/records/browse.ts';
import { TreeBrowsing } from '../browse/tree-browsing.ts';
import type { Engine, ProjectStatus, WorkspaceMember } from '../engine.ts';
import type { JoinedProject, JoinedProjects } from './joined-project.ts';
import { joinStatuses } from './joined-status.ts';

const MAX_CHANGED = 1_000;

export type BrowsedAlone = Pick<Engine, 'status' | 'lineHistory' | 'activity' | 'memoryNotices'>;

export class WorkspaceBrowsing extends TreeBrowsing<JoinedProject> {
  readonly #projects: JoinedProjects;
  readonly #alone: BrowsedAlone;

  constructor(projects: JoinedProjects, alone: BrowsedAlone) {
    super(projects);
    this.#projects = projects;
    this.#alone = alone;
  }

  async status(scope: string): Promise<ProjectStatus> {
    return joinStatuses(scope, await this.#each(scope, ({ root }) => this.#alone.status(root)));
  }

  async lineHistory(scope: string, request: LineHistoryRequest): Promise<LineHistory> {
    const { root, path } = this.#projects.fileIn(scope, request.file);
    return this.#alone.lineHistory(root, { ...request, file: path });
  }

  async memoryNotices(scope: string): Promise<readonly string[]> {
    const each = await this.#each(scope, ({ root }) => this.#alone.memoryNotices(root));
    return each.flatMap(({ member, value }) => value.map((notice) => `${member.name}: ${notice}`));
  }

  async activity(scope: string): Promise<RepositoryActivity> {
    const each = await this.#each(scope, ({ root }) => this.#alone.activity(root));
    const days = new Map<number, { startMs: number; commits: number; added: number; removed: number }>();
    for (const day of each.flatMap(({ value }) => value.days)) {
      const sum = days.get(day.startMs) ?? { startMs: day.startMs, commits: 0, added: 0, removed: 0 };
      sum.commits += day.commits;
      sum.added += day.added;
      sum.removed += day.removed;
      days.set(day.startMs, sum);
    }
    const changed = <T extends { readonly commits: number }>(of: (one: (typeof each)[number]) => readonly T[]) =>
      each
        .flatMap(of)
        .sort((a, b) => b.commits - a.commits)
        .slice(0, MAX_CHANGED);
    return {
      days: [...days.values()].sort((a, b) => a.startMs - b.startMs),
      commits: each.reduce((sum, { value }) => sum + value.commits, 0),
      changedFiles: changed(({ member, value }) =>
        value.changedFiles.map((file) => ({ ...file, path: `${member.name}/${file.path}` })),
      ),
      changedModules: changed(({ member, value }) =>
        value.changedModules.map((module) => ({ ...module, name: `${member.name}/${module.name}` })),
      ),
      partial: each.some(({ value }) => value.partial),
    };
  }

  #each<T>(scope: string, ask: (member: WorkspaceMember) => Promise<T>) {
    return Promise.all(this.#projects.members(scope).map(async (member) => ({ member, value: await ask(member) })));
  }
}
