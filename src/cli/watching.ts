/** A server's engine: opened, and following its project's changes. */
import type { Engine } from '../engine/engine.ts';
import { toEngineError } from '../model/errors.ts';
import type { Session } from './session.ts';

/** Watching is a comfort: where it cannot be had, answers say how fresh they are, so its failure is a remark and no more. */
export async function openWatched(session: Session, workspace: string | null): Promise<Engine> {
  const engine = await session.engine(workspace ?? '.', 'server');
  if (workspace !== null)
    await engine.watch(workspace).catch((thrown: unknown) => {
      session.say(`Not watching ${workspace} for changes: ${toEngineError(thrown).message}`);
    });
  return engine;
}
