/**
 * A temporary file without a name for the output of a child process. A child that fills a pipe (some kilobytes) waits
 * until this process reads; a file takes all output while this process does other work.
 */
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ChildOutputFile {
  readonly fd: number;
  /** The bytes that the child wrote. */
  read(): Buffer;
  /** Closes and deletes the file. */
  close(): void;
}

let fileCount = 0;

/** Null if no temporary file can be made. */
export function openChildOutputFile(): ChildOutputFile | null {
  const path = join(tmpdir(), `sextant-${process.pid}-${Date.now()}-${fileCount++}`);
  try {
    const fd = openSync(path, 'wx+', 0o600);
    const isUnlinked = tryUnlink(path);
    return {
      fd,
      read: () => readFrom(fd),
      close() {
        closeSync(fd);
        if (!isUnlinked) tryUnlink(path);
      },
    };
  } catch {
    return null;
  }
}

function readFrom(fd: number): Buffer {
  const bytes = Buffer.allocUnsafe(fstatSync(fd).size);
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(fd, bytes, at, bytes.length - at, at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}

/** False if the system cannot remove the name of an open file (Windows). */
function tryUnlink(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
