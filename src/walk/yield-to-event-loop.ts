/** Keeps long synchronous stretches short, so that a signal can arrive and others get their turn. */
import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../model/records/engine-errors.ts';

const STRETCH_MS = 25;

/** Call it often; it waits for the event loop only when a stretch is over. Throws `cancelled`. */
export function createPause(signal?: AbortSignal): () => Promise<void> | undefined {
  let stretchEnd = performance.now() + STRETCH_MS;
  const check = () => {
    if (signal?.aborted) throw new EngineError('cancelled');
  };
  check();
  return () => {
    if (performance.now() < stretchEnd) return undefined;
    return setImmediate().then(() => {
      check();
      stretchEnd = performance.now() + STRETCH_MS;
    });
  };
}
