/** The fleet under measurement: what is indexed into it, its sizes, and the time from a push to an answer. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineConfig } from '../../src/engine/engine-config.ts';
import { fleetContents } from '../../src/fleet/blobs/fleet-contents.ts';
import { Repositories } from '../../src/fleet/catalogue/repositories.ts';
import type { Fleet, SyncReport } from '../../src/fleet/fleet.ts';
import { openFleet } from '../../src/fleet/index.ts';
import type { SearchCluster } from '../../src/fleet/opensearch/search-cluster.ts';
import { PublishedSnapshots } from '../../src/fleet/snapshots/published-snapshots.ts';
import { derivationOf } from '../../src/fleet/worker/derivation.ts';
import { engineConfig } from '../../test/engine-config.ts';
import type { ClusterOptions } from '../../test/fleet/cluster/cluster.ts';
import { crossOf } from '../../test/fleet/cross-under-test.ts';
import { git } from '../../test/fleet/fleet-under-test.ts';
import type { BenchRepository } from './repositories.ts';

export const PREFIX = 'bench';

/** Nodes as they run for days: compiled in full, files mapped into memory. */
export const MEASURED: ClusterOptions = {
  heapMb: 1024,
  isLongRunning: true,
  settings: { 'node.store.allow_mmap': 'true' },
};

export interface Indexed {
  readonly count: number;
  readonly files: number;
  readonly created: number;
  /** Of the worker. */
  readonly seconds: number;
}

/** One copy of everything. */
export interface Sizes {
  readonly chunks: number;
  readonly chunkBytes: number;
  readonly blobBytes: number;
}

/** What one repository cost when it was indexed first. */
type Costs = Readonly<Record<string, Pick<SyncReport, 'files' | 'created' | 'durationMs'>>>;

export class BenchedFleet {
  readonly prefix: string;
  readonly connection: SearchCluster;
  readonly snapshots: PublishedSnapshots;
  readonly contents: ReturnType<typeof fleetContents>;
  readonly config: EngineConfig;
  readonly folder: string;
  readonly fleet: Fleet;

  private constructor(fleet: Fleet, prefix: string, connection: SearchCluster, config: EngineConfig, folder: string) {
    this.fleet = fleet;
    this.prefix = prefix;
    this.connection = connection;
    this.config = config;
    this.folder = folder;
    this.snapshots = new PublishedSnapshots(connection, prefix);
    this.contents = fleetContents(connection, prefix, derivationOf(config).extractor);
  }

  static async open(
    urls: readonly string[],
    connection: SearchCluster,
    folder: string,
    { shards, prefix = PREFIX }: { readonly shards: number; readonly prefix?: string },
  ): Promise<BenchedFleet> {
    const config = engineConfig(join(folder, 'worker'));
    const fleet = openFleet({ address: { urls }, prefix, engine: config });
    await fleet.setUp({ shards, replicas: 1 });
    return new BenchedFleet(fleet, prefix, connection, config, folder);
  }

  /** Repositories that the fleet has at this commit cost nothing: `indexed` tells what they did. */
  async index(repositories: readonly BenchRepository[], say: (line: string) => void): Promise<void> {
    for (const { name, url } of repositories) await this.fleet.add({ name, url, ref: null, groups: [] });
    await this.fleet.work({
      follow: false,
      reconcileMs: 60_000,
      signal: new AbortController().signal,
      onSynced: ({ name, files, created, durationMs }) => {
        say(`${name}: ${files} files, ${created} new contents, ${durationMs} ms`);
        const costs = { [name]: { files, created, durationMs }, ...this.#costs() };
        writeFileSync(this.#costsFile, JSON.stringify(costs, null, 1));
      },
      onFailed: (name, error) => say(`${name}: ${error.message}`),
    });
  }

  /** Of all repositories that were indexed, in this run and in earlier ones on the same folder. */
  indexed(): Indexed {
    const costs = Object.values(this.#costs());
    const sum = (of: 'files' | 'created' | 'durationMs') => costs.reduce((total, cost) => total + cost[of], 0);
    return { count: costs.length, files: sum('files'), created: sum('created'), seconds: sum('durationMs') / 1000 };
  }

  get #costsFile(): string {
    return join(this.folder, 'costs.json');
  }

  #costs(): Costs {
    return existsSync(this.#costsFile) ? (JSON.parse(readFileSync(this.#costsFile, 'utf8')) as Costs) : {};
  }

  async sizes(): Promise<Sizes> {
    await this.connection.ask({ method: 'POST', path: `/${this.prefix}-*/_refresh` });
    const bytesOf = async (index: string) => {
      const { body } = await this.connection.ask<{ _all: { primaries: { store: { size_in_bytes: number } } } }>({
        method: 'GET',
        path: `/${this.prefix}-${index}/_stats/store`,
      });
      return body._all.primaries.store.size_in_bytes;
    };
    const [chunkBytes, blobBytes] = [await bytesOf('chunks'), await bytesOf('blobs')];
    return { chunks: await this.chunksOf(() => true), chunkBytes, blobBytes };
  }

  async chunksOf(isCounted: (repository: string) => boolean): Promise<number> {
    const names = (await this.snapshots.heads()).map(({ repository }) => repository).filter(isCounted);
    const { body } = await this.connection.ask<{ count: number }>({
      method: 'POST',
      path: `/${this.prefix}-chunks/_count`,
      body: { query: { bool: { filter: [{ term: { kind: 'chunk' } }, { terms: { repository: names } }] } } },
    });
    return body.count;
  }

  /** From a push that is announced, as a webhook does it, to the first answer that shows it. */
  async timePush(say: (line: string) => void): Promise<number> {
    const remote = join(this.folder, 'pushed');
    mkdirSync(remote, { recursive: true });
    git(remote, 'init', '--quiet', '--initial-branch=main');
    await this.index([{ name: 'pushed', url: commit(remote, 'beforeThePush') }], say);
    const cross = await crossOf(this);
    const worker = new AbortController();
    const ignore = { onSynced: () => undefined, onFailed: () => undefined };
    const working = this.fleet.work({ follow: true, reconcileMs: 3_600_000, signal: worker.signal, ...ignore });
    commit(remote, 'pushedToTheFleet');
    const started = performance.now();
    await new Repositories(this.connection, this.prefix).update('pushed', () => ({ wantedAtMs: Date.now() }));
    while (!(await cross.search({ query: 'pushedToTheFleet' })).hits[0]?.content.includes('pushedToTheFleet'));
    const ms = performance.now() - started;
    worker.abort();
    await working;
    return ms;
  }

  close(): Promise<void> {
    return this.fleet.close();
  }
}

function commit(remote: string, name: string): string {
  writeFileSync(join(remote, 'pushed.ts'), `export function ${name}() {}\n`);
  git(remote, 'add', '--all');
  git(remote, 'commit', '--quiet', '--allow-empty', '-m', name);
  return remote;
}
