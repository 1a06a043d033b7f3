/** What callers send is looked at before anything is done with it: types are promises that a caller without a compiler does not make. */
import { EngineError } from '../model/errors.ts';

const MAX_QUERY = 10_000;
const MAX_RESULTS = 1_000_000;

const wrong = (reason: string) => new EngineError('invalid_input', { reason });

/** A text with something in it. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') throw wrong(`The ${what} must be a text.`);
  if (value.trim() === '') throw wrong(`The ${what} is empty.`);
}

interface Asked {
  readonly limit?: number;
  readonly contextLines?: number;
  readonly semanticWeight?: number;
}

/** A request with the text it is about, and numbers within their range. */
export function checkRequest<F extends string>(
  request: Asked & Readonly<Record<F, string>>,
  field: F,
  maxLimit = MAX_RESULTS,
): void {
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw wrong(`The request must be an object with a ${field}.`);
  const { limit, contextLines, semanticWeight } = request;
  checkText(request[field], field);
  if (limit !== undefined && !isWhole(limit, 1, maxLimit))
    throw wrong(`The limit must be a whole number from 1 to ${maxLimit}.`);
  if (contextLines !== undefined && !isWhole(contextLines, 0, MAX_RESULTS))
    throw wrong('The number of context lines must be a whole number from 0 on.');
  if (semanticWeight !== undefined && !(semanticWeight >= 0 && semanticWeight <= 1))
    throw wrong('The semantic weight must lie between 0 and 1.');
}

/** A question in words: empty and endless ones have errors of their own. */
export function checkQuery(request: Asked & { readonly query: string }, maxLimit = MAX_RESULTS): void {
  if (typeof request?.query === 'string' && request.query.trim() === '') throw new EngineError('empty_query');
  checkRequest(request, 'query', maxLimit);
  const { length } = request.query;
  if (length > MAX_QUERY) throw wrong(`The query has ${length} characters; at most ${MAX_QUERY} are read.`);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
