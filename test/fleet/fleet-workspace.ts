/**
 * A workspace whose engine is a node of the fleet: indexing commits the folder, lets a worker publish the commit as a
 * snapshot, and questions go to the node, on behalf of a subject.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadStaticModel } from '../../src/embed/index.ts';
import { type FolderMethod, type GeneralMethod, RoutedEngine } from '../../src/engine/forwarding-engine.ts';
import type { FleetNode, NodeOptions } from '../../src/fleet/fleet.ts';
import { openFleet } from '../../src/fleet/index.ts';
import { asSubject, type Subject } from '../../src/fleet/serving/subjects.ts';
import { openReader } from '../../src/store/index.ts';
import type { StoreReader } from '../../src/store/store.ts';
import { embeddedWorkspace, type Workspace } from '../workspace.ts';
import { type FleetUnderTest, fleetFor, git, until } from './fleet-under-test.ts';

const SUBJECT: Subject = { name: 'tester', groups: new Set() };

export interface SharedNode {
  readonly under: FleetUnderTest;
  readonly node: FleetNode;
}

/** One fleet and one node for all workspaces of a run: each is a repository of its own. */
export async function openSharedNode(
  context: Pick<TestContext, 'after'>,
  change: Partial<NodeOptions> = {},
): Promise<SharedNode> {
  const under = await fleetFor(context as TestContext);
  return { under, node: await openNodeOf(under, change) };
}

let nodes = 0;

/** A node in this process, with a data folder of its own. */
export async function openNodeOf(under: FleetUnderTest, change: Partial<NodeOptions> = {}): Promise<FleetNode> {
  const home = join(under.folder, `node-in-process-${++nodes}`);
  const fleet = openFleet({ ...under.fleetConfig, engine: { ...under.config, home } });
  const node = await fleet.serve({
    tokensFile: null,
    issuer: null,
    webhookSecretFile: null,
    requestsPerMinute: 1e6,
    auditDays: 1,
    giveGroups: [],
    giveBytesPerDay: 1 << 30,
    cacheBytes: 1 << 30,
    onRemark: () => undefined,
    ...change,
  });
  under.beforeEnd(async () => {
    await node.close();
    await fleet.close();
  });
  return node;
}

let opened = 0;

export function fleetWorkspace(shared: () => SharedNode, files: Readonly<Record<string, string>>): Workspace {
  const local = embeddedWorkspace(files);
  // Embedded, the folder is called so, too: answers show the name.
  const name = `shared-${++opened}/project`;
  const engine = new NodeEngine(shared, name, local.root);
  const readers: StoreReader[] = [];
  return {
    ...local,
    engine,
    anotherEngine: () => engine,
    async openTree() {
      const { under } = shared();
      const { storeFolder } = await engine.project(local.root);
      const { id, dims } = loadStaticModel(under.config.modelFolder);
      const reader = openReader({ folder: storeFolder, modelId: id, dims });
      readers.push(reader);
      return { reader, view: reader.openTree({ root: engine.placed, ref: 'live' })!, moduleOf: () => '' };
    },
    async close() {
      for (const reader of readers) reader.close();
      await local.close();
    },
  };
}

class NodeEngine extends RoutedEngine {
  readonly languageModel = null;
  readonly hasLocalFiles = false;
  readonly #shared: () => SharedNode;
  readonly #name: string;
  readonly #root: string;

  constructor(shared: () => SharedNode, name: string, root: string) {
    super();
    this.#shared = shared;
    this.#name = name;
    this.#root = root;
  }

  /** Where the node lays the repository out. */
  get placed(): string {
    return join(this.#shared().node.folder, this.#name);
  }

  protected override async about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    if (method === 'index') return (await this.#publish()) as T;
    const there = path.startsWith(this.#root) ? this.placed + path.slice(this.#root.length) : path;
    return this.#call(method, [there, ...args]);
  }

  protected override general<T>(method: GeneralMethod, args: readonly unknown[]): Promise<T> {
    return this.#call(method, args);
  }

  #call<T>(method: FolderMethod | GeneralMethod, args: readonly unknown[]): Promise<T> {
    const { engine } = this.#shared().node;
    const call = engine[method] as (...all: readonly unknown[]) => Promise<T>;
    return asSubject(SUBJECT, () => call.call(engine, ...args));
  }

  /** The folder as it is now, as the next commit of a repository of its own. */
  async #publish(): Promise<unknown> {
    const { under } = this.#shared();
    const remote = join(realpathSync(under.folder), 'remotes', this.#name);
    mkdirSync(remote, { recursive: true });
    git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
    git(remote, '--work-tree', this.#root, 'add', '--all', '.');
    git(remote, '--work-tree', this.#root, 'commit', '--quiet', '--allow-empty', '-m', 'change');
    await under.fleet.add({ name: this.#name, url: remote, ref: null, groups: [] });
    const [report] = await under.work();
    await until(async () => (await this.#snapshot())?.includes(report!.commit.slice(0, 12)) === true);
    return report;
  }

  /** The one that the node answers from: it looks for the next one every second. */
  async #snapshot(): Promise<string | undefined> {
    return (await this.locate(this.#root, { name: 'anything' })).freshness.snapshot;
  }

  async close(): Promise<void> {}
}
