/** What happens where the system lets this process open nothing more. */
import { closeSync, openSync } from 'node:fs';
import { outOfFiles } from '../records/engine-errors.ts';

/** Whether so many more files could be opened now; libraries that cannot open one do not say why, or wait for ever. */
export function canOpen(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(process.execPath, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** Where the process has no file descriptor left, Node gives a child without pipes, and says why a moment later. */
export function piped<Child extends { readonly stdout: unknown; on(event: 'error', listener: () => void): unknown }>(
  child: Child,
): Child {
  if (child.stdout) return child;
  child.on('error', () => undefined);
  throw outOfFiles();
}
