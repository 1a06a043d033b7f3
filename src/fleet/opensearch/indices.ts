/**
 * The fleet's indices: a template with a version for each, and an ordered list of migrations. A released step never
 * changes.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SearchCluster } from './search-cluster.ts';

export interface FleetOptions {
  /** Prefix of every index name: several fleets can share a cluster. */
  readonly prefix: string;
  readonly shards: number;
  readonly replicas: number;
}

export type IndexName = 'repos' | 'snapshots' | 'blobs' | 'audit' | 'chunks' | 'memory';

type Mapping = Readonly<Record<string, unknown>>;

const keyword = { type: 'keyword' };
const time = { type: 'date', format: 'epoch_millis' };
const count = { type: 'integer' };
/** A field that is stored but not searchable. */
const bytes = { type: 'binary', doc_values: false };
const unsearched = { type: 'object', enabled: false };
const flag = { type: 'boolean' };
/** A field of terms separated by spaces; `similarity` sets how much the field's length counts. */
const terms = (similarity: string) => ({ type: 'text', analyzer: 'whitespace', index_options: 'freqs', similarity });
/** Dimensions of the built-in model. */
export const VECTOR_DIMS = 256;
const vector = {
  type: 'knn_vector',
  dimension: VECTOR_DIMS,
  data_type: 'byte',
  method: {
    name: 'hnsw',
    engine: 'lucene',
    space_type: 'cosinesimil',
    parameters: { m: 16, ef_construction: 100 },
  },
};

interface Migration {
  readonly version: number;
  readonly creates: Readonly<Partial<Record<IndexName, Mapping>>>;
  /** Fields that are added to indices of earlier steps. */
  readonly extends?: Readonly<Partial<Record<IndexName, Mapping>>>;
}

const similarity = {
  short: { type: 'BM25', k1: 1.2, b: 0.5 },
  long: { type: 'BM25', k1: 1.2, b: 0.7 },
};
/** Settings of an index beside its mapping. Only `blobs` and `chunks` grow with the code: they have shards. */
const SETTINGS: Readonly<Partial<Record<IndexName, Mapping>>> = {
  chunks: { knn: true, similarity },
  memory: { similarity },
};
const SHARDED: ReadonlySet<IndexName> = new Set(['blobs', 'chunks']);
/** Fields that are searched but not stored. */
const UNSTORED_FIELDS: Readonly<Partial<Record<IndexName, readonly string[]>>> = { chunks: ['*'] };

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    creates: {
      repos: {
        kind: keyword,
        name: keyword,
        url: keyword,
        groups: keyword,
        addedAtMs: time,
        wantedAtMs: time,
        checkedAtMs: time,
        failure: { type: 'text', index: false },
        holder: keyword,
        token: keyword,
        untilMs: time,
        schema: count,
        details: unsearched,
      },
      snapshots: {
        kind: keyword,
        repository: keyword,
        ref: keyword,
        commit: keyword,
        generation: count,
        publishedAtMs: time,
        manifest: keyword,
        parts: count,
        summary: unsearched,
        data: bytes,
      },
      blobs: {
        blob: keyword,
        language: keyword,
        extractor: keyword,
        bytes: count,
        lines: count,
        chunks: count,
        storedAtMs: time,
        data: bytes,
      },
    },
  },
  {
    version: 2,
    creates: {
      audit: { atMs: time, subject: keyword, tool: keyword, repositories: keyword, results: count, outcome: keyword },
    },
  },
  {
    version: 3,
    creates: {
      chunks: {
        kind: keyword,
        file: keyword,
        repository: keyword,
        path: keyword,
        name: keyword,
        extension: keyword,
        language: keyword,
        blob: keyword,
        isTest: flag,
        type: keyword,
        symbolKind: keyword,
        symbols: keyword,
        references: keyword,
        pathTerms: terms('short'),
        names: terms('short'),
        docs: terms('short'),
        body: terms('long'),
        vector,
        depth: count,
        chunks: count,
        namesTerms: count,
        docsTerms: count,
        bodyTerms: count,
      },
    },
  },
  {
    version: 4,
    creates: {
      memory: {
        repository: keyword,
        id: keyword,
        author: keyword,
        type: keyword,
        writtenAtMs: time,
        isRemoved: flag,
        words: terms('short'),
        discovery: unsearched,
      },
    },
  },
  { version: 5, creates: {}, extends: { chunks: { isFirst: flag } } },
  { version: 6, creates: {}, extends: { chunks: { number: count } } },
];

