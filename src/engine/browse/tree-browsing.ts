/** Answers about a published tree for the page: files, definitions of identifiers, calls, the map. */
import type { SymbolGraph } from '../../graph/index.ts';
import type {
  CallNeighbours,
  FileSummary,
  IdentifierLink,
  IdentifierLinks,
  RepositoryMap,
} from '../../model/records/browse.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ReadFileAnswer, SymbolInfo } from '../../model/records/query.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { presentOutline, presentSymbol } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { roleOf } from '../files/read-file.ts';
import type { AnsweringProject, ProjectAccess } from '../projects/open-projects.ts';
import { checkRef, checkText } from '../questions/check-request.ts';
import { type GraphContext, linksOf } from '../questions/symbol-detail.ts';
import { TreeAnswers } from '../questions/tree-answers.ts';

const MAX_DOC_CHARS = 600;

/** Serves one project, or several that are read as one. */
export class TreeBrowsing<P extends AnsweringProject> {
  readonly #projects: ProjectAccess<P>;
  readonly #links = new TreeAnswers<IdentifierLinks>();
  readonly #maps = new WeakMap<TreeView, Promise<RepositoryMap>>();

  constructor(projects: ProjectAccess<P>) {
    this.#projects = projects;
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
    return this.#links.get(context.view, file, () => presentLinks(context, context.graph.identifiers(index)));
  }

  async callNeighbours(path: string, id: string, ref?: string): Promise<CallNeighbours> {
    checkText(id, 'symbol id');
    const { context } = await this.#open(path, ref);
    const { callNeighbours } = await import('./call-neighbours.ts');
    return callNeighbours(context, id);
  }

  async repositoryMap(path: string, ref?: string): Promise<RepositoryMap> {
    const { opened, context } = await this.#open(path, ref);
    const title = this.#projects.titleOf(opened);
    let map = this.#maps.get(context.view);
    if (!map) {
      map = import('../../graph/index.ts').then(({ buildMap }) => buildMap({ ...context, title }));
      this.#maps.set(context.view, map);
    }
    return map;
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
    return symbols.push({ ...symbol, doc: symbol.doc.slice(0, MAX_DOC_CHARS) }) - 1;
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
