/**
 * Keeps the last calls that this server answered in memory: what an agent queried, how much it got, how long it took.
 */
import { isRecord } from '../../../model/runtime/is-record.ts';
import type { CallRecord } from './call-metrics.ts';

export interface RecentCall extends CallRecord {
  readonly atMs: number;
  readonly session: string;
  /** The text of the call: its query, name, path or pattern. */
  readonly asked: string;
  /** The size of the answer ("10 results"); '' if it is no list. */
  readonly found: string;
}

const MAX_CALLS = 300;
const MAX_WORDS = 200;
const QUERY_FIELDS = ['query', 'name', 'pattern', 'content', 'path', 'ref'];
/** Fields with lists, and the noun for one of their items. */
const ITEM_NOUNS: Readonly<Record<string, string>> = {
  results: 'result',
  matches: 'match',
  evidence: 'piece of evidence',
  symbols: 'symbol',
  candidates: 'candidate',
};

export class RecentCalls {
  readonly #calls: RecentCall[] = [];

  add(call: CallRecord & { readonly session: string; readonly args: unknown; readonly structured: unknown }): void {
    const { session, args, structured, ...record } = call;
    this.#calls.push({ ...record, atMs: Date.now(), session, asked: queryOf(args), found: foundIn(structured) });
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
  }

  /** Newest first. */
  list(): readonly RecentCall[] {
    return [...this.#calls].reverse();
  }
}

function queryOf(args: unknown): string {
  if (!isRecord(args)) return '';
  const words = QUERY_FIELDS.map((name) => args[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof words === 'string' ? words.replace(/\s+/g, ' ').slice(0, MAX_WORDS) : '';
}

function foundIn(structured: unknown): string {
  if (!isRecord(structured)) return '';
  const name = Object.keys(ITEM_NOUNS).find((list) => Array.isArray(structured[list]));
  if (name === undefined) return '';
  const { length } = structured[name] as unknown[];
  return `${length} ${length === 1 ? ITEM_NOUNS[name] : name}`;
}
