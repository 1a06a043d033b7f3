import type { DroppedRef } from '../../../engine/engine.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { bytes, plural } from '../../render/units.ts';

const REASONS: Readonly<Record<DroppedRef['reason'], string>> = {
  folder_gone: 'the folder is gone',
  ref_gone: 'git does not know it any more',
};

export const refsGc = defineCommand({
  name: 'refs gc',
  group: 'index',
  summary: 'Free what no indexed ref needs, and report the freed space',
  details:
    'Removes refs that git no longer knows and work trees whose folder is gone, frees contents that no ref names, ' +
    'and compacts the rest. Indexing does a little of this by itself. Searches continue meanwhile.',
  operands: {},
  flags: { path: PATH_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant refs gc', meaning: 'after branches were deleted' }],
  json: [
    { field: 'dropped[].ref', meaning: 'a ref that was removed' },
    { field: 'dropped[].root', meaning: 'the work tree it was indexed from' },
    { field: 'dropped[].reason', meaning: '`ref_gone` or `folder_gone`' },
    { field: 'kept_refs', meaning: 'remaining refs of all work trees' },
    { field: 'contents', meaning: 'contents that were freed' },
    { field: 'bytes_before', meaning: 'size of the index before' },
    { field: 'bytes_after', meaning: 'and after' },
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const report = await (await session.engine(path)).collectGarbage(path);
    const { dropped, keptRefs, contents, bytesBefore, bytesAfter } = report;
    const data = {
      dropped: dropped.map(({ ref, root, reason }) => ({ ref, root, reason })),
      kept_refs: keptRefs,
      contents,
      bytes_before: bytesBefore,
      bytes_after: bytesAfter,
    };
    await printReport(session, flags.format, data, ({ style }) => [
      ...dropped.map(
        ({ ref, root, reason }) =>
          `${style.yellow('-')} ${printableLine(ref === 'live' ? root : ref)}: ${REASONS[reason]}`,
      ),
      `${style.green('✓')} ${plural(contents, 'content')} collected, ${plural(keptRefs, 'ref')} kept: ` +
        `${bytes(bytesBefore)} before, ${bytes(bytesAfter)} now.`,
    ]);
  },
});
