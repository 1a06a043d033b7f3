/**
 * Named features of everything that a context search ranks in one list: discoveries, sessions, documents and code.
 * Features that the ranker of code has too share its names and meanings (search/scoring/ranking-features.ts). The same
 * kind of linear model ranks them, with the weights `context` of models/ranker.json.
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

/** Words of a question that ask for a type of discovery. */
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
/** Beginnings of a request that name a type of answer; its subject follows. */
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
/** Endings of such a request. */
const ENDS = /(?<=\w) (?:choices?|decisions?|works?)[?.]?$/i;

/** The subject of a request: "database" of "show me decisions about database choice". */
export function subjectOf(question: string): string {
  const trimmed = question.trim();
  const subject = REQUESTS.reduce((rest, request) => (rest === trimmed ? rest.replace(request, '') : rest), trimmed);
  return subject === trimmed ? question : subject.replace(ENDS, '') || question;
}

/** Words of questions that do not occur in answers. */
const FRAME =
  'allowed permitted fine okay ok reason rationale decided decide happened seen before made made am ever anybody ' +
  'somebody know known';
const FRAME_WEIGHT = 0.15;
/** Computed on first use, because short commands load this file too. */
let frame: ReadonlySet<string> | undefined;

/** Lowers the weight of words that frame a question. */
export function lowerFrameWords(terms: readonly WeighedTerm[]): WeighedTerm[] {
  frame ??= new Set(textTerms(FRAME));
  const share = (term: string) => (frame!.has(term) ? FRAME_WEIGHT : 1);
  return terms.map(({ term, weight, ...rest }) => ({ ...rest, term, weight: weight * share(term) }));
}

/** Features of how well a remembered text matches by words and vectors. */
export function matchRow({ coverage, words, similarity, nearness }: Recalled): ContextRow {
  return { coverage, best_chunk: words, similarity, vector: nearness };
}

/** Features of a discovery that do not depend on its match: confidence, requested type, whether it still holds. */
export function discoveryRow(
  { type, confidence, supersededBy }: Discovery,
  requested: ReadonlySet<KnownType>,
): ContextRow {
  const isOutdated = supersededBy !== null || type === UNTRUSTED_INSTRUCTION;
  return { confidence, asked_kind: requested.has(type) ? 1 : 0, is_legacy: isOutdated ? 1 : 0 };
}

/** One row of CONTEXT_FEATURES.length numbers per item. */
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
