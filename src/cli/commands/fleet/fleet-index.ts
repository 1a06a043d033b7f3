import { ERROR_TABLE } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { duration, plural } from '../../render/units.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

export const fleetIndex = defineCommand({
  name: 'fleet index',
  group: 'fleet',
  summary: 'Run a worker of the fleet: index waiting repositories',
  details:
    'Fetches each waiting repository into a bare mirror in the data folder, derives the contents that the fleet ' +
    'lacks, and publishes a snapshot. Any number of workers may run, on any number of machines; only one at a ' +
    'time works on a repository. Ends when nothing waits. With --follow it keeps running, and also compares ' +
    'repositories with their remotes if no change was announced.',
  operands: {},
  flags: {
    url: URL_FLAG,
    follow: { kind: 'boolean', help: 'Keep running and poll for work' },
    'reconcile-seconds': {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 86_400,
      help: 'Seconds until a repository is compared with its remote again (default: 600)',
    },
  },
  examples: [
    { line: 'sextant fleet index', meaning: 'what waits, once' },
    { line: 'sextant fleet index --follow', meaning: 'a worker that stays' },
  ],
  async run({ flags }, session) {
    const { out, err } = session.terminal;
    const counts = await withFleet(session, flags.url, (fleet) =>
      fleet.work({
        follow: flags.follow ?? false,
        reconcileMs: (flags['reconcile-seconds'] ?? 600) * 1000,
        signal: session.signal,
        onSynced: ({ name, commit, isNew, files, derived, created, durationMs }) => {
          const what = isNew
            ? `${plural(files, 'file')}, ${derived} derived, ${created} new to the fleet, ${duration(durationMs)}`
            : 'up to date';
          out.write(
            `${out.style.green('✓')} ${printableLine(name)} ${out.style.grey(`${commit.slice(0, 12)}: ${what}`)}\n`,
          );
        },
        onFailed: (name, error) => {
          err.write(`${err.style.red('✗')} ${printableLine(name)}: ${printableLine(error.message)}\n`);
        },
      }),
    );
    return counts.failed > 0 ? ERROR_TABLE.fetch_failed.exit : 0;
  },
});
