/**
 * Opens files of a repository; all rooms open them through here. The repository's author controls what is at a path: a
 * link out of the project, an endless device, a pipe that blocks, or another file in the moment between a check and its
 * use. So a file is opened without following links, its type and its real path are checked on the open descriptor, and
 * its content is read from that descriptor once, up to a limit.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { isWithin } from '../text/is-within.ts';
import { leadsToOtherHost } from './other-host.ts';

export type RefusalReason = 'outside' | 'link' | 'not_a_file' | 'too_large';

/** Why a file is not opened. If the system itself refuses (no such file, no permission), its own error is thrown. */
export class FileRefused extends Error {
  readonly reason: RefusalReason;
  /** For a file that is too large: its size, or a lower bound of it. */
  readonly bytes: number;

  constructor(reason: RefusalReason, path: string, bytes = 0) {
    super(`${path} ${MESSAGES[reason]}`);
    this.reason = reason;
    this.bytes = bytes;
  }
}

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  outside: 'leads out of the project',
  link: 'is a link',
  not_a_file: 'is not a regular file',
  too_large: 'is too large',
};

export interface OpenOptions {
  readonly maxBytes: number;
  /**
   * `inside` follows links that stay inside the root. By default no link is followed, neither the file nor a folder.
   */
  readonly links?: 'inside';
}

export interface FileContent {
  readonly bytes: Buffer;
  readonly size: number;
  readonly mtimeMs: number;
}

interface OpenFile {
  readonly fd: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Whether the error says that the file, or a folder above it, does not exist. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Reads a file below `root`. Throws FileRefused, or the system's error. */
export function readRepositoryFile(root: string, path: string, options: OpenOptions): FileContent {
  const { fd, size, mtimeMs } = openRepositoryFile(root, path, options);
  try {
    return { bytes: readFrom(fd, size, path, options.maxBytes), size, mtimeMs };
  } finally {
    closeSync(fd);
  }
}

/** readRepositoryFile() with asynchronous reads, so that a server keeps answering while it reads a large file. */
export async function readRepositoryFileAsync(root: string, path: string, options: OpenOptions): Promise<FileContent> {
  const { fd, size, mtimeMs } = openRepositoryFile(root, path, options);
  try {
    return { bytes: await readFromAsync(fd, size, path, options.maxBytes), size, mtimeMs };
  } finally {
    closeSync(fd);
  }
}

const PIECE_BYTES = 1 << 20;

/**
 * Reads a file piece by piece, so that it is never in memory as a whole. It uses two buffers: the next piece is read
 * while `onPiece` runs, and a piece is valid until `onPiece` returns.
 */
export async function readRepositoryFilePieces(
  root: string,
  path: string,
  options: OpenOptions,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  const { fd, size } = openRepositoryFile(root, path, options);
  let buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, size + 1));
  let spare = Buffer.allocUnsafeSlow(buffer.length);
  let reading = readPiece(fd, buffer, 0);
  try {
    for (let length = 0; ; ) {
      const count = await reading;
      if (count === 0) return;
      length += count;
      if (length > options.maxBytes) throw new FileRefused('too_large', path, length);
      reading = readPiece(fd, spare, 0);
      onPiece(buffer.subarray(0, count));
      [buffer, spare] = [spare, buffer];
    }
  } finally {
    // A pending read would otherwise read from the next file that gets this descriptor.
    await reading.catch(() => {});
    closeSync(fd);
  }
}

/** The text of a file below `root`; null if it is missing, unreadable or refused. For optional files. */
export function textInRepository(root: string, path: string, maxBytes: number, links?: 'inside'): string | null {
  try {
    return readRepositoryFile(root, path, { maxBytes, ...(links && { links }) }).bytes.toString('utf8');
  } catch {
    return null;
  }
}

/**
 * The text of a file of git or of the user, which may be anywhere and behind links; null if it is no regular file,
 * larger than the limit, or unreadable.
 */
