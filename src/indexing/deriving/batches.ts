import type { WalkedFile } from '../../model/records/source-file.ts';
import type { FileJob } from './deriver.ts';

/** Terms are handed over once a batch: small batches repeat them. */
const BATCH_BYTES = 768 * 1024;
const BATCH_FILES = 192;

/**
 * Files of one language stand together, so that a worker compiles few grammars; within it the large ones come first, so
 * that none is left over at the end.
 */
export function batchesOf(jobs: readonly FileJob[], walked: ReadonlyMap<string, WalkedFile>): FileJob[][] {
  const sized = jobs.map((job) => ({
    job,
    size: walked.get(job.path)?.size ?? 0,
    ending: job.path.slice(job.path.lastIndexOf('.') + 1),
  }));
  sized.sort((a, b) =>
    a.ending < b.ending ? -1 : a.ending > b.ending ? 1 : b.size - a.size || (a.job.path < b.job.path ? -1 : 1),
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
