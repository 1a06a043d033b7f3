/**
 * Answers for people who read the repository: its files, what identifiers mean, why lines are as they are, the map, the
 * growth.
 */
import type { SymbolGraph } from '../../graph/index.ts';
import type {
  CallNeighbours,
  FileSummary,
  IdentifierLink,
  IdentifierLinks,
  LineCommit,
  LineHistory,
  LineHistoryRequest,
  RepositoryActivity,
  RepositoryMap,
} from '../../model/records/browse.ts';
import type { Discovery } from '../../model/records/discovery.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ReadFileAnswer, SymbolInfo } from '../../model/records/query.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { presentOutline, presentSymbol } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { blameLines, readChanges, safeJoin } from '../../walk/index.ts';
import type { Memories } from '../memory/memory-calls.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import { describeProject } from '../projects/project-registry.ts';
import { roleOf } from '../projects/read-file.ts';
import { checkFields, checkRef, checkText } from '../questions/check-request.ts';
import { type GraphContext, linksOf } from '../questions/symbol-detail.ts';

/** How long the history is read for one answer. */
const HISTORY_MS = 5_000;
const MAX_CHANGED_FILES = 5_000;
const MAX_DOC = 600;

export interface BrowsingParts {
  readonly projects: OpenProjects;
  readonly memories: () => Promise<Memories>;
}

export class Browsing {
  readonly #projects: OpenProjects;
  readonly #memories: () => Promise<Memories>;
  readonly #maps = new WeakMap<TreeView, Promise<RepositoryMap>>();
  readonly #activities = new Map<string, Promise<RepositoryActivity>>();

  constructor({ projects, memories }: BrowsingParts) {
    this.#projects = projects;
    this.#memories = memories;
  }

