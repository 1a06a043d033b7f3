/**
 * Creates the engine that the edges see. It answers for one project or several, redacts answers, and throws only
 * EngineError.
 */
import { toEngineError } from '../model/records/engine-errors.ts';
import type { Scope } from '../model/records/scope.ts';
import { redactDeep } from '../model/secrets/redact-deep.ts';
import type { Engine } from './engine.ts';
import { type EngineConfig, isRedacting } from './engine-config.ts';
import { EngineParts } from './engine-parts.ts';
import { LocalEngine } from './local-engine.ts';
import { ScopedEngine } from './workspaces/scoped-engine.ts';
import { WorkspaceCalls } from './workspaces/workspace-calls.ts';
import { membersOf } from './workspaces/workspace-list.ts';

export function createEngine(config: EngineConfig): Engine {
  const parts = new EngineParts(config);
  const localEngine = new LocalEngine(parts);
  const { projects, indexFreshness, models, assistance } = parts;
  const memories = () => parts.memories();
  const members = config.membersOf ?? ((scope: Scope) => membersOf(config.home, scope));
  const calls = new WorkspaceCalls({ members, projects, indexFreshness, models, assistance, memories, localEngine });
  /** Every call passes through here: answers lose the access tokens that files contain, errors become EngineError. */
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = await work();
      return isRedacting(config) ? redactDeep(answer) : answer;
    } catch (error) {
      throw toEngineError(error);
    }
  };
  return new ScopedEngine(localEngine, calls, guard);
}
