/** Reads a file that is named on the command line. */
import { readFile } from 'node:fs/promises';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { UsageError } from './usage-error.ts';

/** Reads the file's text. Throws for a missing path, a folder, an unreadable file. */
export async function readNamedFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder, not a file.`, 'Pass the file itself.');
    if (code === 'ENOTDIR') throw new EngineError('path_not_found', { path }, error);
    throw toEngineError(error);
  }
}
