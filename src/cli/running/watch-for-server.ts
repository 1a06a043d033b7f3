/** A server's engine: opened, and following its project's changes. */
import type { Engine } from '../../engine/engine.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { Session } from './command-session.ts';

export interface WatchOptions {
  /**
   * A folder that nobody named: it is followed if it is indexed, and not indexed because a server happened to start
   * there.
   */
  readonly fallback?: string | null;
  /** False leaves the first index of the workspace to whoever asks for it; changes are followed from then on. */
  readonly makesIndex?: boolean;
}

/**
 * Watching is a comfort: where it cannot be had, answers say how fresh they are, so its failure is a remark and no
 * more.
 */
export async function openWatched(
  session: Session,
  workspace: string | null,
  { fallback = null, makesIndex = true }: WatchOptions = {},
): Promise<Engine> {
  const engine = await session.engine(workspace ?? '.', 'server');
  if (workspace !== null && parseScope(workspace)) return watchAll(session, engine, workspace, makesIndex);
  try {
    const folder = makesIndex && workspace !== null ? workspace : await indexedRoot(engine, workspace ?? fallback);
    if (folder === null) {
      const later = workspace ?? fallback;
      if (later !== null) await engine.watch(later, undefined, { onceIndexed: true });
      return engine;
    }
    await engine.watch(folder);
    if ((await engine.status(folder)).watching === 'polling')
      session.say(
        `No file events for ${folder}: changes are looked for every two seconds. \`sextant doctor\` says why.`,
      );
  } catch (thrown) {
    session.say(`Not watching ${workspace ?? fallback} for changes: ${toEngineError(thrown).message}`);
  }
  return engine;
}

/** Every repository of a workspace. One that cannot be watched is told of, and the others are. */
async function watchAll(session: Session, engine: Engine, scope: string, makesIndex: boolean): Promise<Engine> {
  for (const { name, root } of await engine.members(scope)) {
    try {
      await engine.watch(root, undefined, { onceIndexed: !makesIndex && (await indexedRoot(engine, root)) === null });
    } catch (thrown) {
      session.say(`Not watching ${name} for changes: ${toEngineError(thrown).message}`);
    }
  }
  return engine;
}

async function indexedRoot(engine: Engine, folder: string | null): Promise<string | null> {
  if (folder === null) return null;
  const { project, indexing } = await engine.status(folder);
  return indexing === 'ready' || indexing === 'indexing' ? project.root : null;
}
