/**
 * The repositories that a subject may see: those without groups, and those that share a group with it. The node keeps a
 * copy of the catalogue and polls for changes every few seconds.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Repositories, RepositoryRecord } from '../catalogue/repositories.ts';
import { RecentlyUsed } from '../search/recently-used.ts';
import type { Subject } from './subjects.ts';

const FRESH_MS = 3_000;
/** For an unknown name, which may be new, changes are requested again if the list is older than this. */
const MISSED_MS = 300;
/** While the catalogue is unavailable, the last known permissions apply, for at most this time. */
const STALE_MS = 300_000;
/** The whole catalogue is read again after this time, whatever changes were reported. */
const WHOLE_MS = 60_000;
/** Changes per request; with more, the whole catalogue is read. */
const CHANGES = 200;
/** Maximum records in the lists of all subjects together. */
const MAX_CACHED_RECORDS = 2_000_000;

export class VisibleRepositories {
  readonly #repositories: Pick<Repositories, 'list' | 'latestChanges'>;
  #copy: ReadonlyMap<string, RepositoryRecord> = new Map();
  /** Visible repositories by the subject's groups, for the current copy. */
  #visible = newListCache();
  /** Sequence numbers of the copy: documents with other numbers have changed. */
  #seen: ReadonlySet<number> = new Set();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #wholeAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  /** When the catalogue last did not answer. */
  #awayAtMs = Number.NEGATIVE_INFINITY;

  constructor(repositories: Pick<Repositories, 'list' | 'latestChanges'>) {
    this.#repositories = repositories;
  }

  /** The visible repositories, sorted by name; the same array for the same groups while nothing changes. */
  async of(subject: Subject): Promise<readonly RepositoryRecord[]> {
    await this.#refresh(FRESH_MS);
    return this.#seenBy(subject);
  }

  /** Requests changes again for a subject that named an unknown repository. */
  async missedBy(subject: Subject): Promise<readonly RepositoryRecord[]> {
    await this.#refresh(MISSED_MS);
    return this.#seenBy(subject);
  }

  #seenBy(subject: Subject): readonly RepositoryRecord[] {
    const key = JSON.stringify([...subject.groups].sort());
    const known = this.#visible.get(key);
    if (known) return known;
    const visible = [...this.#copy.values()].filter(({ groups }) => maySee(subject, groups));
    this.#visible.set(key, visible);
    return visible;
  }

  /** Concurrent requests share one refresh. */
  async #refresh(maxAgeMs: number): Promise<void> {
    const age = Date.now() - this.#readAtMs;
    if (age < maxAgeMs) return;
    // One call refreshes several times: only the first refresh waits for a cluster that hangs.
    if (age <= STALE_MS && Date.now() - this.#awayAtMs < FRESH_MS) return;
    try {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    } catch (error) {
      const isAway = error instanceof EngineError && error.code === 'fleet_unavailable';
      if (!isAway || age > STALE_MS) throw error;
      this.#awayAtMs = Date.now();
    }
  }

  async #read(): Promise<void> {
    const startedAtMs = Date.now();
    const { total, changed } = await this.#repositories.latestChanges(CHANGES);
    const fresh = changed.filter(({ seqNo }) => !this.#seen.has(seqNo)).map(({ record }) => record);
    // A write that was in progress at the last poll may appear later, so the list must reach well behind that poll.
    const isComplete = fresh.length <= CHANGES / 2 || total <= CHANGES;
    const isRecent = startedAtMs - this.#wholeAtMs < WHOLE_MS;
    const copy = isRecent && isComplete ? changedCopy(this.#copy, fresh) : null;
    // A removed repository shows in the total number.
    if (copy?.size === total) {
      if (fresh.length > 0) this.#replace(copy);
    } else {
      this.#replace(new Map((await this.#repositories.list()).map((record) => [record.name, record])));
      this.#wholeAtMs = startedAtMs;
    }
    this.#seen = new Set(changed.map(({ seqNo }) => seqNo));
    this.#readAtMs = Date.now();
  }

  #replace(copy: ReadonlyMap<string, RepositoryRecord>): void {
    this.#copy = copy;
    this.#visible = newListCache();
  }
}

function newListCache() {
  return new RecentlyUsed<readonly RepositoryRecord[]>(MAX_CACHED_RECORDS, ({ length }) => length + 1);
}

function changedCopy(
  before: ReadonlyMap<string, RepositoryRecord>,
  fresh: readonly RepositoryRecord[],
): ReadonlyMap<string, RepositoryRecord> {
  if (fresh.length === 0) return before;
  const copy = new Map(before);
  for (const record of fresh) copy.set(record.name, record);
  const isNew = copy.size > before.size;
  return isNew ? new Map([...copy].sort(([a], [b]) => (a < b ? -1 : 1))) : copy;
}

export function maySee({ groups: subjectGroups }: Subject, groups: readonly string[]): boolean {
  return groups.length === 0 || groups.some((group) => subjectGroups.has(group));
}
