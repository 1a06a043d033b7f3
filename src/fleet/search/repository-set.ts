/**
 * The repositories that a question is put to, as a condition of a query: their numbers as a bitmap. Names would be a
 * list of half a megabyte for a subject that may see 10,000 repositories, in each of nine searches of one question.
 */
import { createHash } from 'node:crypto';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { Query } from './candidate-queries.ts';
import { roaringBitmap } from './roaring-bitmap.ts';

export interface RepositorySet {
  /** True of their documents in `chunks`, and of no others. */
  readonly within: Query;
  /** The same for the same repositories. */
  readonly id: string;
}

const known = new WeakMap<readonly RepositoryRecord[], RepositorySet>();

/** A repository without a number was not indexed yet: it has no documents. */
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
