/**
 * Why is it so? The commits that changed a function or some lines (as `git log -L` follows them), or that speak of
 * something in their message or added or removed it. What takes long stops when its time is up; what was found is kept
 * beside the store, and the next call reads on.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDerived, writeDerived } from '../../memory/notebook/derived-file.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { CommitsAnswer, CommitsRequest, FoundCommit } from '../../model/records/history.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { readPlace } from '../../model/text/parse-place.ts';
import { locateSymbols } from '../../search/index.ts';
import { type Commit, readHistory, resolveRef, safeJoin } from '../../walk/index.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { checkQuery } from './check-request.ts';
import { keptMessages, type MessageHit, rankMessages, readMessage, wordsOfQuestion } from './commit-messages.ts';
import { meantSymbols } from './meant-symbols.ts';

const LIMIT = 20;
const MAX_LIMIT = 200;
/** Commits whose messages are read for one question, over all calls. */
const MAX_READ = 100_000;
/** A call reads for so long, and longer when it is asked again for what it did not finish. */
const READ_MS = 5_000;
const MAX_READ_MS = 60_000;
/** Commits whose diffs git searches at once: what a call that runs out of time does again. */
const DIFF_WINDOW = 1_000;
/** Questions whose answers are kept, the latest ones. */
const MAX_QUESTIONS = 200;
/** Definitions of one name among which the program's own is looked for. */
export const MAX_NAMESAKES = 50;
const KEPT_NAME = /^history-[0-9a-f]+\.json$/;

interface Place {
  readonly description: string;
  readonly file: string;
  readonly lines: readonly [first: number, last: number];
}

/** The cached state of a question between two calls. */
interface Kept {
  readonly commits: readonly FoundCommit[];
  readonly messages: readonly MessageHit[];
  readonly read: number;
  /** Commits whose diffs were searched. */
  readonly searched: number;
  readonly tries: number;
  readonly isComplete: boolean;
}

const NOTHING: Kept = { commits: [], messages: [], read: 0, searched: 0, tries: 0, isComplete: false };

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
    const place = await this.#placeOf(opened, request.query.trim());
    const limit = request.limit ?? LIMIT;
    const key = JSON.stringify([head, place ?? request.query.trim(), place ? limit : 0]);
    const file = join(storeFolder, 'mined', `history-${digest(Buffer.from(key))}.json`);
    const before = load(file);
    const after = before.isComplete ? before : await readOn(root, head, place, { ...request, limit }, before);
    if (after !== before) {
      writeDerived(file, JSON.stringify(after));
      removeOldest(dirname(file));
    }
    return present(place?.description ?? `"${request.query.trim()}" in messages and diffs`, after, limit);
  }

  /** The lines that a question names: of a file, or of the symbol of that name; null where it is in words. */
  async #placeOf(opened: OpenedProject, query: string): Promise<Place | null> {
    const { path, startLine, endLine } = readPlace(query);
    const view = hasTree(opened) ? opened.view() : null;
    const file = view?.indexOfPath(path.replace(/^\.\//, '')) ?? -1;
    if (view && file >= 0) {
      const { path: own, lines } = view.files[file]!;
      safeJoin(opened.resolved.root, own);
      if (startLine !== undefined && startLine > lines)
        throw new EngineError('invalid_input', { reason: `${own} has ${lines} lines.` });
      return { description: query, file: own, lines: [startLine ?? 1, Math.min(endLine ?? lines, lines)] };
    }
    if (!view || /\s/.test(query)) return null;
    const context = await this.#projects.graphContext(opened, view);
    const [symbol] = meantSymbols(context, locateSymbols(context, { name: query, limit: MAX_NAMESAKES }).symbols);
    if (!symbol) return null;
    const { startLine: first, endLine: last } = symbol;
    const description = `${symbol.qualifiedName} (${symbol.path}:${first}-${last})`;
    return { description, file: symbol.path, lines: [first, last] };
  }
}

function load(file: string): Kept {
  const bytes = readDerived(file);
  return bytes === null ? NOTHING : { ...NOTHING, ...(JSON.parse(bytes.toString('utf8')) as Kept) };
}

async function readOn(
  root: string,
  head: string,
  place: Place | null,
  request: CommitsRequest & { readonly limit: number },
  before: Kept,
): Promise<Kept> {
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

async function readLines(base: Base, { file, lines }: Place, limit: number): Promise<Omit<Kept, 'tries'>> {
  const commits: FoundCommit[] = [];
  const end = await readHistory({ ...base, only: { file, lines } }, (commit) => {
    commits.push({ ...commit, found: 'lines' });
    return commits.length < limit;
  });
  // Git refuses lines that HEAD does not have; nothing more will be found by asking again.
  const isComplete = end !== 'failed' || !base.signal?.aborted;
  return { commits, messages: [], read: 0, searched: 0, isComplete };
}

async function readWords(base: Base, { query, limit }: { query: string; limit: number }, before: Kept) {
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
  // A single word that code is written in may stand in diffs that no message speaks of.
  const text = query.trim();
  return /^[\w.:$#/-]{4,}$/.test(text) ? searchDiffs(base, text, limit, after) : { ...after, isComplete: true };
}

/** Window by window, so that the next call goes on behind the last one that was searched whole. */
async function searchDiffs(base: Base, text: string, limit: number, before: Kept): Promise<Omit<Kept, 'tries'>> {
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

/** Files are written anew whenever a question reads on: the oldest are those of questions that nobody asks any more. */
function removeOldest(folder: string): void {
  const names = readdirSync(folder).filter((name) => KEPT_NAME.test(name));
  if (names.length <= MAX_QUESTIONS) return;
  const files = names.map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
  for (const { file } of files.sort((x, y) => y.at - x.at).slice(MAX_QUESTIONS)) rmSync(file, { force: true });
}

function present(subject: string, kept: Kept, limit: number): CommitsAnswer {
  const byMessage = rankMessages(kept.messages, kept.read).map(
    ({ commit }): FoundCommit => ({ ...commit, found: 'message' }),
  );
  const known = new Set(kept.commits.map(({ id }) => id));
  const all = [...kept.commits, ...byMessage.filter(({ id }) => !known.has(id))].slice(0, limit);
  const notices = kept.isComplete
    ? []
    : [
        'The time was up before all of the history was ' +
          `read${kept.read > 0 ? ` (${kept.read} commits were)` : ''}; ${nextStep(kept)}.`,
      ];
  if (kept.read >= MAX_READ) notices.push(`Only the newest ${MAX_READ} commits are read.`);
  return { subject, commits: all, isComplete: kept.isComplete, commitsRead: kept.read, notices };
}

/** Words are read on from where a call ended; git follows lines from the newest commit each time. */
function nextStep({ read, tries }: Kept): string {
  if (read > 0) return 'ask again to read on';
  return READ_MS * 2 ** tries > MAX_READ_MS
    ? 'ask about fewer lines, as more time is not given'
    : 'ask again, and git follows the lines for longer';
}
