/**
 * A time limit for somebody else's answer that counts only the time in which this process could have received it: on a
 * machine or in a process that is busy, timers come late, and an answer that lies there unread is nobody's fault.
 */
const TICK_MS = 100;

export interface PatientTimeout {
  /** Aborts when the time is up. */
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
