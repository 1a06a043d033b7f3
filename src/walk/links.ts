/** Symbolic links are never followed while listing. One that stays inside needs no entry of its own: its target is listed under its real path. */
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SkippedFile } from '../model/source-file.ts';

export type LinkVerdict =
  | { readonly kind: 'inside'; readonly target: string; readonly isFolder: boolean }
  | { readonly kind: 'skip'; readonly skipped: SkippedFile };

export function judgeLink(root: string, path: string): LinkVerdict {
  const skip = (reason: SkippedFile['reason'], detail: string): LinkVerdict => ({
    kind: 'skip',
    skipped: { path, reason, detail },
  });
  const absolute = join(root, path);
  let real: string;
  try {
    real = realpathSync.native(absolute);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return skip('link_cycle', 'leads back to itself');
    if (!isInside(root, textTarget(absolute))) return skip('link_outside_root', 'leads out of the project');
    return skip('unreadable', 'broken link');
  }
  if (!isInside(root, real)) return skip('link_outside_root', 'leads out of the project');
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && isInside(real, absolute)) return skip('link_cycle', 'leads to a folder above it');
  return { kind: 'inside', target: relative(root, real).split(sep).join('/'), isFolder };
}

function textTarget(absolute: string): string {
  try {
    return resolve(dirname(absolute), readlinkSync(absolute));
  } catch {
    return absolute;
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
