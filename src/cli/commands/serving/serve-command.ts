import { join, resolve } from 'node:path';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { parseScope } from '../../../model/records/scope.ts';
import { defineCommand } from '../../parsing/command.ts';
import { atHome } from '../../parsing/expand-tilde.ts';
import { WORKSPACE_FLAG } from '../../parsing/project-flags.ts';
import { quoted, UsageError } from '../../parsing/usage-error.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { namedPlace } from '../../running/asked-place.ts';
import type { HttpOptions, HttpServer, Session } from '../../running/command-session.ts';
import { type ConnectionToken, connectLines, pageAddress } from '../../running/connect.ts';
import { indexWithProgress, summaryLine } from '../../running/index-first.ts';
import { untilAborted } from '../../running/until-aborted.ts';
import { openWatched } from '../../running/watch-for-server.ts';

const PORTS_TO_TRY = 20;

interface TokenFlags {
  readonly token?: boolean | undefined;
  readonly 'token-file'?: string | undefined;
}

export const serve = defineCommand({
  name: 'serve',
  group: 'serve',
  summary: 'Serve agents over HTTP, and print the lines that connect them',
  details:
    'Brings the index up to date, then serves MCP at /mcp (each profile at /mcp/NAME) and a page for people at / ' +
    'until Ctrl-C. Listens on loopback, where other users of the machine can connect, too: clients must present ' +
    'the token of the file `token` in the data folder, which the printed lines carry. --no-token serves ' +
    'everybody on this machine. Any other address needs --token-file. Without --port, the next free port is ' +
    'taken when the usual one is in use.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Project to serve (the same as --workspace)' } },
  flags: {
    workspace: { ...WORKSPACE_FLAG, help: 'Workspace or project to serve (default: this folder)' },
    port: { kind: 'integer', value: 'N', min: 0, max: 65535, help: 'Port; 0 picks a free one' },
    host: { kind: 'string', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    'token-file': {
      kind: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'File with the token that clients must present (default: `token` in the data folder, made when missing)',
    },
    token: { kind: 'boolean', negatable: true, help: 'Ask clients for a token (default: yes)' },
    index: { kind: 'boolean', negatable: true, help: 'Bring the index up to date first (default: yes)' },
    'any-language': {
      kind: 'boolean',
      help: 'The profile gocontext indexes projects of every language, not of Go alone',
    },
  },
  examples: [
    { line: 'sextant serve', meaning: 'this folder, on port 7420' },
    { line: 'sextant serve ~/code/shop --port 8000', meaning: 'another folder and port' },
    { line: 'sextant serve --workspace shop', meaning: 'a workspace' },
    { line: 'sextant serve --host 0.0.0.0 --token-file ~/.sextant-token', meaning: 'for other machines' },
  ],
  async run({ flags, operands }, session) {
    const place = flags.workspace === undefined ? (operands.folder ?? '.') : namedPlace(session, flags.workspace);
    const isScope = parseScope(place) !== null;
    const folder = isScope ? place : resolve(session.cwd, place);
    const settings = await session.settings(folder);
    const { values } = settings;
    const engine = await session.engine(folder, 'server');
    const root = isScope ? await engine.root(place) : (await engine.project(folder)).root;
    const options = {
      engine: () => Promise.resolve(engine),
      host: flags.host ?? values['serve.host'],
      port: flags.port ?? values['serve.port'],
      workspace: root,
      settings,
      anyLanguage: flags['any-language'] ?? false,
      tokenFile: tokenFileOf(session, flags, values['serve.token_file']),
    };
    // Listening comes first: a port or token that is wrong is told before minutes are spent on indexing.
    const server = await listen(session, options, flags.port !== undefined);
    try {
      // The address first: the page shows how the index grows, and a browser can wait for it.
      const token = announce(session, server, root, options.tokenFile);
      if (flags.index ?? true)
        for (const member of isScope ? await engine.members(place) : [{ root: folder }])
          await bringUpToDate(session, member.root);
      await openWatched(session, root);
      tellAgents(session, server, root, token);
      await untilAborted(session.signal);
    } finally {
      await server.close();
    }
  },
});

/**
 * Somebody else at work on the same index is no reason to end: what there is is served, and the watch goes on from
 * there.
 */
async function bringUpToDate(session: Session, folder: string): Promise<void> {
  try {
    session.say(summaryLine(await indexWithProgress(session, folder, {})));
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'index_in_progress')) throw error;
    session.say(`${printableLine(error.message)} It is served meanwhile.`);
  }
}

function tokenFileOf(session: Session, flags: TokenFlags, configured: string): HttpOptions['tokenFile'] {
  const named = flags['token-file'] ?? configured;
  if (flags.token === false) {
    if (flags['token-file'] === undefined) return null;
    throw new UsageError('--no-token and --token-file contradict each other.', 'Pass one of them.');
  }
  if (named === '') return { path: join(session.dataFolder, 'token'), create: true };
  return { path: resolve(session.cwd, atHome(named)), create: false };
}

function announce(
  session: Session,
  server: HttpServer,
  root: string,
  file: HttpOptions['tokenFile'],
): ConnectionToken | null {
  const { out } = session.terminal;
  // A terminal is its owner's; a log or a pipe may have other readers, and a secret that the user made is not ours to
  // print.
  const shown = file?.create && out.isTerminal ? server.token : null;
  const token = file && { file: file.path, shown };
  out.write(
    `${out.style.green('✓')} Serving ${printableLine(root)} at ${out.style.bold(mcpAddress(server))}\n` +
      `  In a browser: ${pageAddress(server.url, token)}\n\n`,
  );
  return token;
}

function mcpAddress({ url }: HttpServer): string {
  return `${url}/mcp`;
}

function tellAgents(session: Session, server: HttpServer, root: string, token: ConnectionToken | null): void {
  const { out } = session.terminal;
  const url = mcpAddress(server);
  out.write(`${connectLines({ url, launcher: session.launcher, workspace: root, token }, out.style).join('\n')}\n\n`);
  out.write(`${out.style.grey('Ctrl-C ends it.')}\n`);
}

async function listen(session: Session, options: HttpOptions, fixedPort: boolean) {
  for (let tried = 0; ; tried++) {
    const port = options.port === 0 ? 0 : options.port + tried;
    try {
      const server = await session.outside.serveHttp({ ...options, port });
      if (tried > 0)
        session.say(`Port ${options.port} belongs to another process: agents set up for it do not reach this server.`);
      return server;
    } catch (thrown) {
      const code = portTrouble(thrown);
      if (code === null) throw thrown;
      if (code === 'EADDRINUSE' && !fixedPort && tried < PORTS_TO_TRY && port > 0 && port < 65535) continue;
      const why =
        code === 'EADDRINUSE'
          ? 'is in use'
          : code === 'EACCES'
            ? 'needs more rights'
            : 'is not an address of this machine';
      const what = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? quoted(options.host) : `Port ${port}`;
      throw new UsageError(`${what} ${why}.`, 'Pass another with --port or --host; --port 0 picks a free one.');
    }
  }
}

function portTrouble(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as NodeJS.ErrnoException;
    if (code && ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(code)) return code;
  }
  return null;
}
