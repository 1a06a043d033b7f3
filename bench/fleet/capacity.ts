/** What a large fleet needs, computed from figures that were measured on a small one. Pure. */

export interface Capacity {
  /** Of one copy. */
  readonly chunkBytes: number;
  readonly blobBytes: number;
  readonly chunksPerFile: number;
  /** Of one worker: derived, stored and made findable. */
  readonly filesPerSecond: number;
  readonly p50Ms: number;
  /** What the figures were measured on. */
  readonly measuredChunks: number;
}

const REPOSITORIES = 20_000;
const CHUNKS = 200_000_000;
const DEVELOPERS = 2_000;
/** Assumptions, not measurements. */
const COPIES = 2;
const SHARD_BYTES = 40 * 2 ** 30;
const NODE_DISK_BYTES = 2 * 2 ** 40;
/** Of 64 GB, what heap and system leave to the page cache. */
const NODE_CACHE_BYTES = 28 * 2 ** 30;
const NODE_MONTH_USD = 500;
const WORKER_MONTH_USD = 150;
const QUERY_NODES = 3;
const DISK_SHARE = 0.7;
const QUESTIONS_A_DAY = 100;
const BUSY_HOURS = 8;
/**
 * HNSW of Lucene wants its vectors and links in the page cache: a byte a dimension, and 16 links of 4 bytes each way.
 */
const VECTOR_BYTES = 256 + 2 * 16 * 4;
const CHANGED_SHARE_A_DAY = 0.005;
const DAY_S = 86_400;

export function capacityText(measured: Capacity): string {
  const { chunkBytes, blobBytes, chunksPerFile, filesPerSecond, p50Ms, measuredChunks } = measured;
  const primaries = (chunkBytes + blobBytes) * CHUNKS;
  const disk = primaries * COPIES;
  const memory = VECTOR_BYTES * CHUNKS * COPIES;
  const byDisk = Math.ceil(disk / (NODE_DISK_BYTES * DISK_SHARE));
  const byMemory = Math.ceil(memory / NODE_CACHE_BYTES);
  const nodes = Math.max(3, byDisk, byMemory);
  const files = CHUNKS / chunksPerFile;
  const workers = Math.max(1, Math.ceil((files * CHANGED_SHARE_A_DAY) / DAY_S / filesPerSecond));
  const cost = nodes * NODE_MONTH_USD + (workers + QUERY_NODES) * WORKER_MONTH_USD;
  const perSecond = (DEVELOPERS * QUESTIONS_A_DAY) / (BUSY_HOURS * 3600);
  const row = (what: string, value: string, from: string) => `| ${what} | ${value} | ${from} |`;
  return `
A fleet of ${REPOSITORIES.toLocaleString('en')} repositories, ${CHUNKS.toLocaleString('en')} chunks, ${DEVELOPERS.toLocaleString('en')} developers, computed from the figures above. *Extrapolated* means: computed from what was measured on ${measuredChunks.toLocaleString('en')} chunks, ${Math.round(CHUNKS / measuredChunks)} times fewer; nothing of that size was run. *Assumed* means: not measured at all.

| | | from |
|---|---|---|
${[
  row('disk, two copies', terabytes(disk), 'bytes of a chunk × chunks × 2; extrapolated'),
  row('shards of 40 GB', String(Math.ceil(primaries / SHARD_BYTES)), 'extrapolated'),
  row('page cache for vectors, all nodes together', terabytes(memory), 'a byte a dimension and links; assumed'),
  row(
    'nodes of OpenSearch with 64 GB and 2 TB, filled to 70 %',
    String(nodes),
    `${byDisk} by disk, ${byMemory} by page cache (28 GB a node assumed); extrapolated`,
  ),
  row(
    'first index by 16 workers',
    `${(files / filesPerSecond / 16 / 3600).toFixed(1)} hours`,
    'contents a second; extrapolated, no content shared',
  ),
  row('workers for 0.5 % of the files a day', String(workers), 'extrapolated'),
  row('questions a second, 100 a developer in 8 hours', perSecond.toFixed(1), 'assumed'),
  row(
    'at work at once, at the measured p50',
    Math.max(1, (perSecond * p50Ms) / 1000).toFixed(1),
    'p50 of the measured fleet; it will be higher with more chunks and shards',
  ),
  row(
    `cost a month of these nodes, ${QUERY_NODES} nodes that answer and the workers`,
    `${cost.toLocaleString('en')} USD`,
    `${NODE_MONTH_USD} USD a node of OpenSearch, ${WORKER_MONTH_USD} USD another machine; assumed`,
  ),
].join('\n')}
`;
}

function terabytes(bytes: number): string {
  return bytes > 2 ** 40 ? `${(bytes / 2 ** 40).toFixed(1)} TB` : `${Math.ceil(bytes / 2 ** 30)} GB`;
}
