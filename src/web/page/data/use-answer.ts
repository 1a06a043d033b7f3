/** A hook that fetches an answer of the server; the last answer stays while a newer one is loaded. */
import { useEffect, useState } from 'preact/hooks';
import type { Answers } from '../../api/page-api.ts';
import { addressOf, ask, type Parameters } from './api.ts';

export interface Answer<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
}

interface State<T> {
  readonly address: string | null;
  readonly value: T | undefined;
  readonly error: unknown;
}

/** Cache of the last answers, so that going back shows them at once. */
const cachedAnswers = new Map<string, unknown>();
const MAX_CACHED_ANSWERS = 60;
const listeners = new Set<() => void>();

/** Drops cached answers and fetches everything shown again, after the index has changed. */
export function forgetAnswers(): void {
  cachedAnswers.clear();
  for (const listener of listeners) listener();
}

/** Fetches and caches an answer; a component that needs it afterwards has it at once. */
export async function fetchAnswer<K extends keyof Answers>(name: K, parameters: Parameters): Promise<Answers[K]> {
  const address = addressOf(name, parameters);
  const known = cachedAnswers.get(address) as Answers[K] | undefined;
  const value = known ?? (await ask(name, parameters));
  keep(address, value);
  return value;
}

/** With null `parameters`, fetches nothing yet. */
export function useAnswer<K extends keyof Answers>(name: K, parameters: Parameters | null): Answer<Answers[K]> {
  const address = parameters === null ? null : addressOf(name, parameters);
  const [state, setState] = useState<State<Answers[K]>>(() => {
    const value = address === null ? undefined : (cachedAnswers.get(address) as Answers[K] | undefined);
    return { address: value === undefined ? null : address, value, error: undefined };
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const again = () => setRound((before) => before + 1);
    listeners.add(again);
    return () => void listeners.delete(again);
  }, []);
  useEffect(() => {
    if (address === null) return;
    const known = cachedAnswers.get(address) as Answers[K] | undefined;
    if (known !== undefined) {
      setState({ address, value: known, error: undefined });
      return;
    }
    const leaving = new AbortController();
    ask(name, parameters!, leaving.signal).then(
      (value) => {
        if (leaving.signal.aborted) return;
        keep(address, value);
        setState({ address, value, error: undefined });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setState({ address, value: undefined, error });
      },
    );
    return () => leaving.abort();
  }, [address, round]);
  const isCurrent = state.address === address;
  const value =
    isCurrent || address === null ? state.value : ((cachedAnswers.get(address) as Answers[K]) ?? state.value);
  return { value, error: isCurrent ? state.error : undefined, isLoading: !isCurrent && address !== null };
}

function keep(address: string, value: unknown): void {
  cachedAnswers.delete(address);
  cachedAnswers.set(address, value);
  if (cachedAnswers.size > MAX_CACHED_ANSWERS) cachedAnswers.delete(cachedAnswers.keys().next().value!);
}
