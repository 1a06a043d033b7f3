/** A server's engine follows the changes of the projects that are asked about. */
import type { Engine } from '../../engine/engine.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { Session } from './command-session.ts';

type Stop = () => Promise<void>;

export interface WatchOptions {
  /**
   * A folder that the user did not name: it is followed if it is indexed, and not indexed because a server happened to
   * start there.
   */
  readonly fallback?: string | null;
  /** False leaves the first index of the workspace to the agent; changes are followed from then on. */
  readonly makesIndex?: boolean;
}

/**
 * Watching is a comfort: where the system refuses it, answers say how fresh they are, so a failure is a remark and no
 * more.
 */
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
    // A status looks at the whole folder, and the first question waits for the watch.
    void sayIfPolling(session, engine, folder);
    return stop;
  } catch (thrown) {
    session.say(`Not watching ${workspace ?? fallback} for changes: ${toEngineError(thrown).message}`);
    return async () => {};
  }
}

async function sayIfPolling(session: Session, engine: Engine, folder: string): Promise<void> {
  // Where there is no status, a question tells why.
  const status = await engine.status(folder).catch(() => null);
  if (status?.watching === 'polling')
    session.say(`No file events for ${folder}: changes are looked for every two seconds. \`sextant doctor\` says why.`);
}

/** Every repository of a workspace. One that cannot be watched is reported, and the others are watched. */
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
