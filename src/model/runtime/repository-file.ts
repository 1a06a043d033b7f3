/**
 * The one way to open a file that a repository names. The repository's author chose what lies at that name: a link
 * out of the project, a device that never ends, a pipe that never answers, or another file in the moment between a
 * check and its use. So the file is opened without following links, the open descriptor is asked what it is and where
 * it really lies, and the content is read from that descriptor, once, up to a limit.
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

/**
 * Why a file is not opened. What the system itself refuses (not there, no permission) is thrown as the system says it.
 */
export class FileRefused extends Error {
  readonly reason: RefusalReason;
  /** Of a file that is too large; at least so many. */
  readonly bytes: number;

  constructor(reason: RefusalReason, path: string, bytes = 0) {
    super(`${path} ${WORDS[reason]}`);
    this.reason = reason;
    this.bytes = bytes;
  }
}

const WORDS: Readonly<Record<RefusalReason, string>> = {
  outside: 'leads out of the project',
  link: 'is a link',
  not_a_file: 'is not a regular file',
  too_large: 'is too large',
};

export interface OpenOptions {
  readonly maxBytes: number;
  /** `inside`: links are followed that stay in the root. Without it none is, in the file's name or above it. */
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

/** Not there, or a folder that is not there. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** A file below `root`. Throws FileRefused, or the system's error. */
export function readRepositoryFile(root: string, path: string, options: OpenOptions): FileContent {
  const { fd, size, mtimeMs } = openRepositoryFile(root, path, options);
  try {
    return { bytes: readFrom(fd, size, path, options.maxBytes), size, mtimeMs };
  } finally {
    closeSync(fd);
  }
}

/** For large files: the bytes are read asynchronously, so that a server goes on answering. */
export async function readRepositoryFileAside(root: string, path: string, options: OpenOptions): Promise<FileContent> {
  const { fd, size, mtimeMs } = openRepositoryFile(root, path, options);
  try {
    return { bytes: await readAside(fd, size, path, options.maxBytes), size, mtimeMs };
  } finally {
    closeSync(fd);
  }
}

const PIECE_BYTES = 1 << 20;

/**
 * The same piece by piece, for files that need not be held whole. Two buffers take turns: the next piece is read while
 * `onPiece` works, and a piece is valid until `onPiece` returns.
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
    // A read under way would go to the next file that gets this descriptor.
    await reading.catch(() => {});
    closeSync(fd);
  }
}

/**
 * Text of a file below `root`; null where it is missing, unreadable or refused: for files that a repository need not
 * have.
 */
export function textInRepository(root: string, path: string, maxBytes: number, links?: 'inside'): string | null {
  try {
    return readRepositoryFile(root, path, { maxBytes, ...(links && { links }) }).bytes.toString('utf8');
  } catch {
    return null;
  }
}

/**
 * A file of git or of the user, wherever it lies and links lead: a regular one, up to the limit. Null for anything
 * else.
 */
export function textOfRegularFile(path: string, maxBytes: number): string | null {
  try {
    // Most that are asked for are not there, and opening a device may have an effect of its own.
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

/** A pipe of that name would keep us waiting, and a terminal would become ours. */
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
    // EMLINK: what FreeBSD says of a link. ENXIO: a socket.
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
 * Where the links of a path lead, if that is inside. Looked at first: opening a device may have an effect of its own.
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

/** Whether the open file is the one at the path that was meant: a folder above it may have become a link since. */
function liesAt(fd: number, named: string, root: string, path: string, links?: 'inside'): boolean {
  const real = pathOfDescriptor(fd);
  if (real !== null) {
    if (isSamePath(real, named)) return true;
    // The root was named through a link.
    return links !== 'inside' && isSamePath(real, join(realpathSync.native(root), path));
  }
  const expected = links === 'inside' ? named : join(realpathSync.native(root), path);
  // A program that swaps the folder for a link between the two checks can pass once, but not every time.
  for (let look = 0; look < LOOKS; look++)
    if (!isSamePath(realpathSync.native(named), expected) || !isSameFile(fd, expected)) return false;
  return true;
}

/** Linux tells the path of an open file; null elsewhere, and without /proc. */
function pathOfDescriptor(fd: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    return path.startsWith(sep) ? path : null;
  } catch {
    return null;
  }
}

/** Where the system does not tell the path of an open file. */
const LOOKS = 8;
const DELETED = ' (deleted)';

/**
 * Replaced or removed since it was opened, it still was that file. File systems that ignore case name a file as they
 * please.
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

/** One byte more than the size is asked for, so that a file which grows meanwhile is noticed. */
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

async function readAside(fd: number, size: number, path: string, maxBytes: number): Promise<Buffer> {
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
