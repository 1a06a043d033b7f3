/** The engine methods that a node answers about several repositories. */
import { join } from 'node:path';
import type { ContextRequest, Engine } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type {
  GrepRequest,
  LocateAnswer,
  LocateRequest,
  ReadFileAnswer,
  ReadFileRequest,
  ResearchRequest,
  SearchRequest,
} from '../../model/records/query.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { CandidateFiles } from '../search/candidate-files.ts';
import { grepAcross } from '../search/cross-grep.ts';
import type { CrossMemory } from '../search/cross-memory.ts';
import type { CrossQuestions } from '../search/cross-questions.ts';
import { describeSnapshots } from '../search/tell-snapshots.ts';
import type { RepositoryCache } from './repository-cache.ts';
import type { StructureAcross } from './structure-across.ts';
import { enclosing, listed } from './target-repositories.ts';

export interface CrossCallParts {
  readonly folder: string;
  /** Folder for temporary files of a question. */
  readonly scratch: string;
  readonly engine: Engine;
  readonly cache: RepositoryCache;
  readonly questions: CrossQuestions;
  readonly candidates: CandidateFiles;
  readonly recorded: CrossMemory;
  readonly structure: StructureAcross;
}

type Records = readonly RepositoryRecord[];

const MAX_PATHS = 500;

function namesOf(records: Records): string[] {
  return records.map(({ name }) => name);
}

export class CrossCalls {
  readonly #parts: CrossCallParts;

  constructor(parts: CrossCallParts) {
    this.#parts = parts;
  }

  search(records: Records, _path: string, request: SearchRequest) {
    return this.#parts.questions.search(records, request);
  }

  async locate(records: Records, _path: string, request: LocateRequest): Promise<LocateAnswer> {
    const { questions, structure } = this.#parts;
    const { includeReferences, ...plain } = request;
    const found = await questions.locate(records, plain);
    if (!includeReferences || found.symbols.length === 0) return found;
    return { ...found, ...(await structure.references(records, request)) };
  }

  research(records: Records, _path: string, request: ResearchRequest) {
    return this.#parts.structure.research(records, request);
  }

  symbol(records: Records, _path: string, id: string) {
    return this.#parts.structure.symbol(records, id);
  }

  map(records: Records, _path: string, options?: Parameters<Engine['map']>[1]) {
    return this.#parts.structure.map(records, options);
  }

  grep(records: Records, _path: string, request: GrepRequest) {
    const { candidates, scratch } = this.#parts;
    return grepAcross(candidates, scratch, records, request);
  }

  contextSearch(records: Records, _path: string, request: ContextRequest) {
    const { recorded, questions } = this.#parts;
    return recorded.search(namesOf(records), request, (wanted) => questions.search(records, wanted));
  }

  discoveries(records: Records) {
    return this.#parts.recorded.list(namesOf(records));
  }

  async memoryNotices(): Promise<readonly string[]> {
    return [];
  }

  findPaths(records: Records, _path: string, part: string, limit = MAX_PATHS) {
    return this.#parts.candidates.paths(records, part, Math.min(limit, MAX_PATHS));
  }

  /** Reads a file by its path with the repository's name in front. */
  async readFile(records: Records, _path: string, request: ReadFileRequest): Promise<ReadFileAnswer> {
    const { engine, cache, folder, structure } = this.#parts;
    const requestedPath = request.path.replace(/^(?:\.?\/)+/, '');
    const record = enclosing(requestedPath, records);
    if (!record || record.name === requestedPath)
      throw new EngineError('invalid_input', {
        reason: `A path begins with its repository here, one of ${listed(records)}.`,
      });
    const path = requestedPath.slice(record.name.length + 1);
    if (request.includeDependencies || request.includeDependants)
      return structure.readFile(records, record, { ...request, path: requestedPath });
    const answer = await cache.using(record, async (head) => ({
      ...(await engine.readFile(join(folder, record.name), { ...request, path })),
      ...describeSnapshots([head]),
    }));
    const within = <T extends { readonly path: string }>(one: T): T => ({ ...one, path: `${record.name}/${one.path}` });
    return {
      ...within(answer),
      module: answer.module === '' ? record.name : `${record.name}/${answer.module}`,
    };
  }

  /** The folder that paths in answers are relative to. */
  async root(_records: Records, path: string): Promise<string> {
    return path;
  }

  async firstIndex(): Promise<boolean> {
    return true;
  }

  async members(records: Records) {
    return records.map(({ name }) => ({ name, root: join(this.#parts.folder, name) }));
  }
}
