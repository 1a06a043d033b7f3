import { resolve } from 'node:path';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { atHome } from '../../parsing/expand-tilde.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { quoted, UsageError } from '../../parsing/usage-error.ts';
import { printableLine } from '../../render/text.ts';
import type { HttpOptions, HttpServer, Session } from '../../running/command-session.ts';
import { connectLines } from '../../running/connect.ts';
import { indexWithProgress, summaryLine } from '../../running/index-first.ts';
import { openWatched } from '../../running/watch-for-server.ts';

const PORTS_TO_TRY = 20;

export const serve = defineCommand({
  name: 'serve',
  group: 'serve',
  summary: 'Serve agents over HTTP, and print the lines that connect them',
  details:
    'Brings the index up to date, then serves MCP at /mcp (each profile at /mcp/NAME) and a page for people at / until Ctrl-C. Listens on loopback; any other address needs --token-file. Without --port, the next free port is taken when the usual one is in use.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Project to serve (the same as --workspace)' } },
  flags: {
    workspace: PATH_FLAG,
    port: { kind: 'integer', value: 'N', min: 0, max: 65535, help: 'Port; 0 picks a free one' },
    host: { kind: 'string', value: 'ADDRESS', help: 'Address to listen on (default: 127.0.0.1)' },
    'token-file': {
      kind: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'File with the token that clients must present',
    },
    index: { kind: 'boolean', negatable: true, help: 'Bring the index up to date first (default: yes)' },
  },
  examples: [
    { line: 'sextant serve', meaning: 'this folder, on port 7420' },
    { line: 'sextant serve ~/code/shop --port 8000', meaning: 'another folder and port' },
    { line: 'sextant serve --host 0.0.0.0 --token-file ~/.sextant-token', meaning: 'for other machines' },
  ],
  async run({ flags, operands }, session) {
    const folder = resolve(session.cwd, flags.workspace ?? operands.folder ?? '.');
    const settings = await session.settings(folder);
    const { values } = settings;
    const tokenFile = flags['token-file'] ?? atHome(values['serve.token_file']);
    const engine = await session.engine(folder, 'server');
    const { root } = await engine.project(folder);
    const options = {
      engine: () => Promise.resolve(engine),
      host: flags.host ?? values['serve.host'],
      port: flags.port ?? values['serve.port'],
      workspace: root,
      settings,
      tokenFile: tokenFile === '' ? null : resolve(session.cwd, tokenFile),
    };
    // Listening comes first: a port or token that is wrong is told before minutes are spent on indexing.
    const server = await listen(session, options, flags.port !== undefined);
    try {
      if (flags.index ?? true) await bringUpToDate(session, folder);
      await openWatched(session, root);
      announce(session, server, root, options.tokenFile);
      await untilAborted(session.signal);
    } finally {
      await server.close();
    }
  },
});

/** Somebody else at work on the same index is no reason to end: what there is is served, and the watch goes on from there. */
async function bringUpToDate(session: Session, folder: string): Promise<void> {
  try {
    session.say(summaryLine(await indexWithProgress(session, folder, {})));
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'index_in_progress')) throw error;
    session.say(`${printableLine(error.message)} It is served meanwhile.`);
  }
}

function announce(session: Session, server: HttpServer, root: string, tokenFile: string | null): void {
  const { out } = session.terminal;
  const url = `${server.url}/mcp`;
  out.write(`${out.style.green('✓')} Serving ${printableLine(root)} at ${out.style.bold(url)}\n`);
  out.write(`  In a browser: ${server.url}/\n\n`);
  out.write(
    `${connectLines({ url, launcher: session.launcher, workspace: root, tokenFile }, out.style).join('\n')}\n\n`,
  );
  out.write(`${out.style.grey('Ctrl-C ends it.')}\n`);
}

async function listen(session: Session, options: HttpOptions, fixedPort: boolean) {
  for (let tried = 0; ; tried++) {
    const port = options.port === 0 ? 0 : options.port + tried;
    try {
      return await session.outside.serveHttp({ ...options, port });
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

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
