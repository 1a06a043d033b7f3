/**
 * Reads and writes the files that an installation edits. A user's file may be a link to settings kept elsewhere. A
 * project's file may come from a clone, so its links must not lead out of the project.
 */
import { isUtf8 } from 'node:buffer';
import {
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { isWithin } from '../../model/text/is-within.ts';

export interface EditedFile {
  readonly file: string;
  /** The folder of the project that the file belongs to; undefined for a user's file. */
  readonly project?: string;
}

/** Some agents keep the history of all projects in this file. */
const MAX_BYTES = 64 << 20;

/** Returns null without a file. Throws if something else has its path. */
export function readText(edited: EditedFile): string | null {
  const real = realFile(edited);
  try {
    const { size } = statSync(real);
    if (size > MAX_BYTES) throw refusal(edited, `has more than ${MAX_BYTES >> 20} MB`);
    const bytes = readFileSync(real);
    if (!isUtf8(bytes)) throw refusal(edited, 'is not UTF-8');
    return bytes.toString('utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw toEngineError(thrown);
  }
}

/** Resolves a symbolic link, which stays one: its target is read and written. */
export function realFile(edited: EditedFile): string {
  const { file, project } = edited;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw refusal(edited, 'is no regular file');
  if (!stat && lstatSync(file, { throwIfNoEntry: false })) throw refusal(edited, 'is a link that leads nowhere');
  if (
    project !== undefined &&
    existsSync(project) &&
    !isWithin(realpathSync(nearestExisting(file)), realpathSync(project))
  )
    throw refusal(edited, 'is a link that leads out of the project');
  return stat ? realpathSync(file) : file;
}

/** The file, or its nearest existing parent folder. A broken link does not exist. */
function nearestExisting(file: string): string {
  let path = file;
  while (!existsSync(path)) path = dirname(path);
  return path;
}

function refusal({ file }: EditedFile, what: string): EngineError {
  return new EngineError('invalid_input', { reason: `${file} ${what}; the file was not changed.` });
}

/** Writes to a temporary file and renames it, so that no reader sees a partial file; keeps permissions. */
export function writeText(edited: EditedFile, text: string): void {
  const real = realFile(edited);
  refuseReadOnly(edited);
  // A file of a project is everybody's who works on it; one of the user may hold secrets.
  const mode = existsSync(real) ? statSync(real).mode & 0o777 : edited.project === undefined ? 0o600 : 0o644;
  const draft = `${real}.sextant-${process.pid}`;
  // Removes a link of that name that a project may contain; `wx` does not follow one.
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, real);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Also for a user to whom permissions mean nothing. */
export function refuseReadOnly(edited: EditedFile): void {
  const stat = statSync(realFile(edited), { throwIfNoEntry: false });
  if (stat && (stat.mode & 0o200) === 0) throw refusal(edited, 'is read-only');
}
