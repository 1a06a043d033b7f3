/** Windows opens a connection, and logs in, when a program merely asks about a path on another machine. */
import { readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** `\\host\share`, also with slashes; not `\\?\C:\…`, which is a long name of this machine. */
const OTHER_HOST = /^[\\/]{2}(?![?.][\\/](?!UNC[\\/]))/i;

/** Whether a path names another machine than `from` does. */
export function isOtherHost(path: string, from: string): boolean {
  return process.platform === 'win32' && OTHER_HOST.test(path) && !OTHER_HOST.test(from);
}

/** Whether a link on the way from `root` to the path names another machine. Looks at the text of links only. */
export function leadsToOtherHost(root: string, path: string): boolean {
  if (process.platform !== 'win32') return false;
  let at = root;
  for (const part of path.split(/[\\/]/)) {
    at = resolve(at, part);
    const target = textOfLink(at);
    if (target === null) continue;
    at = resolve(dirname(at), target);
    if (isOtherHost(at, root)) return true;
  }
  return false;
}

function textOfLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
