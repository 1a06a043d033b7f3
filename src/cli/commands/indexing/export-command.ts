import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { EngineError, ErrorWithFix } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG, YES_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';
import { withIndex } from '../../running/index-first.ts';

export const exportChunks = defineCommand({
  name: 'export',
  group: 'index',
  summary: 'Write the index as files that other programs read',
  details:
    'Writes doc-chunks.json, code-symbols.json, code-definitions.json and code-data.json: every chunk with its ' +
    'embedding, in the form that the cortex server reads from .cortex/chunks. The embeddings are those of the ' +
    'index; the cortex profile of this program embeds queries with the same built-in model. Another server needs ' +
    'embeddings of cortex-embed: set embedding.provider to cortex and index first. --dimensions pads vectors with ' +
    'zeros for readers that expect a fixed number (cortex: 384).',
  operands: {},
  flags: {
    cortex: {
      kind: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'Folder to write the chunk files to (required)',
    },
    dimensions: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 16_384,
      help: 'Dimensions to write; missing ones are zeros',
    },
    path: PATH_FLAG,
    ref: REF_FLAG,
    yes: YES_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [{ line: 'sextant export --cortex .cortex/chunks', meaning: 'for a cortex server of this project' }],
  json: [
    { field: 'folder', meaning: 'where the files are' },
    { field: 'ref', meaning: 'what was exported' },
    { field: 'model_id', meaning: 'embedding model' },
    { field: 'dimensions', meaning: 'of its vectors' },
    { field: 'files[].name', meaning: 'a file' },
    { field: 'files[].chunks', meaning: 'its chunks' },
    { field: 'without_vector', meaning: 'chunks that were not written because they have no vector' },
  ],
  async run({ flags }, session) {
    if (flags.cortex === undefined)
      throw new UsageError('Which form? Nothing says what to write.', 'Pass --cortex DIR.');
    const path = flags.path ?? '.';
    const folder = resolve(session.cwd, flags.cortex);
    if (isOtherThanFolder(folder))
      throw new ErrorWithFix('not_a_directory', { path: folder }, 'Pass a folder; one that is missing is made.');
    const { writeCortexFiles } = await import('../../../contracts/cortex/write-files.ts');
    const engine = await session.engine(path);
    const written = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, () =>
      writeCortexFiles(engine, path, folder, {
        ...(flags.ref && { ref: flags.ref }),
        ...(flags.dimensions && { dimensions: flags.dimensions }),
        signal: session.signal,
      }).catch((error: unknown) => {
        throw error instanceof EngineError && error.code === 'path_unwritable'
          ? new ErrorWithFix(error.code, error.data, 'Pass a folder that can be written.', error)
          : error;
      }),
    );
    const { files, modelId, dims, ref, withoutVector } = written;
    const data = { folder, ref, model_id: modelId, dimensions: dims, files, without_vector: withoutVector };
    await printReport(session, flags.format, data, ({ style }) => [
      ...files.map(({ name, chunks }) => `${style.green('✓')} ${style.bold(name)}  ${plural(chunks, 'chunk')}`),
      style.grey(`  ${printableLine(folder)}, ${dims} dimensions of ${printableLine(modelId)}`),
      ...(withoutVector > 0
        ? [style.yellow(`  ${plural(withoutVector, 'chunk')} left out: the index has no vector for them`)]
        : []),
    ]);
  },
});

function isOtherThanFolder(path: string): boolean {
  try {
    // Catches the error instead of passing throwIfNoEntry: with that option, newer versions of Node also ignore a file
    // in place of a parent folder.
    return !statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}
