/**
 * Judges symbolic links, which a listing never follows. A link to a file inside the root needs no entry of its own: the
 * target is listed under its real path.
 */
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SkippedFile } from '../../model/records/source-file.ts';
import { leadsToOtherHost } from '../../model/runtime/other-host.ts';
import { isWithin, pathFrom } from '../../model/text/is-within.ts';

export type LinkVerdict =
  | { readonly kind: 'inside'; readonly target: string; readonly isFolder: boolean }
  | { readonly kind: 'skip'; readonly skipped: SkippedFile };

export function judgeLink(root: string, path: string): LinkVerdict {
  const skip = (reason: SkippedFile['reason'], detail: string): LinkVerdict => ({
    kind: 'skip',
    skipped: { path, reason, detail },
  });
  const absolute = join(root, path);
  if (leadsToOtherHost(root, path)) return skip('link_outside_root', 'leads to another machine');
  let real: string;
  try {
    real = realpathSync.native(absolute);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return skip('link_cycle', 'leads back to itself');
    if (!isWithin(literalTarget(absolute), root)) return skip('link_outside_root', 'leads out of the project');
    return skip('unreadable', 'broken link');
  }
  if (!isWithin(real, root)) return skip('link_outside_root', 'leads out of the project');
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && isWithin(absolute, real)) return skip('link_cycle', 'leads to a folder above it');
  return { kind: 'inside', target: pathFrom(root, real), isFolder };
}

/** The target of a broken link, as the link names it. */
function literalTarget(absolute: string): string {
  try {
    return resolve(dirname(absolute), readlinkSync(absolute));
  } catch {
    return absolute;
  }
}
