/**
 * Leases: the right to work on a repository, held by one worker at a time in a document that is replaced by
 * compare-and-set. A holder renews its lease; another worker takes over an expired one. Clocks of workers may differ by
 * less than the lease's duration; the integrity of a snapshot does not depend on it (published-snapshots.ts compares
 * again).
 */
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../model/records/engine-errors.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { type Versioned, VersionedDocuments } from '../opensearch/versioned-document.ts';

interface LeaseDocument {
  readonly kind: 'lease';
  readonly name: string;
  readonly holder: string;
  readonly token: string;
  readonly untilMs: number;
}

export interface RepositoryLease {
  /** Renews the lease. Throws index_in_progress if another worker has it. */
  extend(): Promise<void>;
  release(): Promise<void>;
}

const LEASE_MS = 60_000;

export class Leases {
  readonly #documents: VersionedDocuments<LeaseDocument>;
  readonly #holder: string;
  readonly durationMs: number;

  /** `holder` is shown to people: "host, pid 12". */
  constructor(cluster: SearchCluster, prefix: string, holder: string, durationMs = LEASE_MS) {
    this.#documents = new VersionedDocuments(cluster, indexName(prefix, 'repos'));
    this.#holder = holder;
    this.durationMs = durationMs;
  }

  /** Takes the lease; null if another worker holds it. */
  async take(name: string): Promise<RepositoryLease | null> {
    const before = await this.#documents.read(leaseId(name));
    if (before.document && before.document.untilMs > Date.now()) return null;
    const token = randomUUID();
    if (!(await this.#write(name, token, Date.now() + this.durationMs, before))) return null;
    return {
      extend: async () => {
        const now = await this.#documents.read(leaseId(name));
        const isHeld = now.document?.token === token;
        if (!isHeld || !(await this.#write(name, token, Date.now() + this.durationMs, now)))
          throw new EngineError('index_in_progress', { path: name });
      },
      release: async () => {
        const now = await this.#documents.read(leaseId(name));
        if (now.document?.token === token) await this.#write(name, token, 0, now);
      },
    };
  }

  async isHeld(name: string): Promise<boolean> {
    return ((await this.#documents.read(leaseId(name))).document?.untilMs ?? 0) > Date.now();
  }

  /** The leases that are held now, with their holders. */
  async held(): Promise<readonly { readonly name: string; readonly holder: string }[]> {
    const filter = [{ term: { kind: 'lease' } }, { range: { untilMs: { gt: Date.now() } } }];
    const found = await this.#documents.find({ bool: { filter } }, [{ name: 'asc' }]);
    return found.map(({ name, holder }) => ({ name, holder }));
  }

  #write(name: string, token: string, untilMs: number, before: Versioned<LeaseDocument>): Promise<boolean> {
    const document: LeaseDocument = { kind: 'lease', name, holder: this.#holder, token, untilMs };
    const isOurs = (now: LeaseDocument) => now.token === token && now.untilMs === untilMs;
    return this.#documents.replace(leaseId(name), before, document, isOurs);
  }
}

function leaseId(name: string): string {
  return `lease ${name}`;
}
