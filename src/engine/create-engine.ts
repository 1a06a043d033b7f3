/** Makes the engine that edges see: it answers for one project or for several, redacts, and throws EngineError only. */
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
  const alone = new LocalEngine(parts);
  const { projects, indexFreshness, models, assistance } = parts;
  const memories = () => parts.memories();
  const members = config.membersOf ?? ((scope: Scope) => membersOf(config.home, scope));
  const calls = new WorkspaceCalls({ members, projects, indexFreshness, models, assistance, memories, alone });
  /** Every answer passes here: no error but EngineError leaves, and no access token that stands in a file. */
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = await work();
      return isRedacting(config) ? redactDeep(answer) : answer;
    } catch (error) {
      throw toEngineError(error);
    }
  };
  return new ScopedEngine(alone, calls, guard);
}
