/** Recording: the same thought said again updates, a contradiction is linked, secrets are refused. */
import { DISCOVERY_TYPES, type Discovery, type DiscoveryType, type Evidence } from '../model/discovery.ts';
import { EngineError } from '../model/errors.ts';
import { forEachIdentifier, identifierTerms } from '../model/terms.ts';
import { newDiscoveryId, normalise } from './discovery-file.ts';
import type { Notebook } from './notebook.ts';
import { sensitiveKind } from './sensitive.ts';

export interface NewDiscovery {
  readonly type: DiscoveryType;
  readonly content: string;
  readonly module: string;
  readonly session: string;
  readonly origin: string;
  readonly evidence: readonly Evidence[];
}

export interface Remembered {
  readonly discovery: Discovery;
  readonly outcome: 'created' | 'updated' | 'linked';
}

const MAX_CONTENT = 4_000;
/** Shares of common words: above the first it is the same thought, above the second it is about the same thing. */
const SAME = 0.85;
const RELATED = 0.5;
const NEGATION =
  /\b(?:not|never|no longer|don't|do not|avoid|instead of|must not|cannot|without|stop|forbidden|deprecated)\b/i;

export function remember(notebook: Notebook, wanted: NewDiscovery, nowMs: number): Remembered {
  check(wanted);
  const words = wordsOf(wanted.content);
  const contradicts: string[] = [];
  for (const known of notebook.all()) {
    if (known.type !== wanted.type && !(isClaim(known.type) && isClaim(wanted.type))) continue;
    const share = overlap(words, wordsOf(known.content));
    const opposed = NEGATION.test(known.content) !== NEGATION.test(wanted.content);
    if (
      known.type === wanted.type &&
      !opposed &&
      (share >= SAME || normalise(known.content) === normalise(wanted.content))
    ) {
      const discovery = {
        ...known,
        content: wanted.content,
        module: wanted.module || known.module,
        session: wanted.session || known.session,
        dateMs: nowMs,
        evidence: mergeEvidence(known.evidence, wanted.evidence),
      };
      notebook.save(discovery);
      return { discovery, outcome: 'updated' };
    }
    if (opposed && share >= RELATED) contradicts.push(known.id);
  }
  const discovery: Discovery = {
    id: newDiscoveryId(wanted.type, wanted.content),
    ...wanted,
    dateMs: nowMs,
    confidence: 1,
    contradicts,
    supersededBy: null,
  };
  notebook.save(discovery);
  return { discovery, outcome: contradicts.length > 0 ? 'linked' : 'created' };
}

function check({ type, content }: NewDiscovery): void {
  const wrong = (reason: string) => new EngineError('invalid_input', { reason });
  if (!DISCOVERY_TYPES.includes(type)) throw wrong(`The type must be one of ${DISCOVERY_TYPES.join(', ')}.`);
  if (typeof content !== 'string' || content.trim().length < 3)
    throw wrong('The content must say something: at least 3 characters.');
  if (content.length > MAX_CONTENT)
    throw wrong(`The content has ${content.length} characters; at most ${MAX_CONTENT} are kept.`);
  const what = sensitiveKind(content);
  if (what) throw new EngineError('secret_refused', { what });
}

function isClaim(type: DiscoveryType): boolean {
  return type === 'rule' || type === 'decision' || type === 'pattern';
}

export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  forEachIdentifier(text, (identifier) => {
    for (const part of identifierTerms(identifier).parts) if (part.length > 2) words.add(part);
  });
  return words;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(1, Math.min(a.size, b.size) + Math.abs(a.size - b.size) / 2);
}

function mergeEvidence(a: readonly Evidence[], b: readonly Evidence[]): Evidence[] {
  const merged = new Map([...a, ...b].map((evidence) => [JSON.stringify(evidence), evidence]));
  return [...merged.values()];
}
