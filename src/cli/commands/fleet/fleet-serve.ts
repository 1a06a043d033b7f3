import { resolve } from 'node:path';
import { defineCommand } from '../../parsing/command.ts';
import { atHome } from '../../parsing/expand-tilde.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { untilAborted } from '../../running/until-aborted.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

const GIGABYTE = 1 << 30;

export const fleetServe = defineCommand({
  name: 'fleet serve',
  group: 'fleet',
  summary: 'Answer questions about the fleet’s repositories over MCP, as one of its nodes',
  details:
    'Serves MCP at /mcp (each profile at /mcp/NAME), /metrics, /healthz and /readyz until Ctrl-C. A call names ' +
    'its repository as `path`: "github.com/acme/billing", or a folder in it; without a path, all repositories that ' +
    'the caller may see are asked. The first question about a repository brings its derived contents to this ' +
    'node’s disk; then the embedded engine answers. --tokens names a file with a line for each who may ask: NAME ' +
    'TOKEN GROUP,GROUP. They see the repositories of their groups, and those that have none. Any number of nodes ' +
    'may run.',
  operands: {},
  flags: {
    url: URL_FLAG,
    tokens: { kind: 'string', value: 'FILE', completes: 'file', help: 'Who may ask, one line each (mode 600)' },
    port: { kind: 'integer', value: 'N', min: 0, max: 65535, help: 'Port; 0 picks a free one' },
    host: { kind: 'string', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    'cache-gigabytes': {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 100_000,
      help: 'Room on disk for repositories that were asked about (default: 20)',
    },
  },
  examples: [{ line: 'sextant fleet serve --tokens ~/fleet-tokens --host 0.0.0.0', meaning: 'a node for the team' }],
  async run({ flags }, session) {
    if (flags.tokens === undefined)
      throw new UsageError(
        'Nobody may ask yet.',
        'Pass --tokens FILE with a line for each who may: NAME TOKEN GROUP,GROUP.',
      );
    const tokensFile = resolve(session.cwd, atHome(flags.tokens));
    const settings = await session.settings('.');
    await withFleet(session, flags.url, async (fleet) => {
      const cacheBytes = (flags['cache-gigabytes'] ?? 20) * GIGABYTE;
      const node = await fleet.serve({ tokensFile, cacheBytes, onRemark: session.say });
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
