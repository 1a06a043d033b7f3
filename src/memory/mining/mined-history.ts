/**
 * Mines the commits of a repository and caches the notes beside the index. Commits are read newest first within a time
 * budget; the next call continues where this one stopped, and later calls read only new commits. Two processes may mine
 * at once: a commit that is mined twice counts once.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checksum } from '../../model/runtime/checksum.ts';
import { makeFolder } from '../../store/sqlite/make-folder.ts';
import { type Commit, readHistory } from '../../walk/index.ts';
import { readDerived, writeDerived } from '../notebook/derived-file.ts';
import { sensitiveKind } from '../sensitive.ts';
import { markUntrusted } from '../untrusted-memory.ts';
import { commitNote, mineCommit } from './mine-history.ts';
import type { Note } from './mined-note.ts';

export interface CommitNote {
  readonly commit: string;
  readonly dateMs: number;
  readonly note: Note;
}

interface State {
  readonly version: number;
  /** The newest commit read. */
  readonly newest: string;
  /** The commit at which reading backwards began, and the number of commits read from there. */
  readonly anchor: string;
  readonly done: number;
  readonly isComplete: boolean;
  /** The edge of a shallow clone at the last read. */
  readonly edge: string;
  /** Number of notes written; a notes file with fewer valid lines is damaged. */
  readonly notes: number;
  /** Known commits that the newest commit does not reach: on another branch, or rewritten. */
  readonly gone: readonly string[];
}

/** Increment it when mining a commit gives another note than before. */
const VERSION = 6;
const MAX_NOTES = 50_000;
/** Commits between two checks of the time and two writes. */
const BATCH_COMMITS = 2_000;
const SUM_DIGITS = 8;

export interface HistoryPlace {
  /** The commit that is checked out. */
  readonly head: string;
  /** Identifies where a shallow clone ends; '' for a full history. A deepened clone is read further. */
  readonly edge: string;
  readonly folder: string;
  readonly isWhole: boolean;
}

export class MinedHistory {
  readonly #folder: string;
  #state: State | null = null;
  #notes: CommitNote[] = [];
  #known = new Set<string>();
  #gone: ReadonlySet<string> = new Set();
  #shown: readonly CommitNote[] | null = null;
  #loaded = false;
  #isUnreadable = false;
  #running: Promise<void> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All readable commits are read. */
  get isComplete(): boolean {
    return this.#isUnreadable || (this.#state?.isComplete ?? false);
  }

  /** Number of commits read backwards from the anchor. */
  get done(): number {
    return this.#state?.done ?? 0;
  }

  /** Notes of the commits that the head reaches; a new array whenever they change. */
  notes(): readonly CommitNote[] {
    this.#load();
    this.#shown ??= this.#notes.filter(({ commit }) => !this.#gone.has(commit));
    return this.#shown;
  }

