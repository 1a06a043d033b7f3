/**
 * Keeps ignore patterns of a clone from stalling a listing: git needs exponential time for a pattern such as twelve
 * times "**" + "/a". git is not started if the root's ignore file has such a pattern, and gets a limited time
 * otherwise. After a timeout git is not asked for some minutes; the caller then lists the folder itself, by the same
 * rules.
 */
import { join } from 'node:path';
import { textInRepository, textOfRegularFile } from '../../../model/runtime/repository-file.ts';
import { findPlace } from '../git-place.ts';
import type { GitOutcome } from '../process/git-process.ts';

/** git lists 2,500 files in 15 ms. */
const TIMEOUT_MS = 20_000;
/** How long git is not asked after a listing that took too long or was too large. */
const RETRY_AFTER_MS = 10 * 60_000;
const MAX_BYTES = 1 << 20;
/** `**` in one pattern. Each multiplies git's work by the depth of a path; people write one or two. */
const MAX_ANY_DEPTH = 4;

/** By root: the time from which git is asked again. */
const retryAtMs = new Map<string, number>();

export interface ListingOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

/** The outcome of `ask`, or one that says that git was not started. Throws only `cancelled`. */
export async function runWithinLimits(
  root: string,
  ask: (options: ListingOptions) => Promise<GitOutcome>,
  signal?: AbortSignal,
): Promise<GitOutcome> {
  if ((retryAtMs.get(root) ?? 0) > Date.now() || hasCostlyPatterns(root))
    return { code: -1, stdout: Buffer.alloc(0), stderr: 'git takes too long for the ignore rules here' };
  const listing = await ask({ timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) });
  if (listing.timedOut || listing.tooLarge) retryAtMs.set(root, Date.now() + RETRY_AFTER_MS);
  else retryAtMs.delete(root);
  return listing;
}

/** Looks at the ignore files of the root, which apply to all folders. The time limit covers those of subfolders. */
function hasCostlyPatterns(root: string): boolean {
  const place = findPlace(root);
  const texts = [
    textInRepository(root, '.gitignore', MAX_BYTES),
    place && textOfRegularFile(join(place.commonDir, 'info', 'exclude'), MAX_BYTES),
  ];
  return texts.some(
    (text) => text?.includes('**') && text.split('\n').some((line) => line.split('**').length > MAX_ANY_DEPTH + 1),
  );
}
