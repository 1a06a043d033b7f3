/** Records discoveries: repeated statements update the existing one, contradictions are linked, secrets refused. */
import {
  DISCOVERY_TYPES,
  type Discovery,
  type DiscoveryChanges,
  type DiscoveryType,
  type Evidence,
  type ImportReport,
  type KnownType,
} from '../../model/records/discovery.ts';
import { EngineError, type ErrorCode } from '../../model/records/engine-errors.ts';
import { leadsOut } from '../../model/text/is-within.ts';
import { mayShareWords, statementWords, wordOverlap } from '../recall/memory-words.ts';
import { namesNumberForm, parseStatement, relate, type Statement } from '../recall/same-statement.ts';
import { sensitiveIn } from '../sensitive.ts';
import { hasConflict, newDiscoveryId, normalise } from './discovery-file.ts';
import type { Notebook } from './notebook.ts';

export interface NewDiscovery {
  readonly type: DiscoveryType;
  readonly content: string;
  readonly module: string;
  readonly session: string;
  readonly origin: string;
  readonly author?: string;
  readonly evidence: readonly Evidence[];
}

export interface Remembered {
  readonly discovery: Discovery;
  readonly outcome: 'created' | 'updated' | 'linked';
}

const MAX_CONTENT = 4_000;
const CANNOT_WRITE: ReadonlySet<ErrorCode> = new Set(['store_unwritable', 'disk_full', 'unsupported']);
/** Minimum share of common words of two statements that `relate` compares. */
const COMPARABLE = 0.2;
const MAX_COMPARED = 200;

/** A recorded discovery that the new one may repeat or contradict. */
export interface Compared {
  readonly known: Discovery;
  readonly statement: Statement;
}

/** Recorded discoveries with similar words, most similar first, for one version of the notebook. */
export interface Comparison {
  readonly version: number;
  readonly compared: readonly Compared[];
}

export function findComparable(notebook: Notebook, wanted: NewDiscovery): Comparison {
  const words = statementWords(wanted.content);
  const normalised = normalise(wanted.content);
  const mayShare = mayShareWords(words);
  const isAboutNumbers = namesNumberForm(wanted.content);
  const found: { known: Discovery; share: number }[] = [];
  for (const known of notebook.all()) {
    const areBothAboutNumbers = isAboutNumbers && namesNumberForm(known.content);
    if (!isComparable(known.type, wanted.type) || !(areBothAboutNumbers || mayShare(known.content))) continue;
    const share = wordOverlap(words, notebook.statementWords(known));
    if (share >= COMPARABLE || areBothAboutNumbers || normalise(known.content) === normalised)
      found.push({ known, share });
  }
  const compared = found
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_COMPARED)
    .map(({ known }) => ({ known, statement: parseStatement(known.content) }));
  return { version: notebook.version(), compared };
}

export interface RememberOptions {
  /** Mined discoveries, which the new one may contradict; they are never changed. */
  readonly mined?: readonly Discovery[];
  /** An earlier comparison, valid until the notebook changes. */
  readonly comparison?: Comparison;
  /** Cosine of a recorded statement and the new one; null if unknown, so that words alone decide. */
  readonly similarityTo?: (content: string) => number | null;
}

