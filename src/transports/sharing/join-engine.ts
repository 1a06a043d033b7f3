/**
 * Connects to the machine's shared engine or becomes it. If several processes start at the same time, or lose their
 * engine at the same time, the one that binds the address becomes the engine and the others connect to it.
 */
import { chmodSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const MAX_ATTEMPTS = 100;
const PAUSE_MS = 20;
/** Age at which a lock file is stale: a process holds it for a few milliseconds, unless it was killed. */
const LOCK_EXPIRES_MS = 5_000;

export type Joined =
  | { readonly role: 'client'; readonly socket: Socket }
  | { readonly role: 'engine'; readonly server: Server };

/** Throws if the address can neither be reached nor bound. */
export async function joinEngine(path: string): Promise<Joined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const socket = await connect(path);
    if (typeof socket === 'object') return { role: 'client', socket };
    if (socket === 'nobody listens') await removeStale(path);
    if (socket === 'busy') await pause(PAUSE_MS);
    const server = socket === 'busy' ? null : await listen(path);
    if (server) return { role: 'engine', server };
  }
  throw new Error(`${path} can be neither reached nor bound.`);
}

type Unreachable = 'absent' | 'nobody listens' | 'busy';

const MEANING: Readonly<Record<string, Unreachable>> = {
  ENOENT: 'absent',
  ECONNREFUSED: 'nobody listens',
  EAGAIN: 'busy',
  ECONNRESET: 'busy',
};

function connect(path: string): Promise<Socket | Unreachable> {
  return new Promise((resolve, reject) => {
    const socket = openSocket({ path, allowHalfOpen: true });
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const meaning = MEANING[error.code ?? ''];
      if (meaning) resolve(meaning);
      else reject(error);
    });
  });
}

/** Returns null if another process has bound the address. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(path, () => {
      try {
        // Synchronous: a client that connects before the engine has its connection listener would wait forever.
        if (process.platform !== 'win32') chmodSync(path, 0o600);
        resolve(server);
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

/**
 * Removes the socket of a killed engine. One process at a time does so, so that none removes the socket of the next
 * engine.
 */
async function removeStale(path: string): Promise<void> {
  const lock = `${path}.lock`;
  const lockFile = await open(lock, 'wx', 0o600).catch(() => null);
  if (!lockFile) {
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > LOCK_EXPIRES_MS) await rm(lock, { force: true });
    await pause(PAUSE_MS);
    return;
  }
  try {
    // For an instant between binding and listening, a new engine also refuses connections.
    await pause(PAUSE_MS);
    const socket = await connect(path);
    if (typeof socket === 'object') socket.destroy();
    else if (socket === 'nobody listens') await rm(path, { force: true });
  } finally {
    await lockFile.close();
    await rm(lock, { force: true });
  }
}
