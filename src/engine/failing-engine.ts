/**
 * An engine that rejects every call with the reason why no engine could be created, so that each contract reports that
 * error in its own form.
 */
import type { EngineError } from '../model/records/engine-errors.ts';
import { RoutedEngine } from './forwarding-engine.ts';

export class FailingEngine extends RoutedEngine {
  readonly languageModel = null;
  readonly hasLocalFiles = true;
  readonly #reason: EngineError;

  constructor(reason: EngineError) {
    super();
    this.#reason = reason;
  }

  protected about(): Promise<never> {
    return Promise.reject(this.#reason);
  }

  protected general(): Promise<never> {
    return Promise.reject(this.#reason);
  }

  async close(): Promise<void> {}
}
