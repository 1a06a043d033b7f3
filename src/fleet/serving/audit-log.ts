/**
 * The audit log: subject, call and repository of each question, without the query or code, written in small batches to
 * the index `audit`.
 */
import { randomUUID } from 'node:crypto';
import { createDocuments } from '../opensearch/bulk-write.ts';
import { deleteMatching } from '../opensearch/delete-matching.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';

export interface AuditEntry {
  readonly subject: string;
  readonly tool: string;
  readonly repositories: readonly string[];
  readonly results: number | null;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
}

const WAIT_MS = 1_000;
/** After a failed write. */
const RETRY_MS = 5_000;
const DAY_MS = 86_400_000;
const FORGET_EVERY_MS = 3_600_000;
/** Entries buffered while the cluster is unavailable; beyond it, the oldest are dropped, and the log counts them. */
const MAX_BUFFERED = 10_000;

export class AuditLog {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #onLost: (count: number) => void;
  readonly #keptMs: number;
  #forgotAtMs = 0;
  #waiting: (AuditEntry & { readonly atMs: number; readonly id: string })[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(cluster: SearchCluster, prefix: string, keptDays: number, onLost: (count: number) => void) {
    this.#cluster = cluster;
    this.#keptMs = keptDays * DAY_MS;
    this.#index = indexName(prefix, 'audit');
    this.#onLost = onLost;
  }

  add(entry: AuditEntry): void {
    this.#waiting.push({ ...entry, atMs: Date.now(), id: randomUUID() });
    this.#schedule(WAIT_MS);
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // One request at a time: close() waits for the last one.
      this.#writing = this.#writing.then(() => this.#write());
    }, afterMs).unref();
  }

  async #write(): Promise<void> {
    const entries = this.#waiting.splice(0);
    if (entries.length === 0) return;
    const documents = entries.map(({ id, ...source }) => ({ index: this.#index, id, source, size: 300 }));
    try {
      await createDocuments(this.#cluster, documents);
      await this.#forget();
    } catch {
      this.#waiting.unshift(...entries);
      const lost = this.#waiting.length - MAX_BUFFERED;
      if (lost > 0) this.#onLost(this.#waiting.splice(0, lost).length);
      // Also without another call: the cluster may come back in a quiet hour.
      if (!this.#isClosed) this.#schedule(RETRY_MS);
    }
  }

  /** Deletes expired entries from time to time; a failure is retried the next time. */
  async #forget(): Promise<void> {
    const now = Date.now();
    if (now - this.#forgotAtMs < FORGET_EVERY_MS) return;
    this.#forgotAtMs = now;
    const query = { range: { atMs: { lt: now - this.#keptMs } } };
    await deleteMatching(this.#cluster, this.#index, query).catch(() => undefined);
  }

  /** Writes the buffered entries; those that the cluster does not accept now are dropped and counted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#writing;
    if (this.#waiting.length > 0) await this.#write();
    if (this.#waiting.length > 0) this.#onLost(this.#waiting.splice(0).length);
  }
}
