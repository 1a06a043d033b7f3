import { ErrorWithFix } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { bytes, plural } from '../../render/units.ts';

export const refsDrop = defineCommand({
  name: 'refs drop',
  group: 'index',
  summary: 'Remove an indexed branch, tag or commit from the index and free its space',
  details:
    'Changes the index only: the repository keeps its refs, and `sextant index --ref REF` indexes the ref again.',
  operands: { ref: { value: 'REF', required: true, help: 'A ref as `sextant refs list` shows it' } },
  flags: { path: PATH_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant refs drop release/1.x', meaning: 'when it is no longer searched' }],
  json: [
    { field: 'dropped', meaning: 'the ref that was removed from the index' },
    { field: 'contents', meaning: 'contents that only it used' },
    { field: 'bytes', meaning: 'space that was freed' },
  ],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const { root } = (await engine.status(path)).project;
    const freed = await engine.dropRef(path, operands.ref);
    if (!freed)
      throw new ErrorWithFix(
        'not_indexed',
        { path: `${root} at ${operands.ref}` },
        '`sextant refs list` shows what is indexed.',
      );
    await printReport(session, flags.format, { dropped: operands.ref, ...freed }, ({ style }) => [
      `${style.green('✓')} ${printableLine(operands.ref)} is no longer indexed: ` +
        `${plural(freed.contents, 'content')} collected, ${bytes(freed.bytes)} freed.`,
    ]);
  },
});
