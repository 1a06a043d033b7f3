/** A fleet of its own for each test, on the cluster that all of them share: a prefix of its own, folders of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineConfig } from '../../src/engine/engine-config.ts';
import { createEngine, type Engine } from '../../src/engine/index.ts';
import { fleetContents } from '../../src/fleet/blobs/fleet-contents.ts';
import type { Fleet, SyncReport } from '../../src/fleet/fleet.ts';
import { type FleetConfig, openFleet } from '../../src/fleet/index.ts';
import { connectCluster, type SearchCluster } from '../../src/fleet/opensearch/search-cluster.ts';
import { PublishedSnapshots } from '../../src/fleet/snapshots/published-snapshots.ts';
import { derivationOf } from '../../src/fleet/worker/derivation.ts';
import { openReader } from '../../src/store/index.ts';
import { engineConfig } from '../engine-config.ts';
import type { Cluster } from './cluster/cluster.ts';

export const shared: { cluster: Cluster | null } = { cluster: null };

export function theCluster(): Cluster {
  if (!shared.cluster) throw new Error('The cluster is not started: run this by `npm run test:fleet`.');
  return shared.cluster;
}

export interface FleetUnderTest {
  readonly folder: string;
  readonly prefix: string;
  readonly config: EngineConfig;
  readonly fleetConfig: FleetConfig;
  readonly fleet: Fleet;
  readonly connection: SearchCluster;
  readonly snapshots: PublishedSnapshots;
  readonly contents: ReturnType<typeof fleetContents>;
  /** A git repository with one commit; its folder is its address. */
  repository(name: string, files: Readonly<Record<string, string>>): string;
  /** Changes files (null removes one) and commits. */
  commit(folder: string, files: Readonly<Record<string, string | null>>): string;
  /** Indexes whatever waits, and gives the reports. */
  work(): Promise<SyncReport[]>;
  engine(home: string, change?: Partial<EngineConfig>): Engine;
  /**
   * Before the fleet's indices are removed, the latest first: a node that stops afterwards writes the rest of its audit
   * log, and the cluster of all tests keeps an index for it.
   */
  beforeEnd(work: () => unknown): void;
}

let fleets = 0;

/** Set up with both copies of everything, unless told otherwise. */
export async function fleetFor(
  context: TestContext,
  { setUp = true, shards = 2, replicas = 1, cluster = theCluster() } = {},
): Promise<FleetUnderTest> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-fleet-')));
  const prefix = `t${process.pid}-${++fleets}`;
  const config = engineConfig(join(folder, 'worker'));
  const fleetConfig: FleetConfig = { address: { urls: cluster.urls }, prefix, engine: config };
  const fleet = openFleet(fleetConfig);
  const connection = connectCluster(fleetConfig.address);
  const engines: Engine[] = [];
  const ends: (() => unknown)[] = [];
  context.after(async () => {
    for (const end of ends.reverse()) await end();
    await Promise.all(engines.map((engine) => engine.close()));
    await fleet.close();
    for (const kind of ['', '_index_template/'])
      await connection.ask({ method: 'DELETE', path: `/${kind}${prefix}-*`, expected: [404] }).catch(() => undefined);
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  });
  if (setUp) await fleet.setUp({ shards, replicas });
  return {
    folder,
    prefix,
    config,
    fleetConfig,
    fleet,
    connection,
    snapshots: new PublishedSnapshots(connection, prefix),
    contents: fleetContents(connection, prefix, derivationOf(config).extractor),
    repository(name, files) {
      const root = join(folder, 'remotes', name);
      mkdirSync(root, { recursive: true });
      git(root, 'init', '--quiet', '--initial-branch=main');
      commitFiles(root, files);
      return root;
    },
    commit: commitFiles,
    async work() {
      const reports: SyncReport[] = [];
      await fleet.work({
        follow: false,
        reconcileMs: 60_000,
        signal: new AbortController().signal,
        onSynced: (report) => reports.push(report),
        onFailed: (name, error) => {
          throw new Error(`${name}: ${error.message}`, { cause: error });
        },
      });
      return reports;
    },
    engine(home, change = {}) {
      const engine = createEngine(engineConfig(home, change));
      engines.push(engine);
      return engine;
    },
    beforeEnd: (work) => ends.push(work),
  };
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

function commitFiles(root: string, files: Readonly<Record<string, string | null>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    if (text === null) rmSync(file);
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '-m', 'change');
  return git(root, 'rev-parse', 'HEAD');
}

/** The logical dump of an index: the same for two stores of the same tree. */
export function dumpOf(config: EngineConfig, storeFolder: string, root: string, ref = 'live'): string[] {
  const { modelId, dims } = derivationOf(config);
  const reader = openReader({ folder: storeFolder, modelId, dims });
  try {
    return [...reader.dump({ root, ref })];
  } finally {
    reader.close();
  }
}

/** Nodes and OpenSearch show a write about a second later: asks again until it is there, for a minute at most. */
export async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 300 && !(await isDone()); i++) await delay(200);
}
