/**
 * Reads a file by its path, or by the path as an answer has shown it, with hidden characters spelled out
 * (`src/<U+202E>cod.ts`).
 */
import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ReadFileAnswer, ReadFileRequest } from '../../model/records/query.ts';
import { restoreHidden } from '../../model/untrusted/visible-text.ts';

export async function readShownFile(
  engine: Engine,
  project: string,
  request: ReadFileRequest,
): Promise<ReadFileAnswer> {
  try {
    return await engine.readFile(project, request);
  } catch (error) {
    const path = restoreHidden(request.path);
    if (path === request.path || !(error instanceof EngineError) || error.code !== 'file_not_found') throw error;
    return engine.readFile(project, { ...request, path });
  }
}
