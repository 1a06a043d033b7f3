/**
 * The HTTP servers of one process. Clients that request the same address share one server, which closes with the last
 * of them.
 */
import type { HttpHandle } from './serve-http.ts';

export interface ListenerWish {
  readonly host: string;
  readonly port: number;
  readonly isFixedPort: boolean;
  readonly tokenFile: { readonly path: string } | null;
  readonly root: string;
  readonly unnamedRoot?: string;
}

interface Listener {
  readonly handle: Promise<HttpHandle>;
  /** The project of URLs without a project name, set by the first client. */
  readonly unnamedRoot: string;
  /** The projects that the clients serve, one entry per client. */
  readonly roots: string[];
}

export interface ListenerLease {
  readonly handle: HttpHandle;
  readonly unnamedRoot: string;
  /** The requested port, if another process has it; otherwise null. */
  readonly takenPort: number | null;
  release(): Promise<void>;
}

/** Opens a server on a port; `isServed` returns whether a client serves the project. */
export type OpenListener = (port: number, isServed: (root: string) => boolean) => Promise<HttpHandle>;

/** Thrown if a port is not available. */
export class PortUnavailable extends Error {
  constructor(
    readonly code: string,
    readonly port: number,
    cause: unknown,
  ) {
    super(`Port ${port}: ${code}`, { cause });
  }
}

const PORTS_TO_TRY = 20;
const UNAVAILABLE_CODES = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'];

export class HttpListeners {
  readonly #open = new Map<string, Listener>();

  /** Throws PortTrouble. */
  async use(wish: ListenerWish, open: OpenListener): Promise<ListenerLease> {
    // Port 0 always gives a port of its own.
    const key = wish.port === 0 ? null : JSON.stringify([wish.host, wish.port, wish.tokenFile?.path]);
    let listener = key === null ? undefined : this.#open.get(key);
    if (!listener) {
      const roots: string[] = [];
      const unnamedRoot = wish.unnamedRoot ?? wish.root;
      listener = { roots, unnamedRoot, handle: openOnPort(wish, (port) => open(port, (root) => roots.includes(root))) };
      if (key !== null) this.#open.set(key, listener);
    }
    const { roots, unnamedRoot } = listener;
    roots.push(wish.root);
    const release = async () => {
      roots.splice(roots.indexOf(wish.root), 1);
      if (roots.length > 0) return;
      if (key !== null) this.#open.delete(key);
      await listener.handle.then((handle) => handle.close());
    };
    try {
      const handle = await listener.handle;
      const isWanted = wish.port === 0 || handle.port === wish.port;
      return { handle, unnamedRoot, release, takenPort: isWanted ? null : wish.port };
    } catch (error) {
      roots.splice(roots.indexOf(wish.root), 1);
      if (key !== null) this.#open.delete(key);
      throw error;
    }
  }
}

/** Opens the requested port, or the next free one unless the user chose it. */
async function openOnPort({ port, isFixedPort }: ListenerWish, open: (port: number) => Promise<HttpHandle>) {
  for (let attempt = 0; ; attempt++) {
    const next = port === 0 ? 0 : port + attempt;
    try {
      return await open(next);
    } catch (thrown) {
      const code = unavailableCode(thrown);
      if (code === null) throw thrown;
      const isLast = isFixedPort || attempt >= PORTS_TO_TRY || next === 0 || next >= 65_535;
      if (code !== 'EADDRINUSE' || isLast) throw new PortUnavailable(code, next, thrown);
    }
  }
}

function unavailableCode(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as NodeJS.ErrnoException;
    if (code && UNAVAILABLE_CODES.includes(code)) return code;
  }
  return null;
}
