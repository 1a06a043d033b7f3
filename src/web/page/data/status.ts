/** Polls the state of the index: often during a run, rarely otherwise. */
import { createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProjectStatus } from '../../../engine/engine.ts';
import { ask } from './api.ts';
import { forgetAnswers } from './use-answer.ts';

const BUSY_MS = 500;
const CALM_MS = 5_000;

export interface Shown {
  readonly status: ProjectStatus | null;
  readonly error: unknown;
}

export const StatusContext = createContext<Shown>({ status: null, error: undefined });

const LOOK = 'sextant-look';

/** Fetches the status at once, after an action has started. */
export function lookAtStatus(): void {
  dispatchEvent(new Event(LOOK));
}

/** `place` identifies the shown project and ref; the status is fetched at once when it changes. */
export function useStatus(place: string): Shown {
  const [shown, setShown] = useState<Shown>({ status: null, error: undefined });
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let published: number | null | undefined;
    const look = async () => {
      clearTimeout(timer);
      let busy = false;
      try {
        const status = await ask('status', {}, leaving.signal);
        busy = status.indexing === 'indexing';
        if (published !== undefined && published !== status.lastIndexedAtMs) forgetAnswers();
        published = status.lastIndexedAtMs;
        setShown({ status, error: undefined });
      } catch (error) {
        if (leaving.signal.aborted) return;
        setShown((before) => ({ ...before, error }));
      }
      if (!leaving.signal.aborted) timer = setTimeout(look, busy ? BUSY_MS : CALM_MS);
    };
    void look();
    const awake = () => {
      if (!document.hidden) void look();
    };
    document.addEventListener('visibilitychange', awake);
    addEventListener(LOOK, look);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', awake);
      removeEventListener(LOOK, look);
    };
  }, [place]);
  return shown;
}
