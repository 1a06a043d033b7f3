/**
 * Answers questions about history: the commits that changed a function or lines (as `git log -L` follows them), or
 * whose message or diff matches the query. A call that reaches its time limit saves its progress beside the store, and
 * the next call continues.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDerived, writeDerived } from '../../memory/notebook/derived-file.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { CommitsAnswer, CommitsRequest, FoundCommit } from '../../model/records/history.ts';
import type { LocatedSymbol } from '../../model/records/query.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { readPlace } from '../../model/text/parse-place.ts';
import { locateSymbols } from '../../search/index.ts';
import { type Commit, readHistory, resolveRef, safeJoin } from '../../walk/index.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { checkQuery } from './check-request.ts';
import { keptMessages, type MessageHit, rankMessages, readMessage, wordsOfQuestion } from './commit-messages.ts';
import { fileNotFound, meantSymbols, namesakeNotices } from './meant-symbols.ts';

const LIMIT = 20;
const MAX_LIMIT = 200;
/** Commits whose messages are read for one query, over all its calls. */
const MAX_READ = 100_000;
/** Time limit of the first call; each further call about the same query may take twice as long as the one before. */
const READ_MS = 5_000;
const MAX_READ_MS = 60_000;
/** Commits whose diffs git searches in one go; a call that runs out of time repeats its unfinished window. */
const DIFF_WINDOW = 1_000;
/** Queries whose progress is kept, the latest ones. */
const MAX_SAVED_QUERIES = 200;
/** Definitions of one name that are compared to find the program's own. */
export const MAX_NAMESAKES = 50;
const SAVED_FILE = /^history-[0-9a-f]+\.json$/;

interface Place {
  readonly description: string;
  readonly file: string;
  readonly lines: readonly [first: number, last: number];
}

/** The lines that a query means, and symbols of the same name that it does not mean. */
interface Meant {
  readonly place: Place | null;
  readonly others: readonly LocatedSymbol[];
}

const NO_PLACE: Meant = { place: null, others: [] };

/** The progress of a query, saved between two calls. */
interface Progress {
  readonly commits: readonly FoundCommit[];
  readonly messages: readonly MessageHit[];
  readonly read: number;
  /** Commits whose diffs have been searched. */
  readonly searched: number;
  readonly tries: number;
  readonly isComplete: boolean;
}

const NO_PROGRESS: Progress = { commits: [], messages: [], read: 0, searched: 0, tries: 0, isComplete: false };

export class Histories {
  readonly #projects: OpenProjects;

  constructor(projects: OpenProjects) {
    this.#projects = projects;
  }

  async commits(path: string, request: CommitsRequest): Promise<CommitsAnswer> {
    checkQuery(request, MAX_LIMIT);
    const opened = await this.#projects.around(path);
    const { root, git, storeFolder } = opened.resolved;
    if (!git) throw new EngineError('not_a_repository', { path: root });
    const head = await resolveRef(root, 'HEAD', request.signal);
    const { place, others } = await this.#placeOf(opened, request.query.trim());
    const limit = request.limit ?? LIMIT;
    const key = JSON.stringify([head, place ?? request.query.trim(), place ? limit : 0]);
    const file = join(storeFolder, 'mined', `history-${digest(Buffer.from(key))}.json`);
    const before = load(file);
    const after = before.isComplete ? before : await continueReading(root, head, place, { ...request, limit }, before);
    if (after !== before) {
      writeDerived(file, JSON.stringify(after));
      removeOldest(dirname(file));
    }
    const answer = present(place?.description ?? `"${request.query.trim()}" in messages and diffs`, after, limit);
    return { ...answer, notices: [...answer.notices, ...namesakeNotices(others)] };
  }

