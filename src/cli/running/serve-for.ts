/** Serves a client with the machine's engine: shared by all commands that serve agents. */
import type { ProfileName } from '../../contracts/contract.ts';
import type { Session } from './command-session.ts';
import type { ServeClientOptions, ServedClient } from './served-client.ts';
import { watchFor } from './watch-for-server.ts';

/**
 * Contracts whose agents make the first index themselves after a not-indexed error; an automatic index would break
 * that.
 */
const HAVE_INDEX_TOOL: readonly ProfileName[] = ['gocontext', 'swiftindex', 'codecompass'];

type ClientOptions = Pick<ServeClientOptions, 'client' | 'isShared' | 'input' | 'output' | 'onOwnEngine'>;

export async function serveFor(session: Session, options: ClientOptions): Promise<void> {
  await session.outside.serveClient({
    ...options,
    // The log goes to the user who started the server.
    isShared: options.isShared && !session.verbose,
    signal: session.signal,
    engineFor: (settings) => session.engineFor(settings),
    settingsOf: (path) => session.settings(path),
    watch: (engine, client) =>
      watchFor(session, engine, client.kind === 'http' ? client.root : client.workspace, watchOptions(client)),
  });
}

function watchOptions(client: ServedClient) {
  if (client.kind === 'http') return {};
  return { fallback: client.fallbackWorkspace, makesIndex: !HAVE_INDEX_TOOL.includes(client.profile) };
}
