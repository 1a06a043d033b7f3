/** Answers for the page, from a repository's index, git history and memory. */
import type { LineCommit, LineHistory, LineHistoryRequest, RepositoryActivity } from '../../model/records/browse.ts';
import type { Discovery } from '../../model/records/discovery.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { blameLines, readCommitActivity, safeJoin } from '../../walk/index.ts';
import type { Memories } from '../memory/memory-calls.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { checkFields, checkText } from '../questions/check-request.ts';
import { TreeBrowsing } from './tree-browsing.ts';

/** Time limit for reading git history. */
const HISTORY_MS = 5_000;
const MAX_CHANGED_FILES = 5_000;

export interface BrowsingParts {
  readonly projects: OpenProjects;
  readonly memories: () => Promise<Memories>;
}

export class Browsing extends TreeBrowsing<OpenedProject> {
  readonly #projects: OpenProjects;
  readonly #memories: () => Promise<Memories>;
  readonly #activities = new Map<string, Promise<RepositoryActivity>>();

  constructor({ projects, memories }: BrowsingParts) {
    super(projects);
    this.#projects = projects;
    this.#memories = memories;
  }

  async lineHistory(path: string, request: LineHistoryRequest): Promise<LineHistory> {
    checkFields(request, 'request');
    const { file, startLine, endLine, signal } = request;
    checkText(file, 'path');
    if (!(Number.isInteger(startLine) && Number.isInteger(endLine) && startLine >= 1 && endLine >= startLine))
      throw new EngineError('invalid_input', { reason: 'The lines must be a range such as 10 to 20.' });
    const opened = await this.#projects.around(path);
    const { root, git } = opened.resolved;
    // Throws for paths outside of the project and for secrets.
    safeJoin(root, file);
    const commits = git ? await blameLines(root, file, [startLine, endLine], signal) : [];
    const known = await (await this.#memories()).list(opened, {});
    return { commits, discoveries: known.filter((discovery) => isEvidence(discovery, request, commits)) };
  }

  async activity(path: string): Promise<RepositoryActivity> {
    const opened = await this.#projects.around(path);
    const { root, git } = opened.resolved;
    if (!git?.head) return { days: [], commits: 0, changedFiles: [], changedModules: [], partial: false };
    const key = `${root}\n${git.head}`;
    let activity = this.#activities.get(key);
    if (!activity) {
      const view = hasTree(opened) ? opened.view() : null;
      const modules = view && (await this.#projects.modulesOf(opened, view));
      // Only indexed files have a module; deleted files count for none.
      const moduleOf = (file: string) => (view && view.indexOfPath(file) >= 0 ? (modules?.moduleOf(file) ?? '') : '');
      activity = readActivity(root, moduleOf);
      this.#activities.clear();
      this.#activities.set(key, activity);
    }
    return activity;
  }
}

function isEvidence(
  { evidence }: Discovery,
  { file, startLine, endLine }: LineHistoryRequest,
  commits: readonly LineCommit[],
): boolean {
  return evidence.some(({ path, startLine: first, endLine: last, commit }) => {
    if (commit && commits.some(({ id }) => id?.startsWith(commit))) return true;
    if (path !== file) return false;
    return first === undefined || (first <= endLine && (last ?? first) >= startLine);
  });
}

async function readActivity(root: string, moduleOf: (path: string) => string): Promise<RepositoryActivity> {
  const { days, commits, byFile, partial } = await readCommitActivity(root, HISTORY_MS);
  const byModule = new Map<string, number>();
  for (const [path, count] of byFile) {
    const name = moduleOf(path);
    if (name !== '') byModule.set(name, (byModule.get(name) ?? 0) + count);
  }
  const changedFiles = sortByCount(byFile).map(([path, count]) => ({ path, commits: count }));
  const changedModules = sortByCount(byModule).map(([name, count]) => ({ name, commits: count }));
  return { days, commits, changedFiles: changedFiles.slice(0, MAX_CHANGED_FILES), changedModules, partial };
}

function sortByCount(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
