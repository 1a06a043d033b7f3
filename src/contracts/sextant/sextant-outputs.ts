/**
 * Output schemas of the default profile. No field is required: an answer leaves out empty fields, and an error has only
 * `error`. A test compares the schemas with real answers field by field. Clients see the main fields only
 * (`outputSchema`), because the others would double the tool list.
 */
import type { ObjectSchema, Schema } from '../kit/json-schema.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;
const share = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;
const texts = { type: 'array', items: text } as const;
const record = { type: 'object' } as const;

/** Main fields of an answer. The others qualify it or appear on request. */
const LISTED = new Set(
  `results also nearest_names path lines name kind id score content signature references detail line text
  source callers callees implementers tests summary evidence run symbols outline
  dependencies dependants
  matches total type date contradicts problems files state freshness refs`.split(/\s+/),
);

/** The listed form: nested records are described by their field names. */
export function briefOutput({ properties = {} }: ObjectSchema): ObjectSchema {
  return object(Object.fromEntries(listedFields(properties).map(([name, field]) => [name, briefField(field)])));
}

function listedFields(properties: Readonly<Record<string, Schema>>): [string, Schema][] {
  return Object.entries(properties).filter(([name]) => LISTED.has(name));
}

function briefField(field: Schema): Schema {
  const { type, items, properties } = field;
  const fields = items?.properties ?? properties;
  if (!fields) return field;
  const description = listedFields(fields)
    .map(([name]) => name)
    .join(', ');
  return { type, ...(description !== '' && { description }) } as Schema;
}

const object = (properties: Readonly<Record<string, Schema>>): ObjectSchema => ({ type: 'object', properties });
const list = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'array', items: object(properties) });

/** How much of the total an answer shows, and whether the index is fresh. */
const state = {
  index: text,
  not_yet_indexed: texts,
  more_not_yet_indexed: count,
  last_update_failed: text,
  hint: text,
  /** In a workspace: repositories that did not answer, with the reason. */
  not_asked: texts,
  /** In a fleet: the commits that answered, and their age. */
  snapshot: text,
} as const;

const place = { path: text, lines: text } as const;
const named = { ...place, name: text, kind: text, id: text } as const;

const HIT = { ...named, score: share, test: flag, content: text, explanation: record } as const;

export const HITS = object({
  results: list(HIT),
  also: texts,
  message: text,
  nearest_names: texts,
  more: text,
  omitted: count,
  shortened: text,
  notices: texts,
  expansion: record,
  related: record,
  summary: text,
  summary_by: text,
  ask_next: texts,
  ...state,
});

const USES = list({ path: text, line: count, kind: text, text, in: text, confidence: text });
const FOLDED = object({ count, first: text });
const SYMBOL_PLACES = list({ name: text, path: text, line: count });

export const DEFINITIONS = object({
  results: list({ ...HIT, stable_id: text, signature: text, doc: text, match: text }),
  omitted: count,
  message: text,
  nearest_names: texts,
  references: USES,
  more_references: count,
  references_in_tests: FOLDED,
  references_by_confidence: object({ exact: count, likely: count, ambiguous: count }),
  detail: object({
    source: text,
    callers: USES,
    callees: list({ path: text, line: count, kind: text, text, target: text, id: text, confidence: text }),
    implementers: SYMBOL_PLACES,
    tests: SYMBOL_PLACES,
    more_callers: count,
    more_callees: count,
    more_implementers: count,
    more_tests: count,
    more_members: count,
    members: list({ lines: text, kind: text, name: text, signature: text, depth: count }),
  }),
  ...state,
});

export const RESEARCH = object({
  question: text,
  nodes: count,
  summary: text,
  evidence: list({ ...place, why: text, hop: count, content: text }),
  ask_next: texts,
  edges: list({ from: text, to: text, kind: text, confidence: text, at: text }),
  mermaid: text,
  cycles: { type: 'array', items: texts },
  hubs: list({ name: text, degree: count }),
  truncated: flag,
  omitted: count,
  more: text,
  ...state,
});

const SURENESS = { exact: count, likely: count, ambiguous: count, unresolved: count } as const;

export const IMPACT = object({
  change: text,
  more_files: count,
  dependants: object(SURENESS),
  message: text,
  symbols: list({ id: text, name: text, kind: text, at: text, change: text }),
  more_symbols: count,
  tests: list({ path: text, score: share, why: text }),
  more_tests: count,
  run: texts,
  more_run: count,
  modules: list({ module: text, ...SURENESS, places: texts }),
  more_modules: count,
  usually_changes_too: texts,
  more_usually_changes_too: count,
  notices: texts,
  ask_next: texts,
  ...state,
});

export const FILE = object({
  path: text,
  lines: text,
  total_lines: count,
  content: text,
  next: text,
  language: text,
  size: count,
  module: text,
  role: text,
  outline: list({ lines: text, kind: text, name: text, signature: text, depth: count }),
  dependencies: { type: 'array' },
  external: texts,
  dependants: texts,
  notices: texts,
  snapshot: text,
});

export const MATCHES = object({
  matches: list({ path: text, line: count, column: count, text, before: texts, after: texts }),
  total: count,
  files: count,
  omitted: count,
  message: text,
  snapshot: text,
});

export const RECALLED = object({
  results: list({
    id: text,
    type: text,
    content: text,
    module: text,
    date: text,
    score: share,
    source: text,
    session: text,
    author: text,
    confidence: share,
    superseded_by: text,
    evidence: texts,
  }),
  total: count,
  search_ms: count,
  message: text,
  omitted: count,
  notices: texts,
  snapshot: text,
});

export const REMEMBERED = object({ id: text, outcome: text, module: text, contradicts: texts, formerly: text });

export const INDEXED = object({
  repositories: { type: 'array', items: record },
  root: text,
  ref: text,
  mode: text,
  files: count,
  read: count,
  unchanged: count,
  removed: count,
  skipped: count,
  failed: count,
  symbols: count,
  chunks: count,
  seconds: share,
  problems: list({ path: text, line: count, message: text }),
  more_problems: count,
  notices: texts,
});

export const STATUS = object({
  repositories: { type: 'array', items: record },
  project: text,
  root: text,
  ref: text,
  state: text,
  schema: text,
  outdated: text,
  configuration: text,
  last_update_failed: text,
  freshness: text,
  not_yet_indexed: texts,
  files: count,
  lines: count,
  symbols: count,
  chunks: count,
  vectors: count,
  model: text,
  index_mb: share,
  indexed_at: text,
  watching: text,
  languages: record,
  skipped: record,
  refs: list({ ref: text, files: count }),
  job: object({ id: text, done: count, total: count }),
  hint: text,
  snapshot: text,
});
