import type { WalkedFile } from '../../model/records/source-file.ts';
import type { FileJob } from './deriver.ts';

/** Each batch sends its terms once, so small batches repeat them. */
const BATCH_BYTES = 768 * 1024;
const BATCH_FILES = 192;

/**
 * Groups files by language, so that each worker compiles few grammars. The language with the most bytes comes first, so
 * that a preview of the index soon has it. Within a language, large files come first, so that no long job is left at
 * the end.
 */
export function batchesOf(jobs: readonly FileJob[], walked: ReadonlyMap<string, WalkedFile>): FileJob[][] {
  const sized = jobs.map((job) => ({
    job,
    size: walked.get(job.path)?.size ?? 0,
    ending: job.path.slice(job.path.lastIndexOf('.') + 1),
  }));
  const bytesOf = new Map<string, number>();
  for (const { ending, size } of sized) bytesOf.set(ending, (bytesOf.get(ending) ?? 0) + size);
  sized.sort(
    (a, b) =>
      bytesOf.get(b.ending)! - bytesOf.get(a.ending)! ||
      compare(a.ending, b.ending) ||
      b.size - a.size ||
      compare(a.job.path, b.job.path),
  );
  const batches: FileJob[][] = [];
  let bytes = 0;
  for (const { job, size } of sized) {
    const last = batches.at(-1);
    if (!last || last.length >= BATCH_FILES || bytes + size > BATCH_BYTES) {
      batches.push([job]);
      bytes = size;
    } else {
      last.push(job);
      bytes += size;
    }
  }
  return batches;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
