/** Deals with the limit on open files, and passes texts to programs through temporary files. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outOfFiles } from '../records/engine-errors.ts';
import { randomId } from './random-id.ts';

/** Whether `count` more files could be opened now. Libraries that cannot open a file do not report why, or hang. */
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

/**
 * Throws if a child has no pipes: without a free file descriptor, Node returns such a child and emits the error later.
 */
export function piped<Child extends { readonly stdout: unknown; on(event: 'error', listener: () => void): unknown }>(
  child: Child,
): Child {
  if (child.stdout) return child;
  child.on('error', () => undefined);
  throw outOfFiles();
}

/** Runs `work` with a temporary file that holds the text and that only this user can read; null if none can be made. */
export async function withTextFile<T>(text: string, work: (file: string | null) => Promise<T>): Promise<T> {
  const file = join(tmpdir(), `sextant-${process.pid}-${randomId(8)}`);
  let isMade = false;
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    isMade = true;
  } catch {
    // The temp folder is full or missing.
  }
  try {
    return await work(isMade ? file : null);
  } finally {
    rmSync(file, { force: true });
  }
}
