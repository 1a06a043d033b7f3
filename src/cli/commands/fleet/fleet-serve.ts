import { resolve } from 'node:path';
import type { IssuerOptions } from '../../../fleet/fleet.ts';
import { defineCommand } from '../../parsing/command.ts';
import { expandTilde } from '../../parsing/expand-tilde.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { untilAborted } from '../../running/until-aborted.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

const MEGABYTE = 1 << 20;
const GIGABYTE = 1 << 30;

export const fleetServe = defineCommand({
  name: 'fleet serve',
  group: 'fleet',
  summary: 'Answer questions about the fleet’s repositories over MCP, as one of its nodes',
  details:
    'Serves the default profile over MCP at /mcp, the page at /, /metrics, /healthz and /readyz until Ctrl-C. A call ' +
    'names its repository as `path`: "github.com/acme/billing", or a folder in it; without a path, it is about all ' +
    'repositories that the caller may see. The first question about a repository copies its derived contents to ' +
    'this node’s disk; then the embedded engine answers. --tokens names a file with a line per subject: NAME ' +
    'TOKEN GROUP,GROUP. --issuer accepts tokens of an identity provider that were issued for --audience and have ' +
    'the subject’s groups in the claim --groups-claim. Both kinds see the repositories of their groups, and those ' +
    'without groups. With --webhook-secret, pushes that GitHub, GitLab or Gitea announce at /webhooks/push queue ' +
    'a sync of the repository. Members of --give-groups may give the texts of files that the fleet lacks ' +
    '(`sextant index --fleet URL --give`). Any number of nodes may run.',
  operands: {},
  flags: {
    url: URL_FLAG,
    tokens: {
      kind: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'One line per subject: name, token, groups (mode 600)',
    },
    issuer: { kind: 'string', value: 'URL', help: 'Identity provider whose tokens are accepted' },
    audience: { kind: 'string', value: 'URL', help: 'Required audience of its tokens: this server’s URL' },
    jwks: { kind: 'string', value: 'URL', help: 'URL of its keys (default: from its metadata)' },
    scope: { kind: 'string', value: 'NAME', help: 'A scope that its tokens must have' },
    'groups-claim': { kind: 'string', value: 'NAME', help: 'The claim with the groups (default: groups)' },
    'webhook-secret': { kind: 'string', value: 'FILE', completes: 'file', help: 'Secret of webhooks (mode 600)' },
    'requests-per-minute': {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 1_000_000,
      help: 'Requests per minute of one subject (default: 600)',
    },
    'audit-days': {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 36_500,
      help: 'How long entries of the audit log are kept (default: 90)',
    },
    'give-groups': {
      kind: 'list',
      value: 'GROUP',
      commas: true,
      help: 'Groups whose members may give contents (default: nobody)',
    },
    'give-megabytes': {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 1_000_000,
      help: 'Megabytes that one subject may give per day (default: 1000)',
    },
    port: { kind: 'integer', value: 'N', min: 0, max: 65535, help: 'Port; 0 picks a free one' },
    host: { kind: 'string', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    'cache-gigabytes': {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 100_000,
      help: 'Disk space for hydrated repositories (default: 20)',
    },
  },
  examples: [
    { line: 'sextant fleet serve --tokens ~/fleet-tokens --host 0.0.0.0', meaning: 'a node for the team' },
    {
      line: 'sextant fleet serve --issuer https://login.acme.example --audience https://code.acme.example/mcp',
      meaning: 'with the tokens of an identity provider',
    },
  ],
  async run({ flags }, session) {
    if (flags.tokens === undefined && flags.issuer === undefined)
      throw new UsageError(
        'Nobody may ask yet.',
        'Pass --tokens FILE with a line for each who may: NAME TOKEN GROUP,GROUP; or --issuer URL.',
      );
    const settings = await session.settings('.');
    await withFleet(session, flags.url, async (fleet) => {
      const fileAt = (path: string | undefined) =>
        path === undefined ? null : resolve(session.cwd, expandTilde(path));
      const node = await fleet.serve({
        tokensFile: fileAt(flags.tokens),
        issuer: issuerOf(flags),
        webhookSecretFile: fileAt(flags['webhook-secret']),
        requestsPerMinute: flags['requests-per-minute'] ?? 600,
        auditDays: flags['audit-days'] ?? 90,
        giveGroups: flags['give-groups'] ?? [],
        giveBytesPerDay: (flags['give-megabytes'] ?? 1_000) * MEGABYTE,
        cacheBytes: (flags['cache-gigabytes'] ?? 20) * GIGABYTE,
        onRemark: session.say,
      });
      try {
        const server = await session.outside.serveHttp({
          engine: async () => node.engine,
          host: flags.host ?? settings.values['serve.host'],
          port: flags.port ?? settings.values['serve.port'],
          workspace: node.folder,
          settings,
          anyLanguage: false,
          tokenFile: null,
          admission: node.admission,
        });
        const { out } = session.terminal;
        out.write(`${out.style.green('✓')} Serving the fleet at ${out.style.bold(`${server.url}/mcp`)}\n`);
        await untilAborted(session.signal);
        await server.close();
      } finally {
        await node.close();
      }
    });
  },
});

interface IssuerFlags {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly jwks?: string | undefined;
  readonly scope?: string | undefined;
  readonly 'groups-claim'?: string | undefined;
}

function issuerOf({ issuer, audience, jwks, scope, 'groups-claim': groupsClaim }: IssuerFlags): IssuerOptions | null {
  if (issuer === undefined) return null;
  // The audience is required: a token issued for another server must not be accepted here.
  if (audience === undefined)
    throw new UsageError('--issuer needs --audience.', 'Pass the address of this server, as tokens name it.');
  for (const url of [issuer, audience, jwks])
    if (url !== undefined && !URL.canParse(url)) throw new UsageError(`${url} is no URL.`, 'Pass a whole address.');
  return { issuer, audience, jwksUrl: jwks ?? null, scope: scope ?? null, groupsClaim: groupsClaim ?? 'groups' };
}
