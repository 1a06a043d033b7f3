/**
 * Named features of everything that a context search ranks in one list: discoveries, sessions, documents and code.
 * Those that the code's ranker knows too have its names and meanings (search/features.ts); the same linear model weighs
 * them, with weights of its own in models/ranker.json.
 */

import { type Discovery, type KnownType, UNTRUSTED_INSTRUCTION } from '../../model/records/discovery.ts';
import { pattern } from '../../model/text/pattern.ts';
import { textTerms } from '../../model/text/terms.ts';
import type { Recalled, WeighedTerm } from './recall.ts';

export const CONTEXT_FEATURES = [
  'coverage',
  'best_chunk',
  'similarity',
  'vector',
  'relevance',
  'confidence',
  'asked_kind',
  'is_legacy',
  'is_code',
  'is_documentation',
  'is_session',
] as const;
export type ContextFeature = (typeof CONTEXT_FEATURES)[number];
/** Absent features are 0. */
export type ContextRow = Partial<Record<ContextFeature, number>>;

/** The beginning of a question tells which kind of answer it wants. */
const CUES: readonly (readonly [RegExp, readonly KnownType[]])[] = [
  [/\b(?:why|reason|rationale|decided?|decisions?|chose|choose|instead of)\b/i, ['decision']],
  [
    pattern('i')`
      \b(?:allowed|permitted|fine to|ok(?:ay)? to|may (?:i|we|a)|must|should|can i|can we|have to|rules?|conventions?
      |forbidden|required|need to)\b
    `,
    ['rule'],
  ],
  [
    pattern('i')`
      \b(?:bugs?|issues?|crash\w*|fail\w*|broken|deadlock\w*|race|leak\w*|hang\w*|stuck|error|wrong|seen before
      |regression)\b
    `,
    ['issue'],
  ],
  [/\b(?:patterns?|idioms?|usually)\b/i, ['pattern']],
];

export function requestedKinds(question: string): ReadonlySet<KnownType> {
  return new Set(CUES.filter(([cue]) => cue.test(question)).flatMap(([, types]) => types));
}

const KIND_WORDS = '(?:decisions?|issues?|bugs?|problems?|patterns?|rules?|conventions?|discoveries)';
/** How a request begins that names a kind of answer: what it is about comes after. */
const REQUESTS: readonly RegExp[] = [
  new RegExp(
    `^(?:please )?(?:show|find|list|give|tell)(?: me| us)?(?: all| any| the| our| past)* ${KIND_WORDS}` +
      '(?: that (?:we )?\\w+)?(?: (?:about|related to|concerning|regarding|on|for|of|with|around))? ',
    'i',
  ),
  new RegExp(`^(?:what|which) ${KIND_WORDS} (?:do|did|have) we (?:\\w+ )?(?:for|about|in|on|with) `, 'i'),
  /^how (?:do|did|have) we (?:handled?|solved?|dealt with|deal with) /i,
  /^how (?:do|does|did) (?:the |our )?(?=\S.* works?[?.]?$)/i,
];
/** How such a request ends. */
const ENDS = /(?<=\w) (?:choices?|decisions?|works?)[?.]?$/i;

/** "Show me decisions about database choice" is about "database", "how does the login work" about "login". */
export function subjectOf(question: string): string {
  const trimmed = question.trim();
  const subject = REQUESTS.reduce((rest, request) => (rest === trimmed ? rest.replace(request, '') : rest), trimmed);
  return subject === trimmed ? question : subject.replace(ENDS, '') || question;
}

/** Words that frame a question and stand in no answer. */
const FRAME =
  'allowed permitted fine okay ok reason rationale decided decide happened seen before made made am ever anybody ' +
  'somebody know known';
const FRAME_SHARE = 0.15;
/** Made when it is needed: short commands load this file, too. */
let frame: ReadonlySet<string> | undefined;

export function lowerFrameWords(terms: readonly WeighedTerm[]): WeighedTerm[] {
  frame ??= new Set(textTerms(FRAME));
  const share = (term: string) => (frame!.has(term) ? FRAME_SHARE : 1);
  return terms.map(({ term, weight, ...rest }) => ({ ...rest, term, weight: weight * share(term) }));
}

/** How well the words and the meaning of a remembered text answer. */
export function matchRow({ coverage, words, similarity, nearness }: Recalled): ContextRow {
  return { coverage, best_chunk: words, similarity, vector: nearness };
}

/** Features of a discovery beside its match: its source, its kind, whether it still holds. */
export function discoveryRow(
  { type, confidence, supersededBy }: Discovery,
  requested: ReadonlySet<KnownType>,
): ContextRow {
  const givesWay = supersededBy !== null || type === UNTRUSTED_INSTRUCTION;
  return { confidence, asked_kind: requested.has(type) ? 1 : 0, is_legacy: givesWay ? 1 : 0 };
}

/** One row of CONTEXT_FEATURES.length numbers each. */
export function contextRows(rows: readonly ContextRow[]): Float32Array {
  const width = CONTEXT_FEATURES.length;
  const values = new Float32Array(rows.length * width);
  rows.forEach((row, i) => {
    CONTEXT_FEATURES.forEach((feature, column) => {
      values[i * width + column] = row[feature] ?? 0;
    });
  });
  return values;
}
