import { readFileSync } from 'node:fs';

/** More descendants are not looked at. */
const MAX_PROCESSES = 100;

/** Memory of another process that is no part of a file, in bytes; null where the system does not tell. */
export function ownMemoryOf(pid: number): number | null {
  try {
    const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

/** The same of a process with its children and theirs: git's transports are processes of their own. */
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
