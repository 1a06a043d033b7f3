/**
 * Discoveries mined from the commits of a repository, cached beside the index. Commits are read newest first within a
 * time budget; the next call goes on where this one stopped, and later calls read new commits only. Two processes may
 * mine at once: a commit that is mined twice counts once.
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
  /** Where the way back began, and how many commits of it are read. */
  readonly anchor: string;
  readonly done: number;
  readonly isComplete: boolean;
  /** Where the history was cut off then. */
  readonly edge: string;
  /** Notes that were written by then: fewer lines that can be read are a damaged file. */
  readonly notes: number;
  /** Commits that are known and not in the history of the newest: of another branch, or written anew. */
  readonly gone: readonly string[];
}

/** Raised when mining a commit gives something else than before. */
const VERSION = 6;
const MAX_NOTES = 50_000;
/** Commits between two looks at the clock and two writes. */
const BATCH_COMMITS = 2_000;
const SUM_DIGITS = 8;

export interface HistoryPlace {
  /** The commit that the folder stands at. */
  readonly head: string;
  /** Names where a shallow clone ends; '' for a whole history. A clone that is deepened is read on. */
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

  /** All that can be read is read. */
  get isComplete(): boolean {
    return this.#isUnreadable || (this.#state?.isComplete ?? false);
  }

  /** How many commits were read on the way back. */
  get done(): number {
    return this.#state?.done ?? 0;
  }

  /** Of the commits that lead to where the folder stands; another list whenever there are others. */
  notes(): readonly CommitNote[] {
    this.#load();
    this.#shown ??= this.#notes.filter(({ commit }) => !this.#gone.has(commit));
    return this.#shown;
  }

  /** Goes on reading for about this long; concurrent callers wait for the same read. */
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

  /**
   * Commits since the last time. Where the old ones are gone (history was rewritten), or too many differ, everything
   * begins anew.
   */
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
    // The branch was switched or its last commits were rewritten: commits that only the old head reaches are left out.
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
      // Continues backwards from where the last run stopped, unless the branch is another.
      this.#save(gone.size > wasLeft && !state.isComplete ? { ...moved, anchor: head, done: 0 } : moved);
    } else if (!signal?.aborted) this.#forget();
  }

  async #readBack(place: HistoryPlace, until: number, signal?: AbortSignal): Promise<void> {
    let state = this.#state!;
    // Mined as they come: a slice of whole commits would be megabytes that live too long.
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
    // Where it began is gone (commits were written anew, and the old ones thrown away): from the new head, then.
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
      // A line of its own, also after one that a killed process left half written.
      appendFileSync(this.#notesFile, found.map((each) => `\n${formatLine(each)}`).join(''));
    } catch {
      // A data folder that cannot be written: mined again by the next process.
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
      // There is no cache yet.
    }
    for (const line of text.split('\n')) {
      const note = parseLine(line);
      if (!note || this.#known.has(note.commit)) continue;
      this.#known.add(note.commit);
      this.#notes.push(note);
    }
    // Lines are missing: the way back is gone once more, and what is known on it is passed over.
    if (this.#notes.length < this.#state.notes)
      this.#save({ ...this.#state, anchor: this.#state.newest, done: 0, isComplete: false });
  }
}

/** The fields of a commit without names: thousands are written and read. A checksum of the rest comes first. */
function formatLine({ commit, dateMs, note: { type, confidence, content, reverts } }: CommitNote): string {
  const text = JSON.stringify([commit, dateMs, type, confidence, content, ...(reverts ? [reverts] : [])]);
  return `${sumOf(text)} ${text}`;
}

function sumOf(text: string): string {
  return checksum(Buffer.from(text)).toString(16).padStart(SUM_DIGITS, '0');
}

/** Null for what a killed process left half written, and for what is damaged. */
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
