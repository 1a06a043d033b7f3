import type { IndexProgress } from '../../model/records/progress.ts';
import type { CallContext } from '../contract.ts';

/**
 * Reports indexing as one rising count of files over all phases, because the protocol requires progress that only
 * grows.
 */
export function reportIndexProgress(ctx: CallContext): (progress: IndexProgress) => void {
  return ({ phase, done, total, currentFile }) => {
    if (phase === 'walk') ctx.progress(0, undefined, 'Looking for files');
    else if (phase === 'parse')
      ctx.progress(done, total, `${done} of ${total} files${currentFile ? `: ${currentFile}` : ''}`);
  };
}
