/**
 * Which repositories a subject may see: those without groups, and those that share a group with it. Asked of the
 * catalogue every few seconds.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Repositories, RepositoryRecord } from '../catalogue/repositories.ts';
import type { Subject } from './subjects.ts';

const FRESH_MS = 3_000;
/** A name that the list lacks may be new: the list is then read again, if it is older than this. */
const MISSED_MS = 300;
/** While the catalogue cannot be asked, who could see a repository still can; not for longer than this. */
const STALE_MS = 300_000;

export class VisibleRepositories {
  readonly #repositories: Repositories;
  #list: readonly RepositoryRecord[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
  }

  /** By name. */
  async of(subject: Subject): Promise<readonly RepositoryRecord[]> {
    return (await this.#all(FRESH_MS)).filter(({ groups }) => maySee(subject, groups));
  }

  /** Reads the catalogue again for a subject that named a repository which was not there. */
  async missedBy(subject: Subject): Promise<readonly RepositoryRecord[]> {
    return (await this.#all(MISSED_MS)).filter(({ groups }) => maySee(subject, groups));
  }

  async #all(maxAgeMs: number): Promise<readonly RepositoryRecord[]> {
    const age = Date.now() - this.#readAtMs;
    if (age < maxAgeMs) return this.#list;
    try {
      this.#list = await this.#repositories.list();
      this.#readAtMs = Date.now();
    } catch (error) {
      const isAway = error instanceof EngineError && error.code === 'fleet_unavailable';
      if (!isAway || age > STALE_MS) throw error;
    }
    return this.#list;
  }
}

export function maySee({ groups: own }: Subject, groups: readonly string[]): boolean {
  return groups.length === 0 || groups.some((group) => own.has(group));
}
