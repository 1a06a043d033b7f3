/** What all connections of one served profile share. Nothing here belongs to one client. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Log, Metrics, Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { FailingEngine } from '../engine/failing-engine.ts';
import { toEngineError } from '../model/records/engine-errors.ts';
import { TaskStore } from './tasks/task-list.ts';

/**
 * The engine, or how to get it: it is loaded when the first tool is called, not before a client's `initialize` is
 * answered. `usesIndex`: answers come from the project's index, which is worth following then.
 */
export type EngineSource = Engine | ((usesIndex: boolean) => Promise<Engine>);

export interface ProfileHost {
  readonly profile: Profile;
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  /** Where neither a workspace nor a root of the client says which project is meant. */
  readonly fallbackWorkspace: string | null;
  /** The project that calls were last about: what this server's books belong to. */
  readonly standing: { folder: string | null };
  readonly metrics: Metrics;
  readonly tasks: TaskStore;
  readonly log: Log;
  /** Aborted when the process goes down. */
  readonly shutdown: AbortSignal;
  /** Session name of clients whose transport has none. */
  readonly session: string;
  /** Signs what travels through a client and comes back. */
  readonly stateKey: Uint8Array;
}

export type HostOptions = Pick<ProfileHost, 'profile' | 'engine' | 'workspace' | 'metrics' | 'log' | 'shutdown'> &
  Partial<Pick<ProfileHost, 'fallbackWorkspace' | 'standing'>>;

export function createHost(options: HostOptions): ProfileHost {
  // Every call under way listens to it: many are no leak.
  setMaxListeners(0, options.shutdown);
  return {
    ...options,
    fallbackWorkspace: options.fallbackWorkspace ?? null,
    standing: options.standing ?? { folder: null },
    tasks: new TaskStore(options.shutdown),
    session: randomUUID(),
    stateKey: randomBytes(32),
  };
}

/** One engine for all connections, made at the first request for it; after a failure the next request tries again. */
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
