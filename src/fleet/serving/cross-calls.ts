/**
 * The methods of the engine that are answered about several repositories at once, as a node's engine leads calls to
 * them.
 */
import { join } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type {
  GrepRequest,
  LocateRequest,
  ReadFileAnswer,
  ReadFileRequest,
  SearchRequest,
} from '../../model/records/query.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { CandidateFiles } from '../search/candidate-files.ts';
import { grepAcross } from '../search/cross-grep.ts';
import type { CrossQuestions } from '../search/cross-questions.ts';
import { enclosing, listed } from './asked-repositories.ts';
import type { RepositoryCache } from './repository-cache.ts';

export interface CrossCallParts {
  readonly folder: string;
  /** For what a question lays out and takes away again. */
  readonly scratch: string;
  readonly engine: Engine;
  readonly cache: RepositoryCache;
  readonly questions: CrossQuestions;
  readonly candidates: CandidateFiles;
}

type Records = readonly RepositoryRecord[];

export class CrossCalls {
  readonly #parts: CrossCallParts;

  constructor(parts: CrossCallParts) {
    this.#parts = parts;
  }

  search(records: Records, _path: string, request: SearchRequest) {
    return this.#parts.questions.search(records, request);
  }

  locate(records: Records, _path: string, request: LocateRequest) {
    return this.#parts.questions.locate(records, request);
  }

  grep(records: Records, _path: string, request: GrepRequest) {
    const { candidates, scratch } = this.#parts;
    return grepAcross(candidates, scratch, records, request);
  }

  /** A file by its path as answers about several repositories name it. */
  async readFile(records: Records, _path: string, request: ReadFileRequest): Promise<ReadFileAnswer> {
    const { engine, cache, folder } = this.#parts;
    const asked = request.path.replace(/^(?:\.?\/)+/, '');
    const record = enclosing(asked, records);
    if (!record || record.name === asked)
      throw new EngineError('invalid_input', {
        reason: `A path begins with its repository here, one of ${listed(records)}.`,
      });
    const path = asked.slice(record.name.length + 1);
    const answer = await cache.using(record, () => engine.readFile(join(folder, record.name), { ...request, path }));
    const within = <T extends { readonly path: string }>(one: T): T => ({ ...one, path: `${record.name}/${one.path}` });
    return {
      ...within(answer),
      dependencies: answer.dependencies.map(within),
      dependants: answer.dependants.map((at) => `${record.name}/${at}`),
    };
  }

  /** Where the paths of answers begin. */
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
