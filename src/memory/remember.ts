/** Recording: the same thought said again updates, a contradiction is linked, secrets are refused. */
import { DISCOVERY_TYPES, type Discovery, type DiscoveryType, type Evidence } from '../model/discovery.ts';
import { EngineError } from '../model/errors.ts';
import { newDiscoveryId, normalise } from './discovery-file.ts';
import type { Notebook } from './notebook.ts';
import { sensitiveKind } from './sensitive.ts';
import { overlap, sharesWords, wordsOf } from './words.ts';

export interface NewDiscovery {
  readonly type: DiscoveryType;
  readonly content: string;
  readonly module: string;
  readonly session: string;
  readonly origin: string;
  readonly evidence: readonly Evidence[];
}

/** What may be changed of a discovery; what is left out stays. */
export interface DiscoveryChanges {
  readonly type?: DiscoveryType;
  readonly content?: string;
  readonly module?: string;
  readonly evidence?: readonly Evidence[];
  /** Id of the one that replaces it; null for none. */
  readonly supersededBy?: string | null;
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
  /\b(?:not|never|no longer|don't|do not|avoid|instead of|must not|cannot|can't|without|stop|forbidden|deprecated)\b/i;

/** `mined` may be contradicted too; it is never changed. */
export function remember(
  notebook: Notebook,
  wanted: NewDiscovery,
  nowMs: number,
  mined: readonly Discovery[] = [],
): Remembered {
  check(wanted);
  return notebook.exclusively(() => {
    const words = wordsOf(wanted.content);
    const opposes = NEGATION.test(wanted.content);
    const said = normalise(wanted.content);
    const contradicts: string[] = [];
    const mayShare = sharesWords(words);
    for (const known of notebook.all()) {
      if (!comparable(known.type, wanted.type) || !mayShare(known.content)) continue;
      const share = overlap(words, notebook.wordsOf(known));
      if (share < RELATED && normalise(known.content) !== said) continue;
      const opposed = NEGATION.test(known.content) !== opposes;
      if (known.type === wanted.type && !opposed && (share >= SAME || normalise(known.content) === said))
        return { discovery: update(notebook, known, wanted, nowMs), outcome: 'updated' };
      if (opposed && share >= RELATED) contradicts.push(known.id);
    }
    for (const known of mined) {
      if (!mayShare(known.content)) continue;
      if (!isClaim(wanted.type) || (known.origin !== 'guide' && known.origin !== 'adr')) continue;
      if (NEGATION.test(known.content) === opposes) continue;
      if (overlap(words, wordsOf(known.content)) >= RELATED) contradicts.push(known.id);
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
  });
}

/** Changes one discovery. A mined one becomes a recorded one under its own id, and is no longer mined. */
export function edit(notebook: Notebook, known: Discovery, changes: DiscoveryChanges, nowMs: number): Discovery {
  const { supersededBy = known.supersededBy, ...rest } = changes;
  const discovery: Discovery = {
    ...known,
    ...rest,
    supersededBy,
    dateMs: nowMs,
    origin: known.confidence < 1 ? 'person' : known.origin,
    confidence: 1,
  };
  check(discovery);
  return notebook.exclusively(() => {
    notebook.save(discovery);
    return discovery;
  });
}

export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Takes discoveries over from an export. Of two with one id the newer stays; what must not be kept is refused by itself, not with all the others. */
export function importAll(notebook: Notebook, wanted: readonly Discovery[]): Imported {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const refused: { id: string; reason: string }[] = [];
  return notebook.exclusively(() => {
    const known = new Map(notebook.all().map((discovery) => [discovery.id, discovery]));
    for (const discovery of wanted) {
      const before = known.get(discovery.id);
      if (before && before.dateMs >= discovery.dateMs) {
        counts.unchanged++;
        continue;
      }
      try {
        check(discovery);
        notebook.save(discovery);
        counts[before ? 'updated' : 'created']++;
        known.set(discovery.id, discovery);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === 'store_unwritable') throw error;
        refused.push({ id: discovery.id, reason: error.message });
      }
    }
    return { ...counts, refused };
  });
}

function update(notebook: Notebook, known: Discovery, wanted: NewDiscovery, nowMs: number): Discovery {
  const discovery = {
    ...known,
    content: wanted.content,
    module: wanted.module || known.module,
    session: wanted.session || known.session,
    dateMs: nowMs,
    evidence: mergeEvidence(known.evidence, wanted.evidence),
  };
  notebook.save(discovery);
  return discovery;
}

function check({ type, content, module, session, evidence }: NewDiscovery): void {
  const wrong = (reason: string) => new EngineError('invalid_input', { reason });
  if (!DISCOVERY_TYPES.includes(type)) throw wrong(`The type must be one of ${DISCOVERY_TYPES.join(', ')}.`);
  if (typeof content !== 'string' || content.trim().length < 3)
    throw wrong('The content must say something: at least 3 characters.');
  if (content.length > MAX_CONTENT)
    throw wrong(`The content has ${content.length} characters; at most ${MAX_CONTENT} are kept.`);
  // A secret may hide in any of them: all are kept, and may be committed.
  for (const text of [content, module, session, ...evidence.map(({ path }) => path ?? '')]) {
    const what = sensitiveKind(text);
    if (what) throw new EngineError('secret_refused', { what });
  }
}

function comparable(a: DiscoveryType, b: DiscoveryType): boolean {
  return a === b || (isClaim(a) && isClaim(b));
}

function isClaim(type: DiscoveryType): boolean {
  return type === 'rule' || type === 'decision' || type === 'pattern';
}

function mergeEvidence(a: readonly Evidence[], b: readonly Evidence[]): Evidence[] {
  const merged = new Map([...a, ...b].map((evidence) => [JSON.stringify(evidence), evidence]));
  return [...merged.values()];
}
