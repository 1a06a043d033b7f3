/** The state that all connections of one served profile share. It holds nothing about a single client. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Log, Metrics, Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { FailingEngine } from '../engine/failing-engine.ts';
import { toEngineError } from '../model/records/engine-errors.ts';
import { TaskStore } from './tasks/task-list.ts';

/**
 * The engine, or a function that loads it at the first tool call, after `initialize` is answered. `usesIndex` is true
 * if answers come from the project's index, which is then watched.
 */
export type EngineSource = Engine | ((usesIndex: boolean) => Promise<Engine>);

export interface ProfileHost {
  readonly profile: Profile;
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  /** The project of a call if neither `--workspace` nor the client's roots name one. */
  readonly fallbackWorkspace: string | null;
  /** The project of the last call, whose folder the metrics are saved in. */
  readonly lastProject: { folder: string | null };
  readonly metrics: Metrics;
  readonly tasks: TaskStore;
  readonly log: Log;
  /** Aborted at shutdown. */
  readonly shutdown: AbortSignal;
  /** Session id of clients whose transport has none. */
  readonly session: string;
  /** Signs state that a client carries and returns. */
  readonly stateKey: Uint8Array;
}

export type HostOptions = Pick<ProfileHost, 'profile' | 'engine' | 'workspace' | 'metrics' | 'log' | 'shutdown'> &
  Partial<Pick<ProfileHost, 'fallbackWorkspace' | 'lastProject'>>;

export function createHost(options: HostOptions): ProfileHost {
  // Every running call adds a listener, so many listeners are no leak.
  setMaxListeners(0, options.shutdown);
  return {
    ...options,
    fallbackWorkspace: options.fallbackWorkspace ?? null,
    lastProject: options.lastProject ?? { folder: null },
    tasks: new TaskStore(options.shutdown),
    session: randomUUID(),
    stateKey: randomBytes(32),
  };
}

/**
 * Returns a function that opens the shared engine at the first request; after a failure, the next request tries again.
 */
export function engineLoader(
  source: EngineSource,
  usesIndex: () => Promise<boolean> = async () => true,
): () => Promise<Engine> {
  if (typeof source !== 'function') return () => Promise.resolve(source);
  let loading: Promise<Engine> | undefined;
  return () => {
    loading ??= usesIndex()
      .then(source)
      .catch((error: unknown) => {
        loading = undefined;
        return new FailingEngine(toEngineError(error));
      });
    return loading;
  };
}
