/**
 * Answers questions about structure over several repositories. OpenSearch finds the repositories that a question
 * concerns; they are hydrated on the node, and the embedded engine answers over them as over a workspace: its edges
 * lead from the importer of a package to the repository that has its source.
 */
import { join } from 'node:path';
import type { Engine, WorkspaceMember } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isHandle } from '../../model/records/ids.ts';
import type {
  LocateAnswer,
  LocateRequest,
  ReadFileAnswer,
  ReadFileRequest,
  ResearchAnswer,
  ResearchRequest,
  SymbolDetail,
} from '../../model/records/query.ts';
import { formatScope, type Scope } from '../../model/records/scope.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { CrossQuestions } from '../search/cross-questions.ts';
import { describeSnapshots, mapWithSnapshots } from '../search/tell-snapshots.ts';
import type { SnapshotHead } from '../snapshots/published-snapshots.ts';
import type { RepositoryCache } from './repository-cache.ts';
import { listed } from './target-repositories.ts';

export interface StructureParts {
  readonly engine: Engine;
  readonly cache: RepositoryCache;
  readonly questions: CrossQuestions;
}

type Records = readonly RepositoryRecord[];

interface Joined {
  /** The scope in the form of the node's engine: see `membersBelow`. */
  readonly scope: string;
  readonly heads: readonly SnapshotHead[];
  /** A sentence about repositories that were not searched; '' if all were. */
  readonly remark: string;
}

/** Maximum repositories of one question: all of them are hydrated on disk and joined in memory. */
const MAX_REPOSITORIES = 8;
const SCOPE = 'fleet';

/** Resolves a scope of the node's engine to folders. */
export function membersBelow(folder: string): (scope: Scope) => readonly WorkspaceMember[] {
  return ({ repos }) => repos.map((name) => ({ name, root: join(folder, name) }));
}

export class StructureAcross {
  readonly #parts: StructureParts;

  constructor(parts: StructureParts) {
    this.#parts = parts;
  }

  async research(records: Records, request: ResearchRequest): Promise<ResearchAnswer> {
    return this.#over(records, request.query, async ({ scope, heads, remark }) => {
      const answer = await this.#parts.engine.research(scope, request);
      const freshness = { ...answer.freshness, ref: 'the fleet', ...describeSnapshots(heads) };
      return { ...answer, summary: [answer.summary, remark].filter(Boolean).join('\n'), freshness };
    });
  }

  /** Throws symbol_not_found; invalid_input if too many repositories may be meant. */
  async symbol(records: Records, id: string): Promise<SymbolDetail> {
    if (records.length > MAX_REPOSITORIES && isHandle(id)) throw tooMany('A handle', records);
    return this.#over(records, id, ({ scope }) => this.#parts.engine.symbol(scope, id));
  }

  async map(records: Records, options?: Parameters<Engine['map']>[1]): Promise<string> {
    return this.#over(records, null, async ({ scope, heads, remark }) => {
      const mapOf = async (fitted: typeof options) =>
        [await this.#parts.engine.map(scope, fitted), remark].filter(Boolean).join('\n');
      return mapWithSnapshots(heads, options, mapOf);
    });
  }

  /** The uses of the requested symbol, in any repository. */
  async references(
    records: Records,
    request: LocateRequest,
  ): Promise<Pick<LocateAnswer, 'references' | 'referenceCounts'>> {
    const { session: _session, ...plain } = request;
    return this.#over(records, request.name, async ({ scope }) => {
      const { references, referenceCounts } = await this.#parts.engine.locate(scope, plain);
      return { references, referenceCounts };
    });
  }

  /** Reads a file with its imports and importers, in any repository; its path begins with `record`. */
  async readFile(records: Records, record: RepositoryRecord, request: ReadFileRequest): Promise<ReadFileAnswer> {
    // Files and packages are imported by their own name or a parent folder's.
    const query = request.path
      .replace(/\.\w+$/, '')
      .split('/')
      .slice(-3)
      .join('/');
    return this.#over(
      records,
      `${record.name} ${query}`,
      async ({ scope, heads }) => ({
        ...(await this.#parts.engine.readFile(scope, request)),
        ...describeSnapshots(heads),
      }),
      record,
    );
  }

  /** With a null `query`, the first repositories by name are used. */
  async #over<T>(
    records: Records,
    query: string | null,
    work: (joined: Joined) => Promise<T>,
    always?: RepositoryRecord,
  ): Promise<T> {
    const indexed = records.filter(({ branch }) => branch !== null);
    if (indexed.length === 0) throw new EngineError('not_indexed', { path: listed(records) });
    const found = await this.#choose(indexed, query);
    const chosen = !always || found.includes(always) ? found : [always, ...found.slice(1)];
    const left = records.length - chosen.length;
    const remark =
      left > 0
        ? `Of ${records.length} repositories ${chosen.length} were looked into: ${listed(chosen)}. ` +
          'Name others as path or repos.'
        : '';
    const names = chosen.map(({ name }) => name);
    return this.#parts.cache.usingAll(chosen, (heads) =>
      work({ scope: formatScope({ workspace: SCOPE, repos: names }), heads, remark }),
    );
  }

  async #choose(indexed: Records, query: string | null): Promise<Records> {
    if (indexed.length <= MAX_REPOSITORIES) return indexed;
    const names =
      query === null ? [] : await this.#parts.questions.concernedRepositories(indexed, query, MAX_REPOSITORIES);
    if (names.length === 0) return indexed.slice(0, MAX_REPOSITORIES);
    const wanted = new Set(names);
    return indexed.filter(({ name }) => wanted.has(name));
  }
}

function tooMany(what: string, records: Records): EngineError {
  const reason =
    `${what} is looked up in ${MAX_REPOSITORIES} repositories at most: ` +
    `pass the name of its repository as path or repos, one of ${listed(records)}.`;
  return new EngineError('invalid_input', { reason });
}
