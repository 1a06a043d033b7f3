/** State that all connections of one served profile share; nothing of a single client. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Log, Metrics, Profile } from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { FailingEngine } from '../engine/failing-engine.ts';
import { toEngineError } from '../model/records/engine-errors.ts';
import { TaskStore } from './tasks/task-list.ts';

/**
 * The engine, or a function that loads it: at the first tool call, after the client's `initialize` is answered.
 * `usesIndex`: answers come from the project's index, which is then watched.
 */
export type EngineSource = Engine | ((usesIndex: boolean) => Promise<Engine>);

export interface ProfileHost {
  readonly profile: Profile;
  readonly engine: () => Promise<Engine>;
  readonly workspace: string | null;
  /** The project of a call if neither `--workspace` nor a root of the client names one. */
  readonly fallbackWorkspace: string | null;
  /** The project of the last call: metrics are saved for it. */
  readonly standing: { folder: string | null };
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
  Partial<Pick<ProfileHost, 'fallbackWorkspace' | 'standing'>>;

export function createHost(options: HostOptions): ProfileHost {
  // Every running call adds a listener; their number is no leak.
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

/** The engine of all connections, opened at the first request; after a failure the next request tries again. */
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
