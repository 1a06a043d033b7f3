/**
 * Answers impact questions: what a change touches, who depends on it, which tests to run. The change comes from git, or
 * is a place or a symbol.
 */
import { dirname, extname } from 'node:path/posix';
import { setImmediate } from 'node:timers/promises';
import type { SymbolPlace } from '../../graph/index.ts';
import { detectLanguage } from '../../languages/registry.ts';
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';
import type { FileChange, ImpactAnswer, ImpactRequest } from '../../model/records/impact.ts';
import type { LocatedSymbol } from '../../model/records/query.ts';
import { readPlace } from '../../model/text/parse-place.ts';
import { locateSymbols, placesOfHandle } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { listUntracked, newFile, readChangedPaths, readDiff, resolveRef } from '../../walk/index.ts';
import type { IndexFreshness } from '../freshness/index-freshness.ts';
import type { OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { checkFields, checkRef, checkText } from './check-request.ts';
import { fileNotFound, isDeclaration, MAX_OTHERS, meantSymbols, namesakeNotices } from './meant-symbols.ts';
import type { GraphContext } from './symbol-detail.ts';

/** Commits read to find files that change together; older commits often name files that are gone. */
const MAX_COMMITS = 3_000;
const HISTORY_MS = 4_000;
/** How long an impact question about the work tree waits for a fresh index. */
export const WAIT_FRESH_MS = 10_000;
const MAX_UNTRACKED = 1_000;
const MAX_NAMESAKES = 50;

/** The subject of an impact question: a change, or symbols that the caller names. */
export interface Subject {
  readonly description: string;
  readonly changes: readonly FileChange[];
  readonly moreFiles: number;
  readonly named: readonly SymbolPlace[];
  readonly notices: readonly string[];
}

export class Changes {
  readonly #projects: OpenProjects;
  readonly #indexFreshness: IndexFreshness;

  constructor(projects: OpenProjects, indexFreshness: IndexFreshness) {
    this.#projects = projects;
    this.#indexFreshness = indexFreshness;
  }

  async impact(path: string, request: ImpactRequest): Promise<ImpactAnswer> {
    checkImpact(request);
    const opened = await this.#projects.around(path);
    const isWorkTreeChange = request.target === undefined && request.ref === undefined;
    await opened.find(request.ref);
    if (isWorkTreeChange) await this.#indexFreshness.wait(opened, WAIT_FRESH_MS);
    const view = await opened.find(request.ref);
    const context = await this.#projects.graphContext(opened, view);
    const subject =
      request.target === undefined
        ? await diffSubject(opened, view, request)
        : targetSubject(context, await this.#within(opened, path), request.target);
    const { impactOf } = await import('../../graph/index.ts');
    const answer = await impactOf({
      ...context,
      ...subject,
      commits: await commitsOf(opened, view, request.signal),
      pause: () => yieldOrCancel(request),
    });
    const notices = [...subject.notices, ...answer.notices];
    return { ...answer, notices, freshness: await this.#indexFreshness.of(opened, view) };
  }

  /** The folder inside the project that the call names, '' for its root: places may be relative to it. */
  async #within(opened: OpenedProject, path: string): Promise<string> {
    const { root } = await this.#projects.resolve(path);
    return root === opened.resolved.root ? '' : root.slice(opened.resolved.root.length + 1).replaceAll('\\', '/');
  }
}

export function checkImpact(request: ImpactRequest): void {
  checkFields(request, 'request');
  checkRef(request.ref);
  const { target, diff, staged } = request;
  if (target !== undefined) {
    checkText(target, 'target');
    if (diff !== undefined || staged)
      throw new EngineError('invalid_input', { reason: 'Name a target or a diff, not both.' });
  }
  if (diff !== undefined) checkText(diff, 'diff');
}

/** Yields to other calls. Throws cancelled. */
export async function yieldOrCancel({ signal }: ImpactRequest): Promise<void> {
  await setImmediate();
  if (signal?.aborted) throw new EngineError('cancelled');
}

export async function diffSubject(opened: OpenedProject, view: TreeView, request: ImpactRequest): Promise<Subject> {
  const { root, git } = opened.resolved;
  if (!git) throw new EngineError('not_a_repository', { path: root });
  const { diff, staged, signal } = request;
  const read = await readDiff(root, { ...(diff !== undefined && { diff }), ...(staged && { staged }) }, signal);
  const includesUntracked = !staged && (diff === undefined || !/\.\.|\^!$/.test(diff)) && git.workTree !== null;
  const untracked = includesUntracked ? (await listUntracked(root, signal)).slice(0, MAX_UNTRACKED) : [];
  const added = untracked.flatMap((file) => {
    const index = view.indexOfPath(file);
    return index < 0 ? [] : [newFile(file, view.files[index]!.lines)];
  });
  const changes = [...read.files, ...added];
  const notices = changes.length === 0 ? [`Nothing differs: ${read.description}.`] : [];
  return { description: read.description, changes, moreFiles: read.moreFiles, named: [], notices };
}

/** Throws symbol_not_found. */
export function targetSubject(context: GraphContext, within: string, target: string): Subject {
  const { view } = context;
  const place = readPlace(target.trim());
  const inside = within === '' ? place.path : `${within}/${place.path}`;
  const file = [inside, place.path].map((each) => view.indexOfPath(each.replace(/^\.\//, ''))).find((at) => at >= 0);
  if (file !== undefined) return fileSubject(view, file, place.startLine, place.endLine);
  const placesById = placesOfHandle(context, target);
  if (placesById.length > 0) return symbolSubject(context, placesById, []);
  if (place.startLine !== undefined) throw fileNotFound(view, place.path);
  const { symbols, nearestNames } = locateSymbols(context, { name: target, limit: MAX_NAMESAKES });
  const exact = meantSymbols(context, symbols);
  const [best] = exact;
  if (!best) throw notFound(context, target, [...symbols.map(({ qualifiedName }) => qualifiedName), ...nearestNames]);
  // Changing a symbol concerns all of its overloads, and the declaration beside the definition.
  const isMeant = (symbol: LocatedSymbol) =>
    symbol.qualifiedName === best.qualifiedName &&
    (symbol.path === best.path || (isDeclaration(symbol) && dirname(symbol.path) === dirname(best.path)));
  const meant = exact.filter(isMeant);
  const paths = new Set(meant.map(({ path }) => path));
  const intended = meant.flatMap(({ symbolId }) => placesOfHandle(context, symbolId));
  const others = exact.filter((symbol) => !isMeant(symbol));
  return symbolSubject(
    context,
    intended.filter(({ file: at }) => paths.has(view.files[at]!.path)),
    others,
  );
}

/** With the names that are near; of a qualified name, those that end like it. */
function notFound(context: GraphContext, target: string, near: readonly string[]): EngineError {
  if (extname(target) !== '' && detectLanguage(target)) return fileNotFound(context.view, target);
  const [, lastName] = /(?:::|[.#])(\w+)$/.exec(target) ?? [];
  const found = lastName ? locateSymbols(context, { name: lastName, limit: MAX_NAMESAKES }).symbols : [];
  const namesakes = meantSymbols(context, found).map(({ qualifiedName }) => qualifiedName);
  const names = [...new Set([...near, ...namesakes])].slice(0, MAX_OTHERS);
  if (names.length === 0) return new EngineError('symbol_not_found', { name: target });
  return new ErrorWithFix('symbol_not_found', { name: target }, `Similar names: ${names.join(', ')}.`);
}

function symbolSubject(
  { graph, view }: GraphContext,
  named: readonly SymbolPlace[],
  others: readonly LocatedSymbol[],
): Subject {
  const first = named[0]!;
  const { qualifiedName, startLine } = graph.symbol(first);
  return {
    description: `a change of ${qualifiedName} (${view.files[first.file]!.path}:${startLine})`,
    changes: [],
    moreFiles: 0,
    named,
    notices: namesakeNotices(others),
  };
}

function fileSubject(view: TreeView, file: number, first?: number, last?: number): Subject {
  const { path, lines } = view.files[file]!;
  if (first !== undefined && (first < 1 || first > lines || (last ?? first) < first))
    throw new EngineError('invalid_input', { reason: `${path} has ${lines} lines.` });
  const range = [first ?? 1, Math.min(last ?? first ?? lines, lines)] as const;
  const subject = first === undefined ? path : `${path}:${range[0]}${range[1] > range[0] ? `-${range[1]}` : ''}`;
  const change: FileChange = {
    path,
    oldPath: null,
    status: 'named',
    isBinary: false,
    added: [range],
    cuts: [],
    removed: [],
  };
  return { description: `a change of ${subject}`, changes: [change], moreFiles: 0, named: [], notices: [] };
}

export async function commitsOf(opened: OpenedProject, view: TreeView, signal?: AbortSignal): Promise<string[][]> {
  const { root, git } = opened.resolved;
  if (!git) return [];
  const from = await resolveRef(root, view.info.commit ?? 'HEAD', signal).catch(() => null);
  if (from === null) return [];
  const limits = { maxCommits: MAX_COMMITS, timeMs: HISTORY_MS };
  return readChangedPaths({ folder: root, from, ...limits, ...(signal && { signal }) });
}
