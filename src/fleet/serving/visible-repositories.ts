/**
 * Which repositories a subject may see: those without groups, and those that share a group with it. The node keeps a
 * copy of the catalogue, and every few seconds asks which repositories changed.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Repositories, RepositoryRecord } from '../catalogue/repositories.ts';
import { RecentlyUsed } from '../search/recently-used.ts';
import type { Subject } from './subjects.ts';

const FRESH_MS = 3_000;
/** A name that the list lacks may be new: changes are then asked for again, if they are older than this. */
const MISSED_MS = 300;
/** While the catalogue cannot be asked, who could see a repository still can; not for longer than this. */
const STALE_MS = 300_000;
/** The whole catalogue is read again after this time, whatever its changes said. */
const WHOLE_MS = 60_000;
/** Changes that one request brings; where there are more, the whole catalogue is read. */
const CHANGES = 200;
/** In the lists of all subjects together. */
const KEPT_RECORDS = 2_000_000;

export class VisibleRepositories {
  readonly #repositories: Pick<Repositories, 'list' | 'latestChanges'>;
  #copy: ReadonlyMap<string, RepositoryRecord> = new Map();
  /** Of each subject's groups; of the copy as it is. */
  #visible = keptLists();
  /** Sequence numbers that were seen with the copy: what is not among them changed. */
  #seen: ReadonlySet<number> = new Set();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #wholeAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  /** When the catalogue last did not answer. */
  #awayAtMs = Number.NEGATIVE_INFINITY;

  constructor(repositories: Pick<Repositories, 'list' | 'latestChanges'>) {
    this.#repositories = repositories;
  }

  /** By name; the same array for the same groups while nothing changes. */
  async of(subject: Subject): Promise<readonly RepositoryRecord[]> {
    await this.#refresh(FRESH_MS);
    return this.#seenBy(subject);
  }

  /** Asks again for changes for a subject that named a repository which was not there. */
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

  /** Requests that come together wait for one answer. */
  async #refresh(maxAgeMs: number): Promise<void> {
    const age = Date.now() - this.#readAtMs;
    if (age < maxAgeMs) return;
    // A call asks several times: they do not all wait for a cluster that hangs.
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
    // A write that was under way at the last look may be behind others: the list must reach well behind that look.
    const isComplete = fresh.length <= CHANGES / 2 || total <= CHANGES;
    const isRecent = startedAtMs - this.#wholeAtMs < WHOLE_MS;
    const copy = isRecent && isComplete ? changedCopy(this.#copy, fresh) : null;
    // One that was removed shows in the number of all.
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
    this.#visible = keptLists();
  }
}

function keptLists() {
  return new RecentlyUsed<readonly RepositoryRecord[]>(KEPT_RECORDS, ({ length }) => length + 1);
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

export function maySee({ groups: own }: Subject, groups: readonly string[]): boolean {
  return groups.length === 0 || groups.some((group) => own.has(group));
}