  async files(path: string, ref?: string): Promise<readonly FileSummary[]> {
    checkRef(ref);
    const view = await (await this.#projects.around(path)).find(ref);
    return view.files.map(({ path: file, language, lines, size, flags }) => ({
      path: file,
      language,
      lines,
      bytes: size,
      isTest: (flags & FileFlag.Test) !== 0,
    }));
  }

  async indexedFile(path: string, file: string, ref?: string): Promise<ReadFileAnswer> {
    checkText(file, 'path');
    const { context } = await this.#open(path, ref);
    return presentFile(context, file);
  }

  async identifierLinks(path: string, file: string, ref?: string): Promise<IdentifierLinks> {
    checkText(file, 'path');
    const { context } = await this.#open(path, ref);
    const index = fileIn(context.view, file);
    return presentLinks(context, context.graph.identifiers(index));
  }

  async lineHistory(path: string, request: LineHistoryRequest): Promise<LineHistory> {
    checkFields(request, 'request');
    const { file, startLine, endLine, signal } = request;
    checkText(file, 'path');
    if (!(Number.isInteger(startLine) && Number.isInteger(endLine) && startLine >= 1 && endLine >= startLine))
      throw new EngineError('invalid_input', { reason: 'The lines must be a range such as 10 to 20.' });
    const opened = await this.#projects.around(path);
    const { root, git } = opened.resolved;
    // Refuses what may not be read: places outside of the project, and secrets.
    safeJoin(root, file);
    const commits = git ? await blameLines(root, file, [startLine, endLine], signal) : [];
    const known = await (await this.#memories()).list(opened, {});
    return { commits, discoveries: known.filter((each) => isEvidence(each, request, commits)) };
  }

  async callNeighbours(path: string, id: string, ref?: string): Promise<CallNeighbours> {
    checkText(id, 'symbol id');
    const { context } = await this.#open(path, ref);
    const { callNeighbours } = await import('./call-neighbours.ts');
    return callNeighbours(context, id);
  }

  async repositoryMap(path: string, ref?: string): Promise<RepositoryMap> {
    const { opened, context } = await this.#open(path, ref);
    const { moduleName: title } = describeProject(opened.resolved);
    let map = this.#maps.get(context.view);
    if (!map) {
      map = import('../../graph/index.ts').then(({ buildMap }) => buildMap({ ...context, title }));
      this.#maps.set(context.view, map);
    }
    return map;
  }

  async activity(path: string): Promise<RepositoryActivity> {
    const opened = await this.#projects.around(path);
    const { root, git } = opened.resolved;
    if (!git?.head) return { days: [], commits: 0, changedFiles: [], changedModules: [], partial: false };
    const key = `${root}\n${git.head}`;
    let activity = this.#activities.get(key);
    if (!activity) {
      const view = hasTree(opened) ? opened.view() : null;
      const modules = view && (await this.#projects.modulesOf(opened, view));
      // Of files that are there: a module is what the index knows.
      const moduleOf = (file: string) => (view && view.indexOfPath(file) >= 0 ? (modules?.moduleOf(file) ?? '') : '');
      activity = readActivity(root, moduleOf);
      this.#activities.clear();
      this.#activities.set(key, activity);
    }
    return activity;
  }

  async #open(path: string, ref: string | undefined) {
    checkRef(ref);
    const opened = await this.#projects.around(path);
    const view = await opened.find(ref);
    return { opened, context: await this.#projects.graphContext(opened, view) };
  }
}

/** Throws file_not_found. */
function fileIn(view: TreeView, path: string): number {
  const index = view.indexOfPath(path);
  if (index < 0) throw new EngineError('file_not_found', { path });
  return index;
}

function presentFile(context: GraphContext, path: string): ReadFileAnswer {
  const { reader, view, moduleOf } = context;
  const index = fileIn(view, path);
  const entry = view.files[index]!;
  const row = view.contentOf[index]!;
  const detail = reader.detail(row);
  const structure = {
    outline: presentOutline(detail, entry.path),
    imports: detail.imports,
    problems: detail.problems,
  };
  const links = linksOf(context, path)!;
  return {
    path,
    content: reader.text(row),
    startLine: 1,
    endLine: entry.lines,
    size: entry.size,
    lines: entry.lines,
    language: entry.language,
    module: moduleOf(path),
    role: roleOf(path, structure),
    lastModifiedMs: entry.mtimeMs || view.info.publishedAtMs,
    indexed: true,
    ...structure,
    dependencies: links.dependencies.map((link) => ({ ...link, type: 'import', level: 1 })),
    externalDependencies: links.external,
    dependants: links.dependants,
  };
}

function presentLinks(context: GraphContext, identifiers: ReturnType<SymbolGraph['identifiers']>): IdentifierLinks {
  const order = new Map<string, number>();
  const symbols: SymbolInfo[] = [];
  const numberOf = (file: number, ordinal: number): number => {
    const key = `${file}:${ordinal}`;
    const known = order.get(key);
    if (known !== undefined) return known;
    const symbol = presentSymbol(context, file, ordinal);
    order.set(key, symbols.length);
    return symbols.push({ ...symbol, doc: symbol.doc.slice(0, MAX_DOC) }) - 1;
  };
  const links = identifiers.map(
    ({ line, column, length, confidence, targets, file, isDefinition }): IdentifierLink => ({
      line,
      column,
      length,
      targets: targets.map((place) => numberOf(place.file, place.ordinal)),
      ...(file !== undefined && { path: context.view.files[file]!.path }),
      confidence,
      isDefinition,
    }),
  );
  return { symbols, links };
}

function isEvidence(
  { evidence }: Discovery,
  { file, startLine, endLine }: LineHistoryRequest,
  commits: readonly LineCommit[],
): boolean {
  return evidence.some(({ path, startLine: first, endLine: last, commit }) => {
    if (commit && commits.some(({ id }) => id?.startsWith(commit))) return true;
    if (path !== file) return false;
    return first === undefined || (first <= endLine && (last ?? first) >= startLine);
  });
}

async function readActivity(root: string, moduleOf: (path: string) => string): Promise<RepositoryActivity> {
  const { days, commits, byFile, partial } = await readChanges(root, HISTORY_MS);
  const byModule = new Map<string, number>();
  for (const [path, count] of byFile) {
    const name = moduleOf(path);
    if (name !== '') byModule.set(name, (byModule.get(name) ?? 0) + count);
  }
  const changedFiles = mostChanged(byFile).map(([path, count]) => ({ path, commits: count }));
  const changedModules = mostChanged(byModule).map(([name, count]) => ({ name, commits: count }));
  return { days, commits, changedFiles: changedFiles.slice(0, MAX_CHANGED_FILES), changedModules, partial };
}

function mostChanged(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
