/** Watches the projects of a server's clients. */
import type { Engine } from '../../engine/engine.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { Session } from './command-session.ts';

type Stop = () => Promise<void>;

export interface WatchOptions {
  /**
   * A folder that the user did not name. It is watched if it has an index, but not indexed, because the server may have
   * been started there by accident.
   */
  readonly fallback?: string | null;
  /** False leaves the first index to the agent; the project is watched after it. */
  readonly makesIndex?: boolean;
}

/** Starts a watch. A failure is only a remark: without a watch, answers still say how fresh they are. */
export async function watchFor(
  session: Session,
  engine: Engine,
  workspace: string | null,
  { fallback = null, makesIndex = true }: WatchOptions = {},
): Promise<Stop> {
  if (workspace !== null && parseScope(workspace)) return watchAll(session, engine, workspace, makesIndex);
  try {
    const folder = makesIndex && workspace !== null ? workspace : await indexedRoot(engine, workspace ?? fallback);
    if (folder === null) {
      const later = workspace ?? fallback;
      return later === null ? async () => {} : await engine.watch(later, undefined, { onceIndexed: true });
    }
    const stop = await engine.watch(folder);
    // Not awaited: status() checks the whole folder, and the first question must not wait for it.
    void sayIfPolling(session, engine, folder);
    return stop;
  } catch (thrown) {
    session.say(`Not watching ${workspace ?? fallback} for changes: ${toEngineError(thrown).message}`);
    return async () => {};
  }
}

async function sayIfPolling(session: Session, engine: Engine, folder: string): Promise<void> {
  // Without a status, the next question reports the error.
  const status = await engine.status(folder).catch(() => null);
  if (status?.watching === 'polling')
    session.say(`No file events for ${folder}: changes are looked for every two seconds. \`sextant doctor\` says why.`);
}

/** Watches every repository of a workspace. One that cannot be watched is reported; the others are watched. */
async function watchAll(session: Session, engine: Engine, scope: string, makesIndex: boolean): Promise<Stop> {
  const stops: Stop[] = [];
  for (const { name, root } of await engine.members(scope)) {
    try {
      const onceIndexed = !makesIndex && (await indexedRoot(engine, root)) === null;
      stops.push(await engine.watch(root, undefined, { onceIndexed }));
    } catch (thrown) {
      session.say(`Not watching ${name} for changes: ${toEngineError(thrown).message}`);
    }
  }
  return async () => {
    for (const stop of stops) await stop();
  };
}

async function indexedRoot(engine: Engine, folder: string | null): Promise<string | null> {
  if (folder === null) return null;
  const { project, indexing } = await engine.status(folder);
  return indexing === 'ready' || indexing === 'indexing' ? project.root : null;
}