  /** The lines that a query names: a place, or the definition of a symbol; null for a query in words. */
  async #placeOf(opened: OpenedProject, query: string): Promise<Meant> {
    const { path, startLine, endLine } = readPlace(query);
    const view = hasTree(opened) ? opened.view() : null;
    const file = view?.indexOfPath(path.replace(/^\.\//, '')) ?? -1;
    if (view && file >= 0) {
      const { path: own, lines } = view.files[file]!;
      safeJoin(opened.resolved.root, own);
      if (startLine !== undefined && startLine > lines)
        throw new EngineError('invalid_input', { reason: `${own} has ${lines} lines.` });
      const place = {
        description: query,
        file: own,
        lines: [startLine ?? 1, Math.min(endLine ?? lines, lines)] as const,
      };
      return { place, others: [] };
    }
    if (!view || /\s/.test(query)) return NO_PLACE;
    // `issue:12` is no file, and a path without lines may be of one that is gone.
    if (startLine !== undefined && /[/.]/.test(path)) throw fileNotFound(view, path);
    const context = await this.#projects.graphContext(opened, view);
    const [symbol, ...others] = meantSymbols(
      context,
      locateSymbols(context, { name: query, limit: MAX_NAMESAKES }).symbols,
    );
    if (!symbol) return NO_PLACE;
    const { startLine: first, endLine: last } = symbol;
    const description = `${symbol.qualifiedName} (${symbol.path}:${first}-${last})`;
    const isOther = ({ qualifiedName, path: at }: LocatedSymbol) =>
      qualifiedName !== symbol.qualifiedName || at !== symbol.path;
    return { place: { description, file: symbol.path, lines: [first, last] }, others: others.filter(isOther) };
  }
}

function load(file: string): Progress {
  const bytes = readDerived(file);
  return bytes === null ? NO_PROGRESS : { ...NO_PROGRESS, ...(JSON.parse(bytes.toString('utf8')) as Progress) };
}

async function continueReading(
  root: string,
  head: string,
  place: Place | null,
  request: CommitsRequest & { readonly limit: number },
  before: Progress,
): Promise<Progress> {
  const timeMs = Math.min(MAX_READ_MS, READ_MS * 2 ** before.tries);
  const late = AbortSignal.timeout(timeMs);
  const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
  const base = { folder: root, isWhole: true, from: head, signal };
  const after = place
    ? await readLines(base, place, request.limit)
    : await readWords({ ...base, isWhole: false }, request, before);
  if (request.signal?.aborted) throw new EngineError('cancelled');
  return { ...after, tries: before.tries + 1 };
}

type Base = Parameters<typeof readHistory>[0];

async function readLines(base: Base, { file, lines }: Place, limit: number): Promise<Omit<Progress, 'tries'>> {
  const commits: FoundCommit[] = [];
  const end = await readHistory({ ...base, only: { file, lines } }, (commit) => {
    commits.push({ ...commit, found: 'lines' });
    return commits.length < limit;
  });
  // Git fails for lines that HEAD does not have; another call would find no more.
  const isComplete = end !== 'failed' || !base.signal?.aborted;
  return { commits, messages: [], read: 0, searched: 0, isComplete };
}

async function readWords(base: Base, { query, limit }: { query: string; limit: number }, before: Progress) {
  const words = wordsOfQuestion(query);
  const found: MessageHit[] = [];
  let read = before.read;
  const end = await readHistory({ ...base, skip: before.read }, (commit: Commit) => {
    read++;
    const hit = readMessage(words, commit);
    if (hit) found.push(hit);
    return read < MAX_READ;
  });
  const after = { ...before, messages: keptMessages([...before.messages, ...found]), read };
  if (end === 'failed') return { ...after, isComplete: false };
  // An identifier may occur in diffs without a message that names it.
  const text = query.trim();
  return /^[\w.:$#/-]{4,}$/.test(text) ? searchDiffs(base, text, limit, after) : { ...after, isComplete: true };
}

/** Searches window by window, so that the next call continues after the last finished window. */
async function searchDiffs(
  base: Base,
  text: string,
  limit: number,
  before: Progress,
): Promise<Omit<Progress, 'tries'>> {
  const commits = [...before.commits];
  let { searched } = before;
  while (searched < before.read && commits.length < limit) {
    const ids: string[] = [];
    const listed = await readHistory({ ...base, skip: searched }, ({ id }) => ids.push(id) < DIFF_WINDOW);
    const found: FoundCommit[] = [];
    const end =
      listed === 'failed' || ids.length === 0
        ? listed
        : await readHistory({ ...base, ids, only: { text } }, (commit) => {
            found.push({ ...commit, found: 'diff' });
            return commits.length + found.length < limit;
          });
    if (end === 'failed') return { ...before, commits, searched, isComplete: !base.signal?.aborted };
    if (ids.length === 0) break;
    commits.push(...found);
    searched += ids.length;
  }
  return { ...before, commits, searched, isComplete: true };
}

/**
 * Deletes the oldest progress files. A file is rewritten each time its query continues, so the oldest belong to queries
 * that are no longer asked.
 */
function removeOldest(folder: string): void {
  const names = readdirSync(folder).filter((name) => SAVED_FILE.test(name));
  if (names.length <= MAX_SAVED_QUERIES) return;
  const files = names.map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
  for (const { file } of files.sort((x, y) => y.at - x.at).slice(MAX_SAVED_QUERIES)) rmSync(file, { force: true });
}

function present(subject: string, progress: Progress, limit: number): CommitsAnswer {
  const byMessage = rankMessages(progress.messages, progress.read).map(
    ({ commit }): FoundCommit => ({ ...commit, found: 'message' }),
  );
  const known = new Set(progress.commits.map(({ id }) => id));
  const all = [...progress.commits, ...byMessage.filter(({ id }) => !known.has(id))].slice(0, limit);
  const notices = progress.isComplete
    ? []
    : [
        'The time was up before all of the history was ' +
          `read${progress.read > 0 ? ` (${progress.read} commits were)` : ''}; ${nextStep(progress)}.`,
      ];
  if (progress.read >= MAX_READ) notices.push(`Only the newest ${MAX_READ} commits are read.`);
  return { subject, commits: all, isComplete: progress.isComplete, commitsRead: progress.read, notices };
}

/**
 * The advice of a notice: a search of messages continues where it ended; git follows lines from the newest commit each
 * time.
 */
function nextStep({ read, tries }: Progress): string {
  if (read > 0) return 'ask again to read on';
  return READ_MS * 2 ** tries > MAX_READ_MS
    ? 'ask about fewer lines, as more time is not given'
    : 'ask again, and git follows the lines for longer';
}
