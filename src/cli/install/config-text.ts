/**
 * Reading and writing of the files that an installation edits. Files of the user may be links to settings kept
 * elsewhere. Those of a project came with a clone perhaps: they may lead nowhere out of it.
 */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { isWithin } from '../../model/text/is-within.ts';

export interface EditedFile {
  readonly file: string;
  /** The folder of the project that the file belongs to; none for a file of the user. */
  readonly project?: string;
}

/** An agent's file holds the history of its projects at times. */
const MAX_BYTES = 64 << 20;

/** Null where there is no file. Throws where something else is in its place. */
export function readText(edited: EditedFile): string | null {
  const real = realFile(edited);
  try {
    const { size } = statSync(real);
    if (size > MAX_BYTES) throw refusal(edited, `has more than ${MAX_BYTES >> 20} MB`);
    return readFileSync(real, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw toEngineError(thrown);
  }
}

/** A symbolic link stays one: its target is read and written. */
export function realFile(edited: EditedFile): string {
  const { file, project } = edited;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw refusal(edited, 'is no regular file');
  if (project !== undefined && existsSync(project) && !isWithin(realpathSync(nearest(file)), realpathSync(project)))
    throw refusal(edited, 'is a link that leads out of the project');
  return stat ? realpathSync(file) : file;
}

/** The file itself, or the folder above it that is there. A link that leads nowhere is not there. */
function nearest(file: string): string {
  let path = file;
  while (!existsSync(path)) path = dirname(path);
  return path;
}

function refusal({ file }: EditedFile, what: string): EngineError {
  return new EngineError('invalid_input', { reason: `${file} ${what}; it was left as it is.` });
}

/** Written to a temporary file and renamed, so that no reader sees half of it; permissions stay. */
export function writeText(edited: EditedFile, text: string): void {
  const real = realFile(edited);
  const mode = existsSync(real) ? statSync(real).mode & 0o777 : 0o600;
  if ((mode & 0o200) === 0) throw new EngineError('permission_denied', { path: edited.file });
  const draft = `${real}.sextant-${process.pid}`;
  // A project may hold a link of that name, which `wx` does not follow.
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, real);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}
