import { readFileSync } from 'node:fs';

/** Memory of another process that is no part of a file, in bytes; null where the system does not tell. */
export function ownMemoryOf(pid: number): number | null {
  try {
    const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
