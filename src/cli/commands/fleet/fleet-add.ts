import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { defineCommand } from '../../parsing/command.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

export const fleetAdd = defineCommand({
  name: 'fleet add',
  group: 'fleet',
  summary: 'Register repositories, so that workers index them',
  details:
    'A repository’s name is its host and path ("github.com/acme/billing") unless --name sets another. A ' +
    'registered repository gets the new URL and groups, and is synced again. With --from-file, each line has a ' +
    'URL and, after spaces, the groups that may see it; # begins a comment.',
  operands: { repository: { value: 'ADDRESS…', rest: true, help: 'Addresses or absolute paths of git repositories' } },
  flags: {
    url: URL_FLAG,
    name: { kind: 'string', value: 'NAME', help: 'Name of the repository, if it is a single one' },
    ref: { kind: 'string', value: 'BRANCH', help: 'Branch to index (default: HEAD’s)' },
    groups: { kind: 'list', value: 'GROUP', commas: true, help: 'Who may see it (default: everybody)' },
    'github-org': { kind: 'string', value: 'NAME', help: 'All repositories of a GitHub organisation' },
    'gitlab-group': { kind: 'string', value: 'NAME', help: 'All repositories of a GitLab group and its subgroups' },
    'api-url': { kind: 'string', value: 'URL', help: 'API URL of your own code host' },
    'from-file': { kind: 'string', value: 'FILE', completes: 'file', help: 'Read addresses from a file' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant fleet add https://github.com/acme/billing --groups payments', meaning: 'one repository' },
    { line: 'sextant fleet add --from-file repositories.txt', meaning: 'many' },
  ],
  json: [
    { field: 'repositories[].name', meaning: 'name of the repository' },
    { field: 'repositories[].is_new', meaning: 'false if it was registered already' },
  ],
  async run({ flags, operands }, session) {
    const given = (operands.repository ?? '').split(' ').filter((word) => word !== '');
    const lines = given.map((address) => ({ address, groups: flags.groups ?? [] }));
    const file = flags['from-file'];
    if (file !== undefined) lines.push(...readList(resolve(session.cwd, file), flags.groups ?? []));
    const hosts = (['github', 'gitlab'] as const).flatMap((kind) => {
      const owner = kind === 'github' ? flags['github-org'] : flags['gitlab-group'];
      return owner === undefined ? [] : [{ kind, owner, apiUrl: flags['api-url'] ?? null }];
    });
    if (lines.length === 0 && hosts.length === 0)
      throw new UsageError(
        'No repository is named.',
        'Pass its address, --from-file FILE, --github-org NAME or --gitlab-group NAME.',
      );
    if (flags.name !== undefined && lines.length > 1)
      throw new UsageError('--name is for one repository.', 'Add the others without it.');
    const added = await withFleet(session, flags.url, async (fleet) => {
      const results: { name: string; is_new: boolean }[] = [];
      for (const host of hosts)
        for (const address of await fleet.listHost(host)) lines.push({ address, groups: flags.groups ?? [] });
      for (const { address, groups } of lines) {
        const url = isAbsolute(address) || /:/.test(address) ? address : resolve(session.cwd, address);
        const { name, isNew } = await fleet.add({ name: flags.name ?? null, url, ref: flags.ref ?? null, groups });
        results.push({ name, is_new: isNew });
      }
      return results;
    });
    await printAnswer(session, flags.format, { repositories: added }, ({ style }) =>
      added.map(
        ({ name, is_new }) =>
          `${style.green('✓')} ${printableLine(name)} ` +
          `${style.grey(is_new ? 'waits for a worker' : 'was registered; it is looked at again')}`,
      ),
    );
  },
});

function readList(file: string, groups: readonly string[]): { address: string; groups: readonly string[] }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [address, ...own] = line.split(/[\s,]+/);
      return { address: address!, groups: own.length > 0 ? own : groups };
    });
}
