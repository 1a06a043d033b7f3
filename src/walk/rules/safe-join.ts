/** Resolves a path from a request to a file that may be opened. All requests for files go through safeJoin(). */
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { leadsToOtherHost } from '../../model/runtime/other-host.ts';
import { foldName, secretKind } from './secrets.ts';

const VERSION_CONTROL = new Set(['.git', 'git~1', '.hg', '.svn', '.jj', '.bzr', 'cvs']);

/**
 * The real path of an existing regular file inside `root` (a real path). Applies the rules to the requested path and to
 * the real path, so a link cannot reach a file that its own name forbids. Throws path_forbidden with the reason, or
 * file_not_found.
 */
export function safeJoin(root: string, relative: string): string {
  const forbid = (reason: string) => new EngineError('path_forbidden', { path: relative, reason });
  const reason = refusal(relative);
  if (reason !== null) throw forbid(reason);
  if (leadsToOtherHost(root, relative)) throw forbid('it is a link that leads to another machine');
  const absolute = join(root, relative);
  let real: string;
  let isFile: boolean;
  try {
    real = realpathSync.native(absolute);
    isFile = statSync(real).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw new EngineError('permission_denied', { path: relative }, error);
    if (code === 'ELOOP') throw forbid('it is a link that leads back to itself');
    throw new EngineError('file_not_found', { path: relative }, error);
  }
  const prefix = root.endsWith(sep) ? root : root + sep;
  if (real === root) throw new EngineError('file_not_found', { path: relative });
  if (!real.startsWith(prefix)) throw forbid('it is a link that leads out of the project');
  const realReason = refusal(real.slice(prefix.length).split(sep).join('/'));
  if (realReason !== null) throw forbid(realReason);
  if (!isFile) throw new EngineError('file_not_found', { path: relative });
  return real;
}

/** Why a relative path is refused, whether or not the file exists; null if it is allowed. */
function refusal(path: string): string | null {
  if (typeof path !== 'string' || path === '') return 'the path is empty';
  if (path.includes('\0')) return 'it contains a NUL byte';
  if (path.includes('\\')) return 'it contains a backslash; write paths with forward slashes';
  if (isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.startsWith('~')) return 'it is not relative to the project';
  const segments = path.split('/');
  if (segments.includes('..')) return 'it leads out of the project (..)';
  if (segments.some((segment) => VERSION_CONTROL.has(foldName(segment)))) return 'it belongs to version control';
  const kind = secretKind(path);
  return kind === null ? null : `it may hold secrets (${kind})`;
}
