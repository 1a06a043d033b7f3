import { join, resolve } from 'node:path';
import { workspaceNamed } from '../../../engine/workspaces/read-workspaces.ts';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { parseScope } from '../../../model/records/scope.ts';
import { defineCommand } from '../../parsing/command.ts';
import { expandTilde } from '../../parsing/expand-tilde.ts';
import { WORKSPACE_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { printableLine } from '../../render/terminal-text.ts';
import type { Session } from '../../running/command-session.ts';
import { namedTarget } from '../../running/command-target.ts';
import { type ConnectionToken, connectLines, pageAddress } from '../../running/connect.ts';
import type { ServedPlace } from '../../running/http-serving.ts';
import { indexWithProgress, summaryLine } from '../../running/index-first.ts';
import type { HttpClient } from '../../running/served-client.ts';
import { untilAborted } from '../../running/until-aborted.ts';

interface TokenFlags {
  readonly token?: boolean | undefined;
  readonly 'token-file'?: string | undefined;
}

export const serve = defineCommand({
  name: 'serve',
  group: 'serve',
  summary: 'Serve agents over HTTP, and print the lines that connect them',
  details:
    'Brings the index up to date, then serves MCP at /p/NAME/mcp (each profile at /p/NAME/mcp/PROFILE) and a page ' +
    'for people at / until Ctrl-C. NAME is the project’s name in `sextant projects list`; a URL never comes to ' +
    'mean another project. One server serves all registered projects: a second `serve` adds its project to the ' +
    'running server. /mcp is the project that the server was started for. The server listens on loopback, where ' +
    'other users of the machine can also connect, so clients must send the token in the file `token` of the data ' +
    'folder; the printed lines contain it. --no-token lets every user of this machine in. Any other address ' +
    'requires --token-file. Without --port, the next free port is used if the usual one is taken.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Project to serve (the same as --workspace)' } },
  flags: {
    workspace: { ...WORKSPACE_FLAG, help: 'Workspace or project to serve (default: this folder)' },
    port: { kind: 'integer', value: 'N', min: 0, max: 65535, help: 'Port; 0 picks a free one' },
    host: { kind: 'string', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    'token-file': {
      kind: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'File with the token that clients must send (default: `token` in the data folder, made when missing)',
    },
    token: { kind: 'boolean', negatable: true, help: 'Require a token (default: yes)' },
    index: { kind: 'boolean', negatable: true, help: 'Bring the index up to date first (default: yes)' },
    'any-language': {
      kind: 'boolean',
      help: 'Let the profile gocontext index projects of every language, not only Go',
    },
  },
  examples: [
    { line: 'sextant serve', meaning: 'this folder, on port 7420' },
    { line: 'sextant serve ~/code/shop --port 8000', meaning: 'another folder and port' },
    { line: 'sextant serve --workspace shop', meaning: 'a workspace' },
    { line: 'sextant serve --host 0.0.0.0 --token-file ~/.sextant-token', meaning: 'for other machines' },
  ],
  async run({ flags, operands }, session) {
    const place = flags.workspace === undefined ? (operands.folder ?? '.') : namedTarget(session, flags.workspace);
    const scope = parseScope(place);
    const folder = scope ? place : resolve(session.cwd, place);
    const settings = await session.settings(folder);
    const { values } = settings;
    const client: HttpClient = {
      kind: 'http',
      root: await rootOf(session, folder),
      host: flags.host ?? values['serve.host'],
      port: flags.port ?? values['serve.port'],
      isFixedPort: flags.port !== undefined,
      tokenFile: tokenFileOf(session, flags, values['serve.token_file']),
      settings,
      anyLanguage: flags['any-language'] ?? false,
    };
    const { HttpServing } = await import('../../running/http-serving.ts');
    const serving = new HttpServing(session, client);
    // Listens first, so that a wrong port or token fails before minutes of indexing.
    const served = await serving.start();
    try {
      // Prints the URL before indexing: the page shows the progress, and a browser can wait.
      const token = announce(session, served, client, serving.isOwn);
      // Indexes in the engine that answers the page, so that the page sees the run's progress.
      if (serving.isOwn) await session.engine(folder, 'server');
      if (flags.index ?? true) await bringAllUpToDate(session, folder);
      if (!serving.isOwn) await session.closeEngines();
      serving.watch();
      printConnections(session, served, client.root, token);
      await untilAborted(session.signal);
    } finally {
      await serving.close();
    }
  },
});

/** The project's root, or the workspace's scope unchanged. Throws if there is neither. */
async function rootOf(session: Session, folder: string): Promise<string> {
  const scope = parseScope(folder);
  if (!scope) {
    const { resolveProject } = await import('../../../engine/projects/project-registry.ts');
    return (await resolveProject(session.dataFolder, folder)).root;
  }
  if (scope.workspace !== '') workspaceNamed(session.dataFolder, scope.workspace);
  return folder;
}

async function bringAllUpToDate(session: Session, folder: string): Promise<void> {
  const members = parseScope(folder)
    ? await (await session.engine(folder, 'server')).members(folder)
    : [{ root: folder }];
  for (const { root } of members) await bringUpToDate(session, root);
}

/** If another process is indexing the project, serves what is there and watches for its index. */
async function bringUpToDate(session: Session, folder: string): Promise<void> {
  try {
    session.say(summaryLine(await indexWithProgress(session, folder, {})));
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'index_in_progress')) throw error;
    session.say(`${printableLine(error.message)} The server answers already.`);
  }
}

function tokenFileOf(session: Session, flags: TokenFlags, configured: string): HttpClient['tokenFile'] {
  const named = flags['token-file'] ?? configured;
  if (flags.token === false) {
    if (flags['token-file'] === undefined) return null;
    throw new UsageError('--no-token and --token-file contradict each other.', 'Pass one of them.');
  }
  if (named === '') return { path: join(session.dataFolder, 'token'), create: true };
  return { path: resolve(session.cwd, expandTilde(named)), create: false };
}

function announce(
  session: Session,
  served: ServedPlace,
  { root, tokenFile }: HttpClient,
  isOwn: boolean,
): ConnectionToken | null {
  const { out } = session.terminal;
  if (served.takenPort !== null)
    session.say(
      `Port ${served.takenPort} belongs to another process: agents that use this port do not reach this server.`,
    );
  // Shows the token on a terminal only: a log or pipe may have other readers. A token file of the user's own is never
  // printed.
  const shown = tokenFile?.create && out.isTerminal ? served.token : null;
  const token = tokenFile && { file: tokenFile.path, shown };
  const by = isOwn ? '' : out.style.grey(' (by the server that is already running)');
  out.write(
    `${out.style.green('✓')} Serving ${printableLine(root)} at ${out.style.bold(mcpAddress(served))}${by}\n` +
      `  In a browser: ${pageAddress(served.url, token)}\n\n`,
  );
  return token;
}

function mcpAddress({ url, path }: ServedPlace): string {
  return `${url}${path}`;
}

function printConnections(session: Session, served: ServedPlace, root: string, token: ConnectionToken | null): void {
  const { out } = session.terminal;
  const url = mcpAddress(served);
  out.write(`${connectLines({ url, launcher: session.launcher, workspace: root, token }, out.style).join('\n')}\n\n`);
  out.write(`${out.style.grey('Ctrl-C stops the server.')}\n`);
}
