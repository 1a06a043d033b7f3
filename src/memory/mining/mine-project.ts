/** Turns mined notes of contents and commits into discoveries with evidence, a module and a confidence below 1. */
import crypto from 'node:crypto';
import type { Discovery, Evidence, KnownType } from '../../model/records/discovery.ts';
import { nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import { fileName } from './mine-decisions.ts';
import type { Idiom } from './mine-idioms.ts';
import type { FileNotes } from './mined-files.ts';
import type { CommitNote } from './mined-history.ts';
import type { Note } from './mined-note.ts';

export interface MineInput {
  readonly view: TreeView;
  readonly files: readonly FileNotes[];
  readonly idioms: readonly Idiom[];
  readonly moduleOf: (path: string) => string;
}

export function mineTree(input: MineInput): Discovery[] {
  const { files, idioms, moduleOf, view } = input;
  const made = files.flatMap(({ path, mtimeMs, notes }) =>
    notes.map((note) => ({
      path,
      note,
      discovery: fromNote(note, contentOf(note, path), moduleOf(path), note.dateMs ?? Math.round(mtimeMs), {
        path,
        startLine: note.startLine,
        endLine: note.endLine,
      }),
    })),
  );
  const superseded = linkDecisions(made);
  const patterns = idioms.map(({ content, confidence, evidence, home }) => ({
    ...emptyDiscovery('pattern', content, evidence[0]!),
    module: sharedModule(home === undefined ? evidence : [{ path: home }], moduleOf),
    dateMs: view.info.publishedAtMs,
    origin: 'code',
    confidence,
    evidence,
  }));
  return uniqueById([...superseded, ...patterns]);
}

/** The module of all evidence; '' if it lies in several modules, because the idiom is then the project's. */
function sharedModule(evidence: readonly Evidence[], moduleOf: (path: string) => string): string {
  const modules = new Set(evidence.map(({ path }) => (path === undefined ? '' : moduleOf(path))));
  const [module = ''] = modules;
  return modules.size === 1 ? module : '';
}

/**
 * Discoveries from commits, newest first. `moduleNamed` returns the module of a scope that a commit names ("fix(auth):
 * …", "auth: …"), or ''; `byNote` caches the discovery of each note.
 */
export function mineHistory(
  notes: readonly CommitNote[],
  moduleNamed: (scope: string) => string,
  byNote = new WeakMap<CommitNote, Discovery>(),
): Discovery[] {
  const modules = new Map<string, string>();
  const moduleOf = (content: string) => {
    const scope = /^(?:\w+\(([\w./-]{2,40})\)!?|([\w./-]{2,40})):/.exec(content);
    const name = scope?.[1] ?? scope?.[2];
    if (name === undefined) return '';
    const module = modules.get(name) ?? moduleNamed(name);
    modules.set(name, module);
    return module;
  };
  const revertOf = revertsIn(notes);
  const discoveryOf = (each: CommitNote): Discovery => {
    const { note, commit, dateMs } = each;
    const made = byNote.get(each) ?? fromNote(note, note.content, moduleOf(note.content), dateMs, { commit });
    byNote.set(each, made);
    return made;
  };
  // Two commits with the same message are one commit that was cherry-picked or rewritten.
  const byContent = new Map<string, CommitNote>();
  for (const each of notes) {
    const known = byContent.get(each.note.content);
    if (!known || byAge(each, known) < 0) byContent.set(each.note.content, each);
  }
  return [...byContent.values()].sort(byAge).map((each) => {
    const revert = revertOf(each.commit);
    const made = discoveryOf(each);
    return revert ? { ...made, supersededBy: discoveryOf(byContent.get(revert.note.content) ?? revert).id } : made;
  });
}

function byAge(a: CommitNote, b: CommitNote): number {
  return b.dateMs - a.dateMs || (a.commit < b.commit ? -1 : 1);
}

/** Returns a lookup for the commit that reverted another one and was not reverted itself. */
function revertsIn(notes: readonly CommitNote[]): (commit: string) => CommitNote | null {
  const byCommit = new Map<string, CommitNote>();
  for (const each of notes) if (each.note.reverts) byCommit.set(each.note.reverts, each);
  const revertOf = (commit: string, depth = 0): CommitNote | null => {
    const revert = byCommit.get(commit);
    return revert && depth < 9 && !revertOf(revert.commit, depth + 1) ? revert : null;
  };
  return revertOf;
}

function contentOf(note: Note, path: string): string {
  if (note.origin === 'comment') return note.content.replace(/^(\w+)/, `$1 in ${path}`);
  return note.origin === 'config' ? note.content.replace(/\.$/, ` (${path}).`) : note.content;
}

function fromNote(note: Note, content: string, module: string, dateMs: number, evidence: Evidence): Discovery {
  return {
    ...emptyDiscovery(note.type, content, evidence),
    module,
    dateMs,
    origin: note.origin,
    confidence: note.confidence,
    evidence: [evidence],
    ...(note.status ? { status: note.status } : {}),
  };
}

/** crypto.hash (Node 20.12 and newer) takes a third of the time, which matters for thousands of ids. */
const sha256: (text: string) => string = crypto.hash
  ? (text) => crypto.hash('sha256', text, 'hex')
  : (text) => crypto.createHash('sha256').update(text).digest('hex');

/** An id of type, words and path or commit: it does not depend on lines. */
function minedId(type: KnownType, content: string, place: Evidence): string {
  return `${type}-${sha256(`${content}\n${place.path ?? place.commit ?? ''}`).slice(0, 16)}`;
}

function emptyDiscovery(type: KnownType, content: string, place: Evidence): Discovery {
  return {
    id: minedId(type, content, place),
    type,
    content,
    module: '',
    session: '',
    dateMs: 0,
    origin: '',
    confidence: 0,
    evidence: [],
    contradicts: [],
    supersededBy: null,
  };
}

interface PlacedNote {
  readonly path: string;
  readonly note: Note;
  readonly discovery: Discovery;
}

/** Links a record to its successor, which either of the two names by number or file within their folder. */
function linkDecisions(made: readonly PlacedNote[]): Discovery[] {
  const known = new Map<string, string>();
  const replacedBy = new Map<string, string>();
  for (const { path, note, discovery } of made) {
    if (note.type !== 'decision') continue;
    for (const key of recordKeys(path)) known.set(key, discovery.id);
    for (const other of note.supersedes ?? []) replacedBy.set(recordKey(path, other), discovery.id);
  }
  return made.map(({ path, note, discovery }) => {
    if (note.type !== 'decision') return discovery;
    const named = note.supersededBy === undefined ? undefined : known.get(recordKey(path, note.supersededBy));
    const successor = [named, ...recordKeys(path).map((key) => replacedBy.get(key))].find(
      (id) => id !== undefined && id !== discovery.id,
    );
    return successor
      ? { ...discovery, supersededBy: successor, confidence: Math.min(0.5, discovery.confidence) }
      : discovery;
  });
}

function recordKey(path: string, record: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${record}`;
}

/** The names by which other records may mention a record: its file and its number. */
function recordKeys(path: string): string[] {
  const number = recordNumber(path);
  return [recordKey(path, fileName(path)), ...(number === null ? [] : [recordKey(path, String(number))])];
}

/** "0012-use-x.md", "adr-012-use-x.md" and "2021-06-05_012-use-x.md" are number 12. */
function recordNumber(path: string): number | null {
  const name = nameOf(path).replace(/^\d{4}-\d{2}-\d{2}[-_ ]?/, '');
  const match = /(?:^|\D)(\d{1,5})(?=\D|$)/.exec(name);
  return match ? Number(match[1]) : null;
}

function uniqueById(found: readonly Discovery[]): Discovery[] {
  const byId = new Map<string, Discovery>();
  for (const discovery of found) if (!byId.has(discovery.id)) byId.set(discovery.id, discovery);
  return [...byId.values()];
}