export function remember(
  notebook: Notebook,
  wanted: NewDiscovery,
  nowMs: number,
  { mined = [], comparison, similarityTo = () => null }: RememberOptions = {},
): Remembered {
  check(wanted);
  return notebook.withFolderLock(() => {
    const statement = parseStatement(wanted.content);
    const id = newDiscoveryId(wanted.type, wanted.content);
    const contradicts: string[] = [];
    const { compared } = comparison?.version === notebook.version() ? comparison : findComparable(notebook, wanted);
    for (const { known, statement: other } of compared) {
      const relation = relate(statement, other, similarityTo(known.content));
      if (relation === 'same' && known.type === wanted.type && mayMerge(known, wanted, statement, other))
        return { discovery: update(notebook, known, wanted, nowMs), outcome: 'updated' };
      // Two issues that differ only in a number are different issues, not a contradiction.
      const isOpposed = isClaim(wanted.type) || statement.isNegated !== other.isNegated;
      if (relation === 'contradicts' && isOpposed) contradicts.push(known.id);
    }
    // A reworded statement keeps the id of its earlier wording.
    const before = notebook.find(id);
    if (before) return { discovery: update(notebook, before, wanted, nowMs), outcome: 'updated' };
    if (isClaim(wanted.type))
      for (const known of mined) {
        if ((known.origin !== 'guide' && known.origin !== 'adr') || !isClaim(known.type)) continue;
        if (wordOverlap(statement.words, statementWords(known.content)) < COMPARABLE) continue;
        if (relate(statement, parseStatement(known.content), null) === 'contradicts') contradicts.push(known.id);
      }
    const discovery: Discovery = {
      id,
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

/** Similar statements about two modules may be two rules; equal ones share an id. */
function mayMerge(known: Discovery, wanted: NewDiscovery, a: Statement, b: Statement): boolean {
  return a.text === b.text || known.module === '' || wanted.module === '' || known.module === wanted.module;
}

/** Changes a discovery. A mined one becomes a recorded one with the same id, which replaces it. */
export function editDiscovery(
  notebook: Notebook,
  known: Discovery,
  changes: DiscoveryChanges,
  nowMs: number,
): Discovery {
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
  return notebook.withFolderLock(() => {
    notebook.save(discovery);
    return discovery;
  });
}

/**
 * Imports discoveries from an export. Of two with the same id the newer one stays. A discovery with known words under
 * another id counts as unchanged. A refused discovery does not stop the import of the others.
 */
export function importDiscoveries(notebook: Notebook, wanted: readonly Discovery[]): ImportReport {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const refused: { id: string; reason: string }[] = [];
  return notebook.withFolderLock(() => {
    const known = new Map(notebook.all().map((discovery) => [discovery.id, discovery]));
    const wording = ({ type, module, content }: Discovery) => `${type}\n${module}\n${normalise(content)}`;
    const wordings = new Set([...known.values()].map(wording));
    for (const discovery of wanted) {
      const before = known.get(discovery.id);
      if (before ? before.dateMs >= discovery.dateMs : wordings.has(wording(discovery))) {
        counts.unchanged++;
        continue;
      }
      try {
        check(discovery);
        notebook.save(discovery);
        counts[before ? 'updated' : 'created']++;
        known.set(discovery.id, discovery);
        wordings.add(wording(discovery));
      } catch (error) {
        // A write error would repeat for all others.
        if (!(error instanceof EngineError) || CANNOT_WRITE.has(error.code)) throw error;
        refused.push({ id: discovery.id, reason: error.message });
      }
    }
    return { ...counts, refused };
  });
}

function update(notebook: Notebook, known: Discovery, wanted: NewDiscovery, nowMs: number): Discovery {
  const isReworded = normalise(known.content) !== normalise(wanted.content);
  const discovery: Discovery = {
    ...known,
    content: wanted.content,
    ...(isReworded ? { formerly: known.content.replace(/\s+/g, ' ').trim() } : {}),
    module: wanted.module || known.module,
    session: wanted.session || known.session,
    ...(wanted.author === undefined ? {} : { author: wanted.author }),
    dateMs: nowMs,
    evidence: mergeEvidence(known.evidence, wanted.evidence),
  };
  notebook.save(discovery);
  return discovery;
}

function check(discovery: (NewDiscovery | Discovery) & Partial<Discovery>): void {
  const { id = '', type, content, evidence } = discovery;
  const wrong = (reason: string) => new EngineError('invalid_input', { reason });
  if (!(DISCOVERY_TYPES as readonly KnownType[]).includes(type))
    throw wrong(`The type must be one of ${DISCOVERY_TYPES.join(', ')}.`);
  if (typeof content !== 'string' || content.trim().length < 3)
    throw wrong('The content must say something: at least 3 characters.');
  if (content.length > MAX_CONTENT)
    throw wrong(`The content has ${content.length} characters; at most ${MAX_CONTENT} are kept.`);
  if (hasConflict(content)) throw wrong('The content is a merge that is not finished: it holds conflict markers.');
  // A notebook ignores README.md in its folder.
  if (/^readme$/i.test(id)) throw wrong('An entry cannot have the id README.');
  for (const { path = '' } of evidence) {
    if (leadsOut(path))
      throw new EngineError('path_forbidden', { path, reason: 'it is not a path below the project.' });
  }
  const what = sensitiveIn(discovery);
  if (what) throw new EngineError('secret_refused', { what });
}

function isComparable(a: KnownType, b: KnownType): boolean {
  return a === b || (isClaim(a) && isClaim(b));
}

function isClaim(type: KnownType): boolean {
  return type === 'rule' || type === 'decision' || type === 'pattern';
}

function mergeEvidence(a: readonly Evidence[], b: readonly Evidence[]): Evidence[] {
  const merged = new Map([...a, ...b].map((evidence) => [JSON.stringify(evidence), evidence]));
  return [...merged.values()];
}
