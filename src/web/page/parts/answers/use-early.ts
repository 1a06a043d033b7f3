/**
 * A hook that fetches ranked results during the first index, again and again as it grows. Shown results change only
 * when nobody is reading them, or on request.
 */
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { EarlyAnswer } from '../../../../model/records/query.ts';
import { ask, type Parameters } from '../../data/api.ts';
import { StatusContext } from '../../data/status.ts';

export interface Early {
  /** False until the first response. */
  readonly isAsked: boolean;
  readonly shown: EarlyAnswer | null;
  /** Number of results in the newest ranking that are not shown yet. */
  readonly newResults: number;
  show(): void;
}

/** `isFree` returns whether the shown content may be replaced. The parameters must stay the same. */
export function useEarly(parameters: Parameters, isFree: () => boolean): Early {
  const { status } = useContext(StatusContext);
  const [isAsked, setAsked] = useState(false);
  const [newest, setNewest] = useState<EarlyAnswer | null>(null);
  const [shown, setShown] = useState<EarlyAnswer | null>(null);
  const isAsking = useRef(false);
  /** Number of files of the last response: the server answers only with more files. */
  const askedAt = useRef(0);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  useEffect(() => {
    if (isAsking.current || status?.indexing !== 'indexing' || status.lastIndexedAtMs !== null) return;
    const done = status.progress?.done ?? 0;
    if (done === 0) setAsked(true);
    if (done === askedAt.current) return;
    askedAt.current = done;
    isAsking.current = true;
    ask('soFar', { ...parameters, known: newest?.filesDone }, leaving.current.signal)
      .then(({ early }) => {
        if (!early) return;
        setNewest(early);
        // Keeps ranked results; replaces placeholders.
        setShown((before) => ((before?.answer.hits.length ?? 0) === 0 && isFree() ? early : before));
      })
      // On an error, the matching lines stay until the index is published.
      .catch(() => undefined)
      .finally(() => {
        isAsking.current = false;
        setAsked(true);
      });
  }, [status]);
  const known = new Set(shown?.answer.hits.map(({ path, startLine }) => `${path}:${startLine}`));
  const news = (newest?.answer.hits ?? []).filter(({ path, startLine }) => !known.has(`${path}:${startLine}`));
  return { isAsked, shown, newResults: news.length, show: () => setShown(newest) };
}
