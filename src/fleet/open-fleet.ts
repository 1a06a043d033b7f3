/** Puts the fleet's parts together. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EngineConfig } from '../engine/index.ts';
import { WorkerPool } from '../indexing/index.ts';
import { EngineError } from '../model/records/engine-errors.ts';
import { checkedName, nameOfUrl } from '../model/records/repository-name.ts';
import { COLLECTING, type Collected, collectGarbage } from './blobs/collect-garbage.ts';
import { fleetContents } from './blobs/fleet-contents.ts';
import { Leases } from './catalogue/leases.ts';
import { type CodeHost, listCodeHost } from './catalogue/list-code-host.ts';
import { type NewRepository, Repositories } from './catalogue/repositories.ts';
import type { Fleet, FleetNode, FleetStatus, NodeOptions, WorkOptions } from './fleet.ts';
import { SharedDiscoveries } from './memory/shared-discoveries.ts';
import { checkAddress } from './opensearch/check-address.ts';
import { indexName, readSchema, requireSchema, setUpFleet } from './opensearch/indices.ts';
import { type ClusterAddress, connectCluster, type SearchCluster } from './opensearch/search-cluster.ts';
import { SearchedFiles } from './search/searched-files.ts';
import { openNode } from './serving/open-node.ts';
import { readSecret, readTokens } from './serving/subjects.ts';
import { PublishedSnapshots } from './snapshots/published-snapshots.ts';
import { derivationOf } from './worker/derivation.ts';
import type { GitToken } from './worker/git-token.ts';
import { runWorker } from './worker/worker-loop.ts';

export interface FleetConfig {
  readonly address: ClusterAddress;
  readonly prefix: string;
  /** The engine's configuration: how contents are derived, and where this machine keeps mirrors and caches (`home`). */
  readonly engine: EngineConfig;
  /** The token for git over HTTP. */
  readonly gitToken?: GitToken;
  /** How long a lease lasts without renewal. */
  readonly leaseMs?: number;
}

/** Throws invalid_input for settings that lead to no OpenSearch. */
export function openFleet(config: FleetConfig): Fleet {
  return new OpenSearchFleet(config);
}

class OpenSearchFleet implements Fleet {
  readonly #config: FleetConfig;
  readonly #cluster: SearchCluster;
  readonly #repositories: Repositories;
  readonly #snapshots: PublishedSnapshots;
  readonly #leases: Leases;
  readonly #searched: SearchedFiles;
  readonly #shared: SharedDiscoveries;

  constructor(config: FleetConfig) {
    const { address, prefix } = config;
    checkAddress(address, prefix);
    this.#config = config;
    this.#cluster = connectCluster(address);
    this.#repositories = new Repositories(this.#cluster, prefix);
    this.#snapshots = new PublishedSnapshots(this.#cluster, prefix);
    this.#searched = new SearchedFiles(this.#cluster, prefix);
    this.#shared = new SharedDiscoveries(this.#cluster, prefix);
    this.#leases = new Leases(this.#cluster, prefix, `${hostname()}, pid ${process.pid}`, config.leaseMs);
  }

