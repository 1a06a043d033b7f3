/**
 * The repositories of a scope, open and joined to one tree that questions are put to. Repositories without an index are
 * named, not searched.
 */
import type { SymbolGraph } from '../../graph/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { MissingRepository } from '../../model/records/query.ts';
import { formatScope, parseScope, splitScopedPath } from '../../model/records/scope.ts';
import { digest } from '../../model/runtime/checksum.ts';
import type { Presenter } from '../../search/index.ts';
import { joinTrees } from '../../store/index.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { WorkspaceMember } from '../engine.ts';
import type { AnsweringProject, OpenProjects, ProjectAccess } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import type { GraphContext } from '../questions/symbol-detail.ts';
import { membersOf } from './workspace-list.ts';

export interface OpenMember extends WorkspaceMember {
  readonly opened: OpenedProject;
  readonly view: TreeView;
}

interface Joined {
  readonly views: readonly TreeView[];
  readonly reader: StoreReader;
  readonly view: TreeView;
  graph: SymbolGraph | null;
}

/** Joined trees that are kept: each is as large as the numbers of its chunks. */
const KEPT = 4;

export class JoinedProject implements AnsweringProject {
  readonly members: readonly OpenMember[];
  readonly missing: readonly MissingRepository[];
  readonly resolved: { readonly root: string; readonly storeFolder: string };
  readonly joined: Joined;

  constructor(scope: string, members: readonly OpenMember[], missing: readonly MissingRepository[], joined: Joined) {
    this.members = members;
    this.missing = missing;
    this.joined = joined;
    this.resolved = { root: scope, storeFolder: '' };
  }

  async find(ref?: string): Promise<TreeView> {
    if (ref !== undefined)
      throw new EngineError('invalid_input', {
        reason: 'A ref means one repository: ask about that one alone, by its path.',
      });
    return this.joined.view;
  }

  member(name: string): OpenMember | undefined {
    return this.members.find((member) => member.name === name);
  }
}

export class JoinedProjects implements ProjectAccess<JoinedProject> {
  readonly #home: string;
  readonly #projects: OpenProjects;
  /** By the repositories of the scope, the least recently asked first. */
  readonly #kept = new Map<string, Joined>();

  constructor(home: string, projects: OpenProjects) {
    this.#home = home;
    this.#projects = projects;
  }

  members(scope: string): readonly WorkspaceMember[] {
    return membersOf(this.#home, parseScope(scope)!);
  }

  /** Throws not_indexed where no repository has an index. */
  async around(scope: string): Promise<JoinedProject> {
    const members: OpenMember[] = [];
    const missing: MissingRepository[] = [];
    for (const { name, root } of this.members(scope)) {
      try {
        const opened = await this.#projects.at(root);
        members.push({ name, root, opened, view: await opened.find() });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        missing.push({ name, root, reason: `${error.message} ${error.fix}` });
      }
    }
    if (members.length === 0) throw new EngineError('not_indexed', { path: scope });
    return new JoinedProject(scope, members, missing, this.#join(members));
  }

  #join(members: readonly OpenMember[]): Joined {
    const key = members.map(({ name, root }) => `${name} ${root}`).join('\n');
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const isSame = known?.views.every((view, i) => view === members[i]!.view) ?? false;
    const joined = isSame ? known! : join(members, key);
    this.#kept.set(key, joined);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return joined;
  }

  async resolve(scope: string) {
    return { root: scope, git: null };
  }

  async presenter({ members, joined }: JoinedProject, view: TreeView): Promise<Presenter> {
    const modules = await Promise.all(
      members.map(async (member) => [member.name, await this.#projects.modulesOf(member.opened, member.view)] as const),
    );
    const byName = new Map(modules);
    const moduleOf = (path: string) => {
      const { repo, path: own } = splitScopedPath(path);
      const module = byName.get(repo)?.moduleOf(own) ?? '';
      return module === '' || module === repo ? repo : `${repo}/${module}`;
    };
    return { reader: joined.reader, view, moduleOf };
  }

  async graphContext(opened: JoinedProject, view: TreeView): Promise<GraphContext> {
    const { SymbolGraph } = await import('../../graph/index.ts');
    opened.joined.graph ??= new SymbolGraph(opened.joined.reader, view);
    return { graph: opened.joined.graph, ...(await this.presenter(opened, view)) };
  }

  titleOf({ resolved, members }: JoinedProject): string {
    const { workspace } = parseScope(resolved.root)!;
    return workspace === '' ? members.map(({ name }) => name).join(', ') : workspace;
  }
}

function join(members: readonly OpenMember[], key: string): Joined {
  const trees = members.map(({ name, opened, view }) => ({ name, view, reader: opened.readerOf(view) }));
  const root = formatScope({ workspace: digest(Buffer.from(key)), repos: [] });
  return { views: members.map(({ view }) => view), ...joinTrees(trees, root), graph: null };
}