export function textOfRegularFile(path: string, maxBytes: number): string | null {
  try {
    // Most of these files do not exist, and opening a device may have side effects.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const fd = openSync(path, constants.O_RDONLY | NEVER_WAIT);
    try {
      const { size } = regularFile(fd, path, maxBytes);
      return readFrom(fd, size, path, maxBytes).toString('utf8');
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** Without these flags, opening a pipe would block, and opening a terminal could make it the controlling one. */
const NEVER_WAIT = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

function openRepositoryFile(root: string, path: string, { maxBytes, links }: OpenOptions): OpenFile {
  const named = links === 'inside' ? insideTarget(root, path) : resolve(root, path);
  if (!isWithin(named, links === 'inside' ? realpathSync.native(root) : resolve(root)))
    throw new FileRefused('outside', path);
  let fd: number;
  try {
    fd = openSync(named, constants.O_RDONLY | NEVER_WAIT | NO_FOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // FreeBSD reports EMLINK for a link. ENXIO: a socket.
    if (code === 'ELOOP' || code === 'EMLINK') throw new FileRefused('link', path);
    throw code === 'ENXIO' ? new FileRefused('not_a_file', path) : error;
  }
  try {
    const file = regularFile(fd, path, maxBytes);
    if (!liesAt(fd, named, root, path, links)) throw new FileRefused('outside', path);
    return file;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * The real path of a file. Throws if it is outside of the root, before the file is opened: opening may have effects.
 */
function insideTarget(root: string, path: string): string {
  if (leadsToOtherHost(root, path)) throw new FileRefused('outside', path);
  const target = realpathSync.native(resolve(root, path));
  if (!isWithin(target, realpathSync.native(root))) throw new FileRefused('outside', path);
  return target;
}

function regularFile(fd: number, path: string, maxBytes: number): OpenFile {
  const stat = fstatSync(fd);
  if (!stat.isFile()) throw new FileRefused('not_a_file', path);
  if (stat.size > maxBytes) throw new FileRefused('too_large', path, stat.size);
  return { fd, size: stat.size, mtimeMs: stat.mtimeMs };
}

/** Whether the open file is the one at the requested path: a folder above it may have become a link meanwhile. */
function liesAt(fd: number, named: string, root: string, path: string, links?: 'inside'): boolean {
  const real = pathOfDescriptor(fd);
  if (real !== null) {
    if (isSamePath(real, named)) return true;
    // The path of the root may contain a link.
    return links !== 'inside' && isSamePath(real, join(realpathSync.native(root), path));
  }
  const expected = links === 'inside' ? named : join(realpathSync.native(root), path);
  // A program that swaps the folder for a link between the two checks may pass once, but not every time.
  for (let check = 0; check < MAX_CHECKS; check++)
    if (!isSamePath(realpathSync.native(named), expected) || !isSameFile(fd, expected)) return false;
  return true;
}

/** The path of an open file, which Linux reports; null elsewhere, and without /proc. */
function pathOfDescriptor(fd: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    return path.startsWith(sep) ? path : null;
  } catch {
    return null;
  }
}

/** Repetitions of the check on systems that do not report the path of an open file. */
const MAX_CHECKS = 8;
const DELETED = ' (deleted)';

/**
 * Compares paths without case and Unicode form, since some file systems ignore them. A file that was deleted after it
 * was opened is still the requested one.
 */
function isSamePath(real: string, named: string): boolean {
  if (real === named || real === named + DELETED) return true;
  const fold = (path: string) => path.normalize('NFC').toLowerCase();
  return fold(real) === fold(named);
}

function isSameFile(fd: number, path: string): boolean {
  const opened = fstatSync(fd, { bigint: true });
  const found = lstatSync(path, { bigint: true });
  return opened.ino === found.ino && opened.dev === found.dev;
}

/** The buffer has one byte more than the file's size, to detect a file that grows meanwhile. */
function readFrom(fd: number, size: number, path: string, maxBytes: number): Buffer {
  let buffer: Buffer = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > maxBytes) throw new FileRefused('too_large', path, length);
    if (length === buffer.length) buffer = larger(buffer, maxBytes);
  }
}

async function readFromAsync(fd: number, size: number, path: string, maxBytes: number): Promise<Buffer> {
  let buffer: Buffer = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const count = await readPiece(fd, buffer, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > maxBytes) throw new FileRefused('too_large', path, length);
    if (length === buffer.length) buffer = larger(buffer, maxBytes);
  }
}

function readPiece(fd: number, buffer: Buffer, at: number): Promise<number> {
  return new Promise((done, fail) =>
    read(fd, buffer, at, buffer.length - at, null, (error, bytes) => (error ? fail(error) : done(bytes))),
  );
}

function larger(buffer: Buffer, maxBytes: number): Buffer {
  return Buffer.concat([buffer], Math.min(buffer.length * 2, maxBytes + 1) || 1);
}