  async setUp(options: { readonly shards: number; readonly replicas: number }) {
    const versions = await setUpFleet(this.#cluster, { prefix: this.#config.prefix, ...options });
    // After a migration, workers add what a new index lacks.
    if (versions.from > 0 && versions.from < versions.to)
      for (const { name } of await this.#repositories.list())
        await this.#repositories.update(name, ({ wantedAtMs }) => ({ wantedAtMs: wantedAtMs ?? Date.now() }));
    return versions;
  }

  async add(repository: Omit<NewRepository, 'name'> & { readonly name: string | null }) {
    const name = repository.name === null ? nameOfUrl(repository.url) : checkedName(repository.name);
    await requireSchema(this.#cluster, this.#config.prefix);
    return { name, isNew: await this.#repositories.add({ ...repository, name }) };
  }

  async remove(name: string): Promise<boolean> {
    await requireSchema(this.#cluster, this.#config.prefix);
    const heads = (await this.#snapshots.heads()).filter(({ repository }) => repository === name);
    const wasThere = await this.#repositories.remove(name);
    for (const { ref } of heads) await this.#snapshots.drop(name, ref);
    await this.#searched.drop(name);
    await this.#shared.drop(name);
    return wasThere || heads.length > 0;
  }

  async status(): Promise<FleetStatus> {
    const { prefix } = this.#config;
    await requireSchema(this.#cluster, prefix);
    const [schema, records, heads, held, health, stats] = await Promise.all([
      readSchema(this.#cluster, prefix),
      this.#repositories.list(),
      this.#snapshots.heads(),
      this.#leases.held(),
      this.#cluster.ask<{ status: string; number_of_nodes: number }>({ method: 'GET', path: '/_cluster/health' }),
      this.#cluster.ask<IndexStats>({ method: 'GET', path: `/${prefix}-*/_stats/docs,store` }),
    ]);
    const headOf = new Map(heads.map((head) => [`${head.repository} ${head.ref}`, head]));
    const workerOf = new Map(held.map(({ name, holder }) => [name, holder]));
    return {
      schema,
      health: health.body.status,
      nodes: health.body.number_of_nodes,
      repositories: records.map((record) => ({
        ...record,
        snapshot: headOf.get(`${record.name} ${record.branch ?? record.ref}`) ?? null,
        worker: workerOf.get(record.name) ?? null,
      })),
      contents: stats.body.indices[indexName(prefix, 'blobs')]?.primaries.docs.count ?? 0,
      bytes: stats.body._all.total.store.size_in_bytes,
    };
  }

  listHost(host: Omit<CodeHost, 'token'>): Promise<readonly string[]> {
    const { gitToken } = this.#config;
    return listCodeHost({ ...host, ...(gitToken === undefined ? {} : { token: gitToken.token }) });
  }

  async clean(): Promise<Collected> {
    await requireSchema(this.#cluster, this.#config.prefix);
    const lease = await this.#leases.take(COLLECTING);
    if (!lease) throw new EngineError('index_in_progress', { path: 'the fleet' });
    try {
      const others = (await this.#leases.held()).filter(({ name }) => name !== COLLECTING);
      if (others.length > 0) throw new EngineError('index_in_progress', { path: others[0]!.name });
      return await collectGarbage(this.#cluster, this.#config.prefix, this.#snapshots, () => lease.extend());
    } finally {
      await lease.release();
    }
  }

  async work(options: WorkOptions) {
    const { prefix, engine, gitToken } = this.#config;
    await requireSchema(this.#cluster, prefix);
    const derivation = derivationOf(engine);
    const pool = new WorkerPool({ entry: engine.workerEntry, setup: derivation.setup });
    try {
      return await runWorker(
        {
          repositories: this.#repositories,
          leases: this.#leases,
          snapshots: this.#snapshots,
          searched: this.#searched,
          contents: fleetContents(this.#cluster, prefix, derivation.extractor),
          derivation,
          pool,
          mirrors: join(engine.home, 'fleet', 'mirrors'),
          ...(gitToken === undefined ? {} : { gitToken }),
        },
        options,
      );
    } finally {
      pool.close();
    }
  }

  async serve(options: NodeOptions): Promise<FleetNode> {
    const { prefix, engine } = this.#config;
    const tokens = options.tokensFile === null ? new Map() : readTokens(options.tokensFile);
    const webhookSecret = options.webhookSecretFile === null ? null : readSecret(options.webhookSecretFile);
    await requireSchema(this.#cluster, prefix);
    const parts = { cluster: this.#cluster, prefix, repositories: this.#repositories, snapshots: this.#snapshots };
    return openNode({ ...parts, config: engine, tokens, webhookSecret }, options);
  }

  async close(): Promise<void> {
    await this.#cluster.close();
  }
}

interface IndexStats {
  readonly _all: { readonly total: { readonly store: { readonly size_in_bytes: number } } };
  readonly indices: Readonly<Record<string, { readonly primaries: { readonly docs: { readonly count: number } } }>>;
}
