/** The fleet under measurement: what is indexed into it, its sizes, and the time from a push to an answer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineConfig } from '../../src/engine/engine-config.ts';
import { fleetContents } from '../../src/fleet/blobs/fleet-contents.ts';
import { Repositories } from '../../src/fleet/catalogue/repositories.ts';
import type { Fleet } from '../../src/fleet/fleet.ts';
import { openFleet } from '../../src/fleet/index.ts';
import type { SearchCluster } from '../../src/fleet/opensearch/search-cluster.ts';
import { PublishedSnapshots } from '../../src/fleet/snapshots/published-snapshots.ts';
import { derivationOf } from '../../src/fleet/worker/derivation.ts';
import { engineConfig } from '../../test/engine-config.ts';
import { crossOf } from '../../test/fleet/cross-under-test.ts';
import { git } from '../../test/fleet/fleet-under-test.ts';
import type { BenchRepository } from './repositories.ts';

const PREFIX = 'bench';

export interface Indexed {
  readonly count: number;
  readonly files: number;
  readonly created: number;
  /** Of the worker. */
  readonly seconds: number;
}

export class BenchedFleet {
  readonly prefix = PREFIX;
  readonly connection: SearchCluster;
  readonly snapshots: PublishedSnapshots;
  readonly contents: ReturnType<typeof fleetContents>;
  readonly config: EngineConfig;
  readonly folder: string;
  readonly #fleet: Fleet;

  private constructor(fleet: Fleet, connection: SearchCluster, config: EngineConfig, folder: string) {
    this.#fleet = fleet;
    this.connection = connection;
    this.config = config;
    this.folder = folder;
    this.snapshots = new PublishedSnapshots(connection, PREFIX);
    this.contents = fleetContents(connection, PREFIX, derivationOf(config).extractor);
  }

  static async open(
    urls: readonly string[],
    connection: SearchCluster,
    folder: string,
    shards: number,
  ): Promise<BenchedFleet> {
    const config = engineConfig(join(folder, 'worker'));
    const fleet = openFleet({ address: { urls }, prefix: PREFIX, engine: config });
    await fleet.setUp({ shards, replicas: 1 });
    return new BenchedFleet(fleet, connection, config, folder);
  }

  async index(repositories: readonly BenchRepository[], say: (line: string) => void): Promise<Indexed> {
    for (const { name, url } of repositories) await this.#fleet.add({ name, url, ref: null, groups: [] });
    let [count, files, created, ms] = [0, 0, 0, 0];
    await this.#fleet.work({
      follow: false,
      reconcileMs: 60_000,
      signal: new AbortController().signal,
      onSynced: (report) => {
        count++;
        files += report.files;
        created += report.created;
        ms += report.durationMs;
        say(`${report.name}: ${report.files} files, ${report.created} new contents, ${report.durationMs} ms`);
      },
      onFailed: (name, error) => say(`${name}: ${error.message}`),
    });
    return { count, files, created, seconds: ms / 1000 };
  }

  async sizes() {
    await this.connection.ask({ method: 'POST', path: `/${PREFIX}-*/_refresh` });
    const bytesOf = async (index: string) => {
      const { body } = await this.connection.ask<{ _all: { primaries: { store: { size_in_bytes: number } } } }>({
        method: 'GET',
        path: `/${PREFIX}-${index}/_stats/store`,
      });
      return body._all.primaries.store.size_in_bytes;
    };
    const { body } = await this.connection.ask<{ count: number }>({
      method: 'POST',
      path: `/${PREFIX}-chunks/_count`,
      body: { query: { term: { kind: 'chunk' } } },
    });
    return { chunks: body.count, chunkBytes: await bytesOf('chunks'), blobBytes: await bytesOf('blobs') };
  }

  /** From a push that is announced, as a webhook does it, to the first answer that shows it. */
  async timePush(say: (line: string) => void): Promise<number> {
    const remote = join(this.folder, 'pushed');
    mkdirSync(remote);
    git(remote, 'init', '--quiet', '--initial-branch=main');
    await this.index([{ name: 'pushed', url: commit(remote, 'beforeThePush') }], say);
    const cross = await crossOf(this);
    const worker = new AbortController();
    const ignore = { onSynced: () => undefined, onFailed: () => undefined };
    const working = this.#fleet.work({ follow: true, reconcileMs: 3_600_000, signal: worker.signal, ...ignore });
    commit(remote, 'pushedToTheFleet');
    const started = performance.now();
    await new Repositories(this.connection, PREFIX).update('pushed', () => ({ wantedAtMs: Date.now() }));
    while (!(await cross.search({ query: 'pushedToTheFleet' })).hits[0]?.content.includes('pushedToTheFleet'));
    const ms = performance.now() - started;
    worker.abort();
    await working;
    return ms;
  }

  close(): Promise<void> {
    return this.#fleet.close();
  }
}

function commit(remote: string, name: string): string {
  writeFileSync(join(remote, 'pushed.ts'), `export function ${name}() {}\n`);
  git(remote, 'add', '--all');
  git(remote, 'commit', '--quiet', '-m', name);
  return remote;
}
