/** Interrupts long synchronous work, so that a signal can arrive and other requests make progress. */
import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../model/records/engine-errors.ts';

const MAX_BLOCKING_MS = 25;

/**
 * Returns a function to call often. It yields to the event loop once MAX_BLOCKING_MS have passed since the last time,
 * and throws `cancelled` if the signal was aborted.
 */
export function createEventLoopYield(signal?: AbortSignal): () => Promise<void> | undefined {
  let yieldAtMs = performance.now() + MAX_BLOCKING_MS;
  const check = () => {
    if (signal?.aborted) throw new EngineError('cancelled');
  };
  check();
  return () => {
    if (performance.now() < yieldAtMs) return undefined;
    return setImmediate().then(() => {
      check();
      yieldAtMs = performance.now() + MAX_BLOCKING_MS;
    });
  };
}
