/** Recognises paths on other machines: on Windows, even stat() of such a path connects to the machine and logs in. */
import { readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Matches `\\host\share`, also with slashes; not `\\?\C:\…`, which is a long path on this machine. */
const OTHER_HOST = /^[\\/]{2}(?![?.][\\/](?!UNC[\\/]))/i;

/** Whether a path names another machine and `from` does not. */
export function isOtherHost(path: string, from: string): boolean {
  return process.platform === 'win32' && OTHER_HOST.test(path) && !OTHER_HOST.test(from);
}

/** Whether a link between `root` and the path leads to another machine. It reads links and follows none. */
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
