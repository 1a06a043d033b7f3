import { EngineError } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

export const fleetRemove = defineCommand({
  name: 'fleet remove',
  group: 'fleet',
  summary: 'Remove a repository and its snapshots',
  details:
    'Searches no longer find the repository. Its derived contents stay, because other repositories may share them; ' +
    '`sextant fleet clean` removes those that none shares.',
  operands: {
    name: { value: 'NAME', required: true, help: 'Name of the repository in `sextant fleet status`' },
  },
  flags: { url: URL_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant fleet remove github.com/acme/billing', meaning: 'one repository' }],
  json: [{ field: 'removed', meaning: 'its name' }],
  async run({ flags, operands }, session) {
    const { name } = operands;
    if (!(await withFleet(session, flags.url, (fleet) => fleet.remove(name))))
      throw new EngineError('invalid_input', {
        reason: `This fleet has no repository ${JSON.stringify(name)}; \`sextant fleet status\` lists them.`,
      });
    await printAnswer(session, flags.format, { removed: name }, ({ style }) => [
      `${style.green('✓')} ${printableLine(name)} removed.`,
    ]);
  },
});
