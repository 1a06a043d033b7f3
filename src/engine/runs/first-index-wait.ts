/**
 * Wraps the engine of a server that makes the first index by itself: a question that comes too early waits a few
 * seconds for it.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Engine } from '../engine.ts';
import { type FolderMethod, ForwardingEngine } from '../forwarding-engine.ts';

/**
 * Most first indexes take less time, and no client gives up on a call of this length. The context-tool contract allows
 * a search five seconds: the remaining half second is for the answer.
 */
const MAX_WAIT_MS = 4_500;
const QUESTIONS: ReadonlySet<FolderMethod> = new Set<FolderMethod>([
  'search',
  'locate',
  'symbol',
  'research',
  'contextSearch',
  'map',
  'findPaths',
]);

export function waitingForFirstIndex(engine: Engine, signal: AbortSignal): Engine {
  return new WaitingEngine(engine, signal);
}

class WaitingEngine extends ForwardingEngine {
  readonly #signal: AbortSignal;

  constructor(inner: Engine, signal: AbortSignal) {
    super(inner);
    this.#signal = signal;
  }

  protected override async about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    try {
      return await super.about<T>(method, path, args);
    } catch (error) {
      const isEarly = QUESTIONS.has(method) && error instanceof EngineError && error.code === 'not_indexed';
      const options = { timeoutMs: MAX_WAIT_MS, signal: this.#signal };
      if (!isEarly || !(await this.inner.firstIndex(path, options))) throw error;
      return super.about(method, path, args);
    }
  }
}