export const FLEET_SCHEMA = MIGRATIONS[MIGRATIONS.length - 1]!.version;
const SCHEMA_ID = 'schema';

export function indexName(prefix: string, name: IndexName): string {
  return `${prefix}-${name}`;
}

/** Creates the indices, or migrates those of an earlier version. Safe to run concurrently and repeatedly. */
export async function setUpFleet(
  cluster: SearchCluster,
  options: FleetOptions,
  target = FLEET_SCHEMA,
): Promise<{ readonly from: number; readonly to: number }> {
  const from = await readSchema(cluster, options.prefix);
  if (from > FLEET_SCHEMA) throw new EngineError('store_newer', { found: from, required: FLEET_SCHEMA });
  for (const migration of MIGRATIONS) {
    if (migration.version <= from || migration.version > target) continue;
    for (const [name, properties] of Object.entries(migration.creates))
      await createIndex(cluster, options, name as IndexName, properties, migration.version);
    for (const [name, properties] of Object.entries(migration.extends ?? {}))
      await extendIndex(cluster, indexName(options.prefix, name as IndexName), properties, migration.version);
    await writeSchema(cluster, options.prefix, migration.version);
  }
  return { from, to: Math.max(from, target) };
}

/** The schema version; 0 if there is no fleet with this prefix. */
export async function readSchema(cluster: SearchCluster, prefix: string): Promise<number> {
  const { status, body } = await cluster.ask<{ _source?: { schema: number } }>({
    method: 'GET',
    path: `/${indexName(prefix, 'repos')}/_doc/${SCHEMA_ID}`,
    expected: [404],
  });
  return status === 404 ? 0 : (body._source?.schema ?? 0);
}

/** Throws fleet_not_set_up, and store_newer or reindex_required for another version's schema. */
export async function requireSchema(cluster: SearchCluster, prefix: string): Promise<void> {
  const found = await readSchema(cluster, prefix);
  if (found === 0) throw new EngineError('fleet_not_set_up', {});
  if (found > FLEET_SCHEMA) throw new EngineError('store_newer', { found, required: FLEET_SCHEMA });
  if (found < FLEET_SCHEMA) throw new EngineError('fleet_outdated', { found, required: FLEET_SCHEMA });
}

async function createIndex(
  cluster: SearchCluster,
  { prefix, shards, replicas }: FleetOptions,
  name: IndexName,
  properties: Mapping,
  version: number,
): Promise<void> {
  const index = indexName(prefix, name);
  const body = {
    settings: {
      number_of_shards: SHARDED.has(name) ? shards : 1,
      number_of_replicas: replicas,
      // Searches find a document after this time; reading it by id works at once.
      refresh_interval: '1s',
      ...SETTINGS[name],
    },
    mappings: {
      dynamic: false,
      ...(UNSTORED_FIELDS[name] ? { _source: { excludes: UNSTORED_FIELDS[name] } } : {}),
      properties,
    },
  };
  await cluster.ask({
    method: 'PUT',
    path: `/_index_template/${index}`,
    body: { index_patterns: [index], version, priority: 500, template: body },
  });
  await cluster.ask({ method: 'PUT', path: `/${index}`, expected: [400] });
  await cluster.ask({
    method: 'GET',
    path: `/_cluster/health/${index}`,
    query: { wait_for_status: 'yellow', timeout: '30s' },
  });
}

interface FoundTemplates {
  readonly index_templates: readonly {
    readonly index_template: { readonly template: { readonly mappings: { readonly properties: Mapping } } };
  }[];
}

async function extendIndex(cluster: SearchCluster, index: string, added: Mapping, version: number): Promise<void> {
  await cluster.ask({ method: 'PUT', path: `/${index}/_mapping`, body: { properties: added } });
  const path = `/_index_template/${index}`;
  const { index_template: known } = (await cluster.ask<FoundTemplates>({ method: 'GET', path })).body
    .index_templates[0]!;
  const { mappings } = known.template;
  const properties = { ...mappings.properties, ...added };
  const template = { ...known.template, mappings: { ...mappings, properties } };
  await cluster.ask({ method: 'PUT', path, body: { ...known, version, template } });
}

async function writeSchema(cluster: SearchCluster, prefix: string, schema: number): Promise<void> {
  await cluster.ask({
    method: 'PUT',
    path: `/${indexName(prefix, 'repos')}/_doc/${SCHEMA_ID}`,
    query: { refresh: 'true' },
    body: { kind: 'schema', schema },
  });
}
