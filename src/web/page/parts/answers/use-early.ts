/**
 * Ranked results of a first index that is being made: asked for again as it grows. What is shown changes only while
 * nobody can lose a line that is being read, or when the reader wants it.
 */
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { EarlyAnswer } from '../../../../model/records/query.ts';
import { ask, type Parameters } from '../../data/api.ts';
import { StatusContext } from '../../data/status.ts';

export interface Early {
  /** False until it is known whether there is an answer yet. */
  readonly isAsked: boolean;
  readonly shown: EarlyAnswer | null;
  /** Results of the newest ranking that are not shown. */
  readonly newResults: number;
  show(): void;
}

/** `isFree`: what is shown in the place of results may go. The parameters must stay the same. */
export function useEarly(parameters: Parameters, isFree: () => boolean): Early {
  const { status } = useContext(StatusContext);
  const [isAsked, setAsked] = useState(false);
  const [newest, setNewest] = useState<EarlyAnswer | null>(null);
  const [shown, setShown] = useState<EarlyAnswer | null>(null);
  const isAsking = useRef(false);
  /** How many files the run had read then: without more of them there is nothing new. */
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
        // Ranked results stay as they are; what stands in for them makes room.
        setShown((before) => ((before?.answer.hits.length ?? 0) === 0 && isFree() ? early : before));
      })
      // The lines of the files answer instead, and the published index in the end.
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
