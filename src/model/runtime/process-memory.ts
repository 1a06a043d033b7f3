import { readFileSync } from 'node:fs';

/** Further descendants are not counted. */
const MAX_PROCESSES = 100;

/** Memory of another process without mapped files, in bytes; null if the system does not report it. */
function ownMemoryOf(pid: number): number | null {
  try {
    const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

/** Memory of a process and its descendants: git's transports are separate processes. */
export function familyMemoryOf(pid: number): number | null {
  const family = [pid];
  let bytes = ownMemoryOf(pid);
  for (let at = 0; at < family.length && family.length < MAX_PROCESSES; at++) {
    const children = childrenOf(family[at]!);
    family.push(...children);
    for (const child of children) bytes = (bytes ?? 0) + (ownMemoryOf(child) ?? 0);
  }
  return bytes;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
