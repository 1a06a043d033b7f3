/** The limit on open files: whether more can be opened, and what to do where none can. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outOfFiles } from '../records/engine-errors.ts';
import { randomId } from './random-id.ts';

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

/**
 * Gives a program a text as a file that only this process can reach, for as long as the work takes; null if none can be
 * made.
 */
export async function withTextFile<T>(text: string, work: (file: string | null) => Promise<T>): Promise<T> {
  const file = join(tmpdir(), `sextant-${process.pid}-${randomId(8)}`);
  let isMade = false;
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    isMade = true;
  } catch {
    // No room for temporary files.
  }
  try {
    return await work(isMade ? file : null);
  } finally {
    rmSync(file, { force: true });
  }
}
