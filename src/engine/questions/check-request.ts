/** Checks the types of a request at run time, because callers from plain JavaScript are not checked by a compiler. */
import { EngineError } from '../../model/records/engine-errors.ts';

const MAX_QUERY = 10_000;
const MAX_RESULTS = 1_000_000;

const wrong = (reason: string) => new EngineError('invalid_input', { reason });

export function checkIsText(value: unknown, what: string): asserts value is string {
  if (typeof value !== 'string') throw wrong(`The ${what} must be a text.`);
}

/** A text with something in it. */
export function checkText(value: unknown, what: string): void {
  checkIsText(value, what);
  if (value.trim() === '') throw wrong(`The ${what} is empty.`);
}

type Kind = 'text' | 'texts' | 'number' | 'objects' | 'fields' | 'signal';

/** The type of each field that requests share. Switches are not checked: any value is on or off. */
const FIELDS: Readonly<Record<string, Kind>> = {
  pattern: 'text',
  ref: 'text',
  module: 'text',
  session: 'text',
  folder: 'text',
  kind: 'text',
  language: 'text',
  filePattern: 'text',
  config: 'text',
  kinds: 'texts',
  exactKinds: 'texts',
  paths: 'texts',
  languages: 'texts',
  extensions: 'texts',
  packages: 'texts',
  dddRoles: 'texts',
  chunkTypes: 'texts',
  tags: 'texts',
  exclude: 'texts',
  startLine: 'number',
  endLine: 'number',
  depth: 'number',
  maxTokens: 'number',
  minRelevance: 'number',
  overviewLines: 'number',
  timeoutMs: 'number',
  waitFreshMs: 'number',
  evidence: 'objects',
  filters: 'fields',
  without: 'fields',
  signal: 'signal',
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object, each of whose fields holds what it should. */
export function checkFields(value: unknown, what: string): void {
  if (!isObject(value)) throw wrong(`The ${what} must be an object.`);
  for (const [name, field] of Object.entries(value)) {
    const kind = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (kind === undefined || field === undefined) continue;
    if (kind === 'fields') checkFields(field, name);
    else if (kind === 'text') checkWords(field, name);
    else if (kind === 'number' && !Number.isFinite(field)) throw wrong(`The field ${name} must be a number.`);
    else if (kind === 'signal' && !(field instanceof AbortSignal)) throw wrong('The signal must be an AbortSignal.');
    else if (kind === 'texts' || kind === 'objects') {
      if (!Array.isArray(field)) throw wrong(`The field ${name} must be a list.`);
      for (const item of field)
        if (kind === 'texts') checkWords(item, name);
        else if (!isObject(item)) throw wrong(`The field ${name} must be a list of objects.`);
    }
  }
}

/** Short enough to be handed to git and ripgrep, which get it as an argument. */
function checkWords(value: unknown, name: string): void {
  if (typeof value !== 'string') throw wrong(`The field ${name} must hold text.`);
  if (value.length > MAX_QUERY)
    throw wrong(`The field ${name} has ${value.length} characters; at most ${MAX_QUERY} are read.`);
}

/** Whether each of them may be kept is another question, which is asked one by one. */
export function checkDiscoveries(value: unknown): void {
  if (!Array.isArray(value)) throw wrong('The discoveries must be a list.');
  for (const discovery of value) {
    checkFields(discovery, 'discovery');
    checkIsText(discovery.content, 'content');
  }
}

/** A ref, where one is named. */
export function checkRef(ref: unknown): void {
  checkFields({ ref }, 'request');
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
  if (!isObject(request)) throw wrong(`The request must be an object with a ${field}.`);
  checkFields(request, 'request');
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
