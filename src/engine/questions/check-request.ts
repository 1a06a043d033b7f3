/** Checks the types of a request at run time, because callers from plain JavaScript are not checked by a compiler. */
import { EngineError } from '../../model/records/engine-errors.ts';

const MAX_QUERY = 10_000;
const MAX_RESULTS = 1_000_000;

const invalid = (reason: string) => new EngineError('invalid_input', { reason });

export function checkIsText(value: unknown, what: string): asserts value is string {
  if (typeof value !== 'string') throw invalid(`The ${what} must be a text.`);
}

/** Requires text that is not blank. */
export function checkText(value: unknown, what: string): void {
  checkIsText(value, what);
  if (value.trim() === '') throw invalid(`The ${what} is empty.`);
}

type Kind = 'text' | 'texts' | 'number' | 'objects' | 'fields' | 'signal';

/** The type of each field that requests share. Booleans are not checked: any value counts as true or false. */
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

/** Requires an object whose known fields have their types. */
export function checkFields(value: unknown, what: string): void {
  if (!isObject(value)) throw invalid(`The ${what} must be an object.`);
  for (const [name, field] of Object.entries(value)) {
    const kind = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (kind === undefined || field === undefined) continue;
    if (kind === 'fields') checkFields(field, name);
    else if (kind === 'text') checkWords(field, name);
    else if (kind === 'number' && !Number.isFinite(field)) throw invalid(`The field ${name} must be a number.`);
    else if (kind === 'signal' && !(field instanceof AbortSignal)) throw invalid('The signal must be an AbortSignal.');
    else if (kind === 'texts' || kind === 'objects') {
      if (!Array.isArray(field)) throw invalid(`The field ${name} must be a list.`);
      for (const item of field)
        if (kind === 'texts') checkWords(item, name);
        else if (!isObject(item)) throw invalid(`The field ${name} must be a list of objects.`);
    }
  }
}

/** Limits the length, because git and ripgrep get the text as an argument. */
function checkWords(value: unknown, name: string): void {
  if (typeof value !== 'string') throw invalid(`The field ${name} must hold text.`);
  if (value.length > MAX_QUERY)
    throw invalid(`The field ${name} has ${value.length} characters; at most ${MAX_QUERY} are read.`);
}

/** Checks the types only; import() decides about each discovery. */
export function checkDiscoveries(value: unknown): void {
  if (!Array.isArray(value)) throw invalid('The discoveries must be a list.');
  for (const discovery of value) {
    checkFields(discovery, 'discovery');
    checkIsText(discovery.content, 'content');
  }
}

/** Requires text if a ref is given. */
export function checkRef(ref: unknown): void {
  checkFields({ ref }, 'request');
}

interface NumericFields {
  readonly limit?: number;
  readonly contextLines?: number;
  readonly semanticWeight?: number;
}

/** Requires a request whose `field` is not blank and whose numbers are in range. */
export function checkRequest<F extends string>(
  request: NumericFields & Readonly<Record<F, string>>,
  field: F,
  maxLimit = MAX_RESULTS,
): void {
  if (!isObject(request)) throw invalid(`The request must be an object with a ${field}.`);
  checkFields(request, 'request');
  const { limit, contextLines, semanticWeight } = request;
  checkText(request[field], field);
  if (limit !== undefined && !isWhole(limit, 1, maxLimit))
    throw invalid(`The limit must be a whole number from 1 to ${maxLimit}.`);
  if (contextLines !== undefined && !isWhole(contextLines, 0, MAX_RESULTS))
    throw invalid('The number of context lines must be a whole number from 0 on.');
  if (semanticWeight !== undefined && !(semanticWeight >= 0 && semanticWeight <= 1))
    throw invalid('The semantic weight must lie between 0 and 1.');
}

/** Requires a query that is neither blank nor longer than the limit. */
export function checkQuery(request: NumericFields & { readonly query: string }, maxLimit = MAX_RESULTS): void {
  if (typeof request?.query === 'string' && request.query.trim() === '') throw new EngineError('empty_query');
  checkRequest(request, 'query', maxLimit);
  const { length } = request.query;
  if (length > MAX_QUERY) throw invalid(`The query has ${length} characters; at most ${MAX_QUERY} are read.`);
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
