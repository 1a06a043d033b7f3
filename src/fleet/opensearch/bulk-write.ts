/** Writes many documents in requests of a few megabytes; documents that the cluster rejects as busy are retried. */
import { EngineError } from '../../model/records/engine-errors.ts';
import { isBusy, type SearchCluster } from './search-cluster.ts';

export interface BulkDocument {
  readonly index: string;
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** Approximate bytes, to split requests. */
  readonly size: number;
}

interface Refusal {
  readonly reason?: string;
  readonly type?: string;
}

interface BulkReply {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, { status: number; error?: Refusal }>>[];
}

const REQUEST_BYTES = 4 << 20;
const ATTEMPTS = 8;
const PAUSE_MS = 250;
const CONFLICT = 409;

/** Creates missing documents and leaves existing ones unchanged. Returns the number of created ones. */
export async function createDocuments(cluster: SearchCluster, documents: readonly BulkDocument[]): Promise<number> {
  let created = 0;
  for (const group of groupsOf(documents)) created += await createGroup(cluster, group);
  return created;
}

async function createGroup(cluster: SearchCluster, group: readonly BulkDocument[]): Promise<number> {
  let created = 0;
  let open = group;
  for (let attempt = 1; open.length > 0; attempt++) {
    const lines = open.flatMap(({ index, id, source }) => [{ create: { _index: index, _id: id } }, source]);
    const { body } = await cluster.ask<BulkReply>({ method: 'POST', path: '/_bulk', lines });
    const refused: BulkDocument[] = [];
    body.items.forEach((item, i) => {
      const { status, error } = item.create!;
      if (status < 300) created++;
      else if (isBusy(status, reasonOf(error)) && attempt < ATTEMPTS) refused.push(open[i]!);
      else if (status !== CONFLICT) throw refusal(status, error);
    });
    open = refused;
    if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
  }
  return created;
}

function reasonOf(error: Refusal | undefined): string {
  return `${error?.type ?? 'error'}: ${error?.reason ?? ''}`;
}

function refusal(status: number, error: Refusal | undefined): EngineError {
  const reason = reasonOf(error);
  if (/cluster_block/.test(reason)) return new EngineError('fleet_read_only', { reason });
  if (isBusy(status, reason)) return new EngineError('fleet_unavailable', { reason, seconds: 15 });
  return new EngineError('internal_error', { reason: `OpenSearch refused a document (${status}): ${reason}` });
}

function* groupsOf(documents: readonly BulkDocument[]): Generator<BulkDocument[]> {
  let group: BulkDocument[] = [];
  let size = 0;
  for (const document of documents) {
    if (group.length > 0 && size + document.size > REQUEST_BYTES) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(document);
    size += document.size;
  }
  if (group.length > 0) yield group;
}