  /** Continues reading for about `budgetMs`; concurrent callers share one read. */
  update(place: HistoryPlace, budgetMs: number, signal?: AbortSignal): Promise<void> {
    this.#running ??= this.#update(place, budgetMs, signal).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #update(place: HistoryPlace, budgetMs: number, signal?: AbortSignal): Promise<void> {
    this.#load();
    const { head, edge } = place;
    if (this.#state && this.#state.edge !== edge)
      this.#save({ ...this.#state, edge, anchor: this.#state.newest, done: 0, isComplete: false });
    if (this.#state?.newest === head && this.#state.isComplete) return;
    const until = performance.now() + budgetMs;
    if (this.#state && this.#state.newest !== head) await this.#readNew(place, until, signal);
    if (this.#state === null)
      this.#state = {
        version: VERSION,
        newest: head,
        anchor: head,
        done: 0,
        isComplete: false,
        edge,
        notes: 0,
        gone: [],
      };
    if (!this.#state.isComplete && performance.now() < until) await this.#readBack(place, until, signal);
  }

  /** Reads commits since the last call. If the old head no longer exists or too many commits differ, starts over. */
  async #readNew(place: HistoryPlace, until: number, signal?: AbortSignal): Promise<void> {
    const state = this.#state!;
    const { head } = place;
    const found: CommitNote[] = [];
    const gone = new Set(state.gone);
    let count = 0;
    const inTime = () => ++count % BATCH_COMMITS !== 0 || performance.now() < until;
    const between = (from: string, known: string, take: (commit: Commit) => void) =>
      readHistory({ ...place, from, until: known, ...(signal ? { signal } : {}) }, (commit) => {
        take(commit);
        return inTime();
      });
    const isAhead = await between(head, state.newest, (commit) => {
      gone.delete(commit.id);
      this.#mine(commit, found);
    });
    // After a branch switch or a rewrite, commits that only the old head reaches are excluded.
    const wasLeft = gone.size;
    const isBehind =
      isAhead === 'complete'
        ? await between(state.newest, head, ({ id }) => {
            if (this.#known.has(id)) gone.add(id);
          })
        : isAhead;
    if (isBehind === 'complete') {
      this.#keep(found);
      const moved = { ...state, newest: head, gone: [...gone] };
      // Reading backwards continues where it stopped, unless the branch changed.
      this.#save(gone.size > wasLeft && !state.isComplete ? { ...moved, anchor: head, done: 0 } : moved);
    } else if (!signal?.aborted) this.#forget();
  }

  async #readBack(place: HistoryPlace, until: number, signal?: AbortSignal): Promise<void> {
    let state = this.#state!;
    // Each commit is mined as it arrives: a batch of whole commits would hold megabytes.
    let found: CommitNote[] = [];
    let count = 0;
    const keep = () => {
      this.#keep(found);
      state = { ...state, done: state.done + count };
      this.#save(state);
      found = [];
      count = 0;
    };
    const end = await readHistory(
      { ...place, from: state.anchor, skip: state.done, ...(signal ? { signal } : {}) },
      (commit) => {
        this.#mine(commit, found);
        if (++count < BATCH_COMMITS) return true;
        keep();
        return performance.now() < until && this.#notes.length < MAX_NOTES;
      },
    );
    const isFailed = end === 'failed' && !signal?.aborted;
    this.#isUnreadable = isFailed && state.anchor === place.head;
    // The anchor no longer exists after a rewrite and a garbage collection: start again at the head.
    if (isFailed && !this.#isUnreadable) return this.#save({ ...state, anchor: place.head, done: 0 });
    const isComplete = end === 'complete' || this.#notes.length >= MAX_NOTES;
    if (count > 0 || isComplete) {
      keep();
      this.#save({ ...state, isComplete });
    }
  }

  #mine(commit: Commit, found: CommitNote[]): void {
    if (this.#known.has(commit.id)) return;
    const note = mineCommit(commit);
    if (note && sensitiveKind(note.content) === null)
      found.push({ commit: commit.id, dateMs: commit.dateMs, note: markUntrusted(note) });
  }

  #keep(found: readonly CommitNote[]): void {
    if (found.length === 0) return;
    this.#shown = null;
    for (const each of found) {
      this.#known.add(each.commit);
      this.#notes.push(each);
    }
    try {
      makeFolder(this.#folder);
      // Each note begins with a line break, because a killed process may have left half a line.
      appendFileSync(this.#notesFile, found.map((each) => `\n${formatLine(each)}`).join(''));
    } catch {
      // The data folder is not writable; the next process mines these commits again.
    }
  }

  get #notesFile(): string {
    return join(this.#folder, 'commits.ndjson');
  }

  get #stateFile(): string {
    return join(this.#folder, 'history.json');
  }

  #save(state: State): void {
    this.#state = { ...state, notes: this.#notes.length };
    this.#setGone(state.gone);
    writeDerived(this.#stateFile, JSON.stringify(this.#state));
  }

  #setGone(gone: readonly string[]): void {
    if (gone.length === this.#gone.size && gone.every((id) => this.#gone.has(id))) return;
    this.#gone = new Set(gone);
    this.#shown = null;
  }

  #forget(): void {
    this.#state = null;
    this.#shown = null;
    this.#gone = new Set();
    this.#notes = [];
    this.#known = new Set();
    for (const file of [this.#notesFile, this.#stateFile]) rmSync(file, { force: true });
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    const state = JSON.parse(String(readDerived(this.#stateFile))) as Partial<State> | null;
    if (state?.version !== VERSION || typeof state.newest !== 'string' || typeof state.anchor !== 'string') {
      this.#forget();
      return;
    }
    this.#state = {
      ...(state as State),
      done: Number(state.done) || 0,
      isComplete: state.isComplete === true,
      edge: state.edge ?? '',
      notes: Number(state.notes) || 0,
      gone: Array.isArray(state.gone) ? state.gone : [],
    };
    this.#gone = new Set(this.#state.gone);
    let text = '';
    try {
      text = readFileSync(this.#notesFile, 'utf8');
    } catch {
      // The file does not exist yet.
    }
    for (const line of text.split('\n')) {
      const note = parseLine(line);
      if (!note || this.#known.has(note.commit)) continue;
      this.#known.add(note.commit);
      this.#notes.push(note);
    }
    // Notes are missing: read the history again and skip the known commits.
    if (this.#notes.length < this.#state.notes)
      this.#save({ ...this.#state, anchor: this.#state.newest, done: 0, isComplete: false });
  }
}

/** A line of a note: a checksum, then the fields without names, because there are thousands of lines. */
function formatLine({ commit, dateMs, note: { type, confidence, content, reverts } }: CommitNote): string {
  const text = JSON.stringify([commit, dateMs, type, confidence, content, ...(reverts ? [reverts] : [])]);
  return `${sumOf(text)} ${text}`;
}

function sumOf(text: string): string {
  return checksum(Buffer.from(text)).toString(16).padStart(SUM_DIGITS, '0');
}

/** Null for an incomplete or damaged line. */
function parseLine(sumAndText: string): CommitNote | null {
  const line = sumAndText.slice(SUM_DIGITS + 1);
  if (line === '' || sumOf(line) !== sumAndText.slice(0, SUM_DIGITS)) return null;
  try {
    const [commit, dateMs, type, confidence, content, reverts] = JSON.parse(line) as [
      string,
      number,
      Note['type'],
      number,
      string,
      string | undefined,
    ];
    if (typeof commit !== 'string' || typeof content !== 'string') return null;
    return { commit, dateMs, note: { ...commitNote(type, content, confidence), ...(reverts ? { reverts } : {}) } };
  } catch {
    return null;
  }
}
