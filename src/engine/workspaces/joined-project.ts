/**
 * The repositories of a scope, opened and joined to one tree that questions are answered from. Repositories without an
 * index are reported, not searched.
 */
import type { SymbolGraph } from '../../graph/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { MissingRepository } from '../../model/records/query.ts';
import { formatScope, parseScope, type Scope } from '../../model/records/scope.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { pathFrom } from '../../model/text/is-within.ts';
import type { Presenter } from '../../search/index.ts';
import { joinTrees, subtreeOf } from '../../store/index.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { WorkspaceMember } from '../engine.ts';
import type { AnsweringProject, OpenProjects, ProjectAccess } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import type { GraphContext } from '../questions/symbol-detail.ts';
import { type MemberPlace, memberAt, moduleWithin, projectPath } from './member-at.ts';

export interface OpenMember extends WorkspaceMember {
  /** The project that answers for the member: its own, or the indexed one that contains its folder. */
  readonly opened: OpenedProject;
  /** The member's folder in that project, '' for the project itself. */
  readonly folder: string;
  readonly view: TreeView;
  /** The tree of the whole project; `view` is the member's part of it. */
  readonly whole: TreeView;
}

interface Joined {
  readonly views: readonly TreeView[];
  /** A view may outlive the reader that was joined; the trees are then joined again with the new one. */
  readonly readers: readonly StoreReader[];
  readonly reader: StoreReader;
  readonly view: TreeView;
  graph: SymbolGraph | null;
}

/** Upper bound of cached joined trees: each holds a number for every chunk. */
const MAX_CACHED_TREES = 4;

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
  readonly #membersOf: (scope: Scope) => readonly WorkspaceMember[];
  readonly #projects: OpenProjects;
  /** Keyed by the repositories of the scope; least recently used first. */
  readonly #joinedTrees = new Map<string, Joined>();

  constructor(membersOf: (scope: Scope) => readonly WorkspaceMember[], projects: OpenProjects) {
    this.#membersOf = membersOf;
    this.#projects = projects;
  }

  members(scope: string): readonly WorkspaceMember[] {
    return this.#membersOf(parseScope(scope)!);
  }

  /** The project that contains a path of the scope, and the path inside it. Throws invalid_input. */
  async fileIn(scope: string, path: string): Promise<{ readonly place: MemberPlace; readonly path: string }> {
    const members = this.members(scope);
    const at = memberAt(members, path.replace(/^(?:\.?\/)+/, ''));
    if (at && at.path !== '') {
      const place = await this.placeOf(at.member);
      return { place, path: projectPath(place, at.path) };
    }
    throw new EngineError('invalid_input', {
      reason:
        `A path begins with its repository here, one of ${members.map(({ name }) => `${name}/`).join(', ')}: ` +
        `"${path}" does not.`,
    });
  }

  /** Opens the repositories of a scope. Throws not_indexed if none has an index. */
  async around(scope: string): Promise<JoinedProject> {
    const members: OpenMember[] = [];
    const missing: MissingRepository[] = [];
    for (const { name, root } of this.members(scope)) {
      try {
        const { opened, folder } = await this.#openedFor(root);
        const whole = await opened.find();
        members.push({ name, root, opened, folder, whole, view: subtreeOf(whole, folder) });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        missing.push({ name, root, reason: `${error.message} ${error.fix}` });
      }
    }
    if (members.length === 0) throw new EngineError('not_indexed', { path: scope });
    return new JoinedProject(scope, members, missing, this.#join(members));
  }

  /** The place of a member in the project that answers for it. */
  async placeOf({ name, root }: WorkspaceMember): Promise<MemberPlace> {
    const { opened, folder } = await this.#openedFor(root);
    return { name, root: opened.resolved.root, folder };
  }

  async #openedFor(root: string): Promise<{ readonly opened: OpenedProject; readonly folder: string }> {
    const opened = await this.#projects.around(root);
    return { opened, folder: pathFrom(opened.resolved.root, (await this.#projects.resolve(root)).root) };
  }

  #join(members: readonly OpenMember[]): Joined {
    const key = members.map(({ name, root }) => `${name} ${root}`).join('\n');
    const known = this.#joinedTrees.get(key);
    this.#joinedTrees.delete(key);
    const readers = members.map(({ opened, whole }) => opened.readerOf(whole));
    const isSame =
      known?.views.every((view, i) => view === members[i]!.view && known.readers[i] === readers[i]) ?? false;
    const joined = isSame ? known! : join(members, readers, key);
    this.#joinedTrees.set(key, joined);
    for (const oldest of this.#joinedTrees.keys())
      if (this.#joinedTrees.size > MAX_CACHED_TREES) this.#joinedTrees.delete(oldest);
    return joined;
  }

  async resolve(scope: string) {
    return { root: scope, git: null };
  }

  async presenter({ members, joined }: JoinedProject, view: TreeView): Promise<Presenter> {
    const modules = await Promise.all(
      members.map(
        async (member) => [member.name, await this.#projects.modulesOf(member.opened, member.whole)] as const,
      ),
    );
    const byName = new Map(modules);
    const moduleOf = (path: string) => {
      const at = memberAt(members, path);
      return at
        ? moduleWithin(at.member, byName.get(at.member.name)?.moduleOf(projectPath(at.member, at.path)) ?? '')
        : '';
    };
    return { reader: joined.reader, view, moduleOf, repositories: members.map(({ name }) => name) };
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

function join(members: readonly OpenMember[], readers: readonly StoreReader[], key: string): Joined {
  const trees = members.map(({ name, view }, i) => ({ name, view, reader: readers[i]! }));
  const root = formatScope({ workspace: digest(Buffer.from(key)), repos: [] });
  return { views: members.map(({ view }) => view), readers, ...joinTrees(trees, root), graph: null };
}
