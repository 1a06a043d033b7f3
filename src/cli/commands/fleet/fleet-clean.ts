import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { bytes, plural } from '../../render/units.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

export const fleetClean = defineCommand({
  name: 'fleet clean',
  group: 'fleet',
  summary: 'Remove derived contents that no published snapshot names',
  details:
    'Contents of removed repositories, changed files and earlier versions of Sextant stay until this command ' +
    'runs. Workers wait meanwhile; it refuses to start while a worker is active.',
  operands: {},
  flags: { url: URL_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant fleet clean', meaning: 'once a week, or when the disk fills' }],
  json: [
    { field: 'contents', meaning: 'how many were removed' },
    { field: 'bytes', meaning: 'the size of the files that they were derived from' },
  ],
  async run({ flags }, session) {
    const removed = await withFleet(session, flags.url, (fleet) => fleet.clean());
    await printAnswer(session, flags.format, { ...removed }, ({ style }) => [
      `${style.green('✓')} ${plural(removed.contents, 'content')} of ${bytes(removed.bytes)} removed.`,
    ]);
  },
});
