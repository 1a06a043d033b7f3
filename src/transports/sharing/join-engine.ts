/**
 * Connects to the machine's engine or becomes it. Of several processes that start at once, or lose their engine at
 * once, the one that binds the address is the engine, and the others connect to it.
 */
import { chmodSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 100;
const PAUSE_MS = 20;
/** A process that holds the lock works for a few milliseconds; one that was killed meanwhile left its file. */
const LOCK_EXPIRES_MS = 5_000;

export type Joined =
  | { readonly role: 'client'; readonly socket: Socket }
  | { readonly role: 'engine'; readonly server: Server };

/** Throws if the address can neither be reached nor bound. */
export async function joinEngine(path: string): Promise<Joined> {
  for (let tries = 0; tries < TRIES; tries++) {
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

/** Null where another process was first. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(path, () => {
      try {
        // At once: a client that connects before the engine listens for clients would wait for nothing.
        if (process.platform !== 'win32') chmodSync(path, 0o600);
        resolve(server);
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

/** The socket of a killed engine. One process at a time looks, so that none removes the socket of the next engine. */
async function removeStale(path: string): Promise<void> {
  const lock = `${path}.lock`;
  const held = await open(lock, 'wx', 0o600).catch(() => null);
  if (!held) {
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > LOCK_EXPIRES_MS) await rm(lock, { force: true });
    await pause(PAUSE_MS);
    return;
  }
  try {
    // Between binding and listening, which takes no time, a new engine refuses connections, too.
    await pause(PAUSE_MS);
    const socket = await connect(path);
    if (typeof socket === 'object') socket.destroy();
    else if (socket === 'nobody listens') await rm(path, { force: true });
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
}
