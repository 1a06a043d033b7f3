/**
 * An unnamed file that a child writes to. A pipe holds some kilobytes, and a child that fills it waits until this
 * process reads: a file takes all output while a command is busy with something else.
 */
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Spool {
  readonly fd: number;
  /** The bytes that the child wrote. */
  read(): Buffer;
  /** Deletes the file. */
  close(): void;
}

let made = 0;

/** Null where there is no room for one. */
export function openSpool(): Spool | null {
  const path = join(tmpdir(), `sextant-${process.pid}-${Date.now()}-${made++}`);
  try {
    const fd = openSync(path, 'wx+', 0o600);
    const isNameless = unlink(path);
    return {
      fd,
      read: () => readFrom(fd),
      close() {
        closeSync(fd);
        if (!isNameless) unlink(path);
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

/** Not every system lets go of the name of an open file. */
function unlink(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
