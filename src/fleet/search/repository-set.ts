/**
 * The repositories of a question as a query condition: a bitmap of their numbers. A list of names would take half a
 * megabyte for a subject that may see 10,000 repositories, in each of nine searches of one question.
 */
import { createHash } from 'node:crypto';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { Query } from './candidate-queries.ts';
import { roaringBitmap } from './roaring-bitmap.ts';

export interface RepositorySet {
  /** Matches exactly their documents in `chunks`. */
  readonly within: Query;
  /** Equal for equal sets of repositories. */
  readonly id: string;
}

const known = new WeakMap<readonly RepositoryRecord[], RepositorySet>();

/** A repository without a number has not been indexed, so it has no documents. */
export function repositorySet(records: readonly RepositoryRecord[]): RepositorySet {
  const before = known.get(records);
  if (before) return before;
  const bitmap = roaringBitmap(records.flatMap(({ number }) => number ?? []));
  const set = {
    within: { terms: { number: [bitmap.toString('base64')], value_type: 'bitmap' } },
    id: createHash('sha256').update(bitmap).digest('base64'),
  };
  known.set(records, set);
  return set;
}
