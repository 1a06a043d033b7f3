/**
 * A time limit for the answer of another process. It counts only time in which this process could have received the
 * answer: while this process or the machine is busy, timers are late and the answer may be waiting unread.
 */
const TICK_MS = 100;

export interface PatientTimeout {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  stop(): void;
}

export function startPatientTimeout(timeoutMs: number): PatientTimeout {
  const controller = new AbortController();
  const tickMs = Math.min(TICK_MS, timeoutMs);
  let left = Math.ceil(timeoutMs / tickMs);
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
  }, tickMs);
  timer.unref();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
