/**
 * Git takes exponential time for ignore patterns such as twelve times "**" + "/a", and a clone brings its own. A
 * listing is asked for where that cannot be seen beforehand, gets a limited time, and is not asked for again soon where
 * it took longer: the caller lists the folder itself then, by the same rules.
 */
import { join } from 'node:path';
import { textInRepository, textOfRegularFile } from '../../../model/runtime/repository-file.ts';
import { findPlace } from '../git-place.ts';
import type { GitOutcome } from '../git-process.ts';

/** Git lists 2,500 files in 15 ms. */
const TIMEOUT_MS = 20_000;
/** After a listing that took too long, or named too much. */
const REST_MS = 10 * 60_000;
const MAX_BYTES = 1 << 20;
/** In one pattern. Each multiplies git's work by the depth of a path; people write one or two. */
const MAX_ANY_DEPTH = 4;

const restUntil = new Map<string, number>();

export interface ListingOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

/** The outcome of `ask`, or of a git that was not started. Throws only `cancelled`. */
export async function withinReason(
  root: string,
  ask: (options: ListingOptions) => Promise<GitOutcome>,
  signal?: AbortSignal,
): Promise<GitOutcome> {
  if ((restUntil.get(root) ?? 0) > Date.now() || hasCostlyPatterns(root))
    return { code: -1, stdout: Buffer.alloc(0), stderr: 'git takes too long for the ignore rules here' };
  const listing = await ask({ timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) });
  if (listing.timedOut || listing.tooLarge) restUntil.set(root, Date.now() + REST_MS);
  else restUntil.delete(root);
  return listing;
}

/** Of the files at the root, which decide for all folders; those further in are met by the time limit. */
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
