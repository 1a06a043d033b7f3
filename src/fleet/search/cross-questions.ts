/**
 * Answers questions across repositories. OpenSearch finds candidate files; their derived contents become one tree in
 * memory, with the term counts of all queried repositories, and the code that answers for one project answers from it:
 * the same features, the same ranker.
 */
import type { EngineConfig } from '../../engine/engine-config.ts';
import type { Models } from '../../engine/model-loader.ts';
import type { AnsweringProject, ProjectAccess } from '../../engine/projects/open-projects.ts';
import { Assistance } from '../../engine/questions/assistance.ts';
import { checkQuery, checkRequest } from '../../engine/questions/check-request.ts';
import { SearchCalls } from '../../engine/questions/search-calls.ts';
import { NO_STRUCTURE_MEMORY, StructureCalls } from '../../engine/questions/structure-calls.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Freshness, LocateAnswer, LocateRequest, SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import { modeOf, treeCorpus, understand, understandTranslated } from '../../search/index.ts';
import { treeStats } from '../../search/scoring/tree-stats.ts';
import { contentTree, type MemoryFile } from '../../store/index.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../../store/store.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { SnapshotHead } from '../snapshots/published-snapshots.ts';
import type { Derivation } from '../worker/derivation.ts';
import type { CandidateFiles } from './candidate-files.ts';
import {
  type CandidateSearch,
  candidateSearches,
  definingSearches,
  filterQueries,
  referringSearch,
  usingSearches,
} from './candidate-queries.ts';
import type { Facets } from './facets.ts';
import type { CountedWords, FleetCorpus } from './fleet-corpus.ts';
import { repositorySet } from './repository-set.ts';
import { describeSnapshots } from './tell-snapshots.ts';

export interface CrossParts {
  readonly config: EngineConfig;
  readonly models: Models;
  readonly derivation: Derivation;
  readonly candidates: CandidateFiles;
  readonly corpus: FleetCorpus;
  readonly facets: Facets;
}

/** Files fetched per question: the ranker scores 80, and more than 160 give the same results. */
const MAX_FETCHED_FILES = 160;
/** Files fetched that use a name, for `include references`. */
const MAX_USING_FILES = 120;
/** Stands for the root of a project in answers. */
const FLEET_NAME = 'the fleet';

/** The fetched files of all queried repositories as one project. */
class FetchedProject implements AnsweringProject {
  readonly resolved = { root: FLEET_NAME, storeFolder: '' };
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly heads: readonly SnapshotHead[];

  constructor(reader: StoreReader, view: TreeView, heads: readonly SnapshotHead[]) {
    this.reader = reader;
    this.view = view;
    this.heads = heads;
  }

  async find(ref?: string): Promise<TreeView> {
    if (ref === undefined) return this.view;
    const reason = 'A ref means one repository: pass the name of that one as path.';
    throw new EngineError('invalid_input', { reason });
  }
}

export class CrossQuestions {
  readonly #parts: CrossParts;
  readonly #assistance: Assistance;

  constructor(parts: CrossParts) {
    this.#parts = parts;
    this.#assistance = new Assistance(parts.config);
  }

  /** `repositories` are those that the question is about and the subject may see. */
  async search(repositories: readonly RepositoryRecord[], request: SearchRequest): Promise<SearchAnswer> {
    checkQuery(request);
    const { models, derivation, facets, corpus } = this.#parts;
    const understood = understand(request.query);
    const queryTerms = understood.terms.map(({ term }) => term);
    corpus.prepare(repositorySet(repositories), queryTerms);
    const filters = { ...understood.filters, ...request.filters };
    const filter = filterQueries(repositorySet(repositories), filters);
    const text = understood.gist ?? understood.text;
    const mode = modeOf(request);
    const [vector] = mode === 'keyword' ? [] : await models.embedder.embed([text], 'query', request.signal);
    const searches = candidateSearches(understood, vector?.length === derivation.dims ? vector : null, filter);
    const wanted = Math.max(MAX_FETCHED_FILES, 2 * (request.limit ?? 0));
    const [opened, counted] = await Promise.all([
      this.#open(repositories, searches, wanted, (presenter) => this.#words(request, presenter)),
      facets.of(understood, filter),
    ]);
    const searching = new SearchCalls({ ...this.#around(opened), assistance: this.#assistance });
    const answer = await searching.answer(FLEET_NAME, { ...withoutSession(request), stateless: true });
    return { ...answer, notices: [...answer.notices, ...counted] };
  }

  /** Names of the repositories that a question concerns, by the symbols they define and use; best first. */
  async concernedRepositories(
    repositories: readonly RepositoryRecord[],
    query: string,
    limit: number,
  ): Promise<readonly string[]> {
    const understood = understand(query);
    const filter = filterQueries(repositorySet(repositories), {});
    const searches = [
      ...candidateSearches(understood, null, filter),
      ...understood.identifiers.slice(0, 1).flatMap((name) => definingSearches(name, filter).slice(0, 1)),
      ...usingSearches(understood, filter),
    ];
    return this.#parts.candidates.repositories(searches, limit);
  }

  async locate(repositories: readonly RepositoryRecord[], request: LocateRequest): Promise<LocateAnswer> {
    checkRequest(request, 'name');
    const filter = filterQueries(
      repositorySet(repositories),
      request.language ? { languages: [request.language] } : {},
    );
    const users = request.includeReferences ? [referringSearch(request.name, filter, MAX_USING_FILES)] : [];
    const searches = [...definingSearches(request.name, filter), ...users];
    const opened = await this.#open(
      repositories,
      searches,
      MAX_FETCHED_FILES + (users.length > 0 ? MAX_USING_FILES : 0),
      null,
    );
    const { projects, indexFreshness } = this.#around(opened);
    const structure = new StructureCalls({
      projects,
      indexFreshness,
      memories: async () => NO_STRUCTURE_MEMORY,
      search: (_path, searchRequest) => this.search(repositories, searchRequest),
    });
    const { session: _session, ...sessionless } = request;
    return structure.locate(FLEET_NAME, sessionless);
  }

  /**
   * Fetches the candidate files as one tree. `wordsOf` returns the terms whose counts over all repositories are needed;
   * null for none.
   */
  async #open(
    repositories: readonly RepositoryRecord[],
    searches: readonly CandidateSearch[],
    limit: number,
    wordsOf: ((tree: Tree) => Promise<CountedWords>) | null,
  ): Promise<FetchedProject> {
    const { candidates, corpus } = this.#parts;
    const { files, heads } = await candidates.find(searches, repositories, limit);
    const { reader, view } = this.#tree(files);
    if (!wordsOf) return new FetchedProject(reader, view, heads);
    const fetchedCorpus = treeCorpus(reader, view);
    const counts = await corpus.of(repositorySet(repositories), await wordsOf({ reader, view }), fetchedCorpus);
    // Caches are keyed by the view, so other counts need a new view object.
    return new FetchedProject(reader, { ...view, corpus: counts }, heads);
  }

  #tree(files: readonly MemoryFile[]): Tree {
    const { modelId, dims } = this.#parts.derivation;
    return contentTree(files, { root: FLEET_NAME, modelId, dims, publishedAtMs: 0 });
  }

  /** The terms that the ranker weighs: of the query, related ones, and names in file paths. */
  async #words(request: SearchRequest, { reader, view }: Tree): Promise<CountedWords> {
    const vocabulary = { reader, view, moduleOf: repositoryOf };
    const understood = understandTranslated(request.query, vocabulary);
    const { related } = await this.#assistance.widen(withoutExpansion(request), understood, vocabulary, []);
    const terms = [...understood.terms, ...related].map(({ term }) => term);
    const keys = treeStats(view).keys.filter((key) => key.length > 1);
    return {
      terms: [...new Set(terms)],
      references: [...new Set(keys.flatMap((key) => [key, IMPORT_MARK + key]))],
    };
  }

  #around(opened: FetchedProject) {
    const { config, models } = this.#parts;
    const { reader, view } = opened;
    const projects: ProjectAccess<FetchedProject> = {
      resolve: async () => ({ root: FLEET_NAME, git: null }),
      around: async () => opened,
      presenter: async () => ({ reader, view, moduleOf: repositoryOf }),
      graphContext: async () => {
        const { SymbolGraph } = await import('../../graph/index.ts');
        return { graph: new SymbolGraph(reader, view), reader, view, moduleOf: repositoryOf };
      },
      titleOf: () => FLEET_NAME,
    };
    const freshness: Freshness = {
      status: 'fresh',
      pending: [],
      ref: FLEET_NAME,
      indexedAtMs: Math.min(Date.now(), ...opened.heads.map(({ publishedAtMs }) => publishedAtMs)),
      ...describeSnapshots(opened.heads),
    };
    const indexFreshness = {
      of: async () => freshness,
      wait: async () => undefined,
      startCheck: async () => undefined,
    };
    const memoriesIf = async () => null;
    return { config: { inline: false }, projects, indexFreshness, models, memoriesIf, home: config.home };
  }
}

interface Tree {
  readonly reader: StoreReader;
  readonly view: TreeView;
}

/** The module of a file is its repository: with only some of the files fetched, modules are unknown. */
function repositoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function withoutSession({ session: _session, waitFreshMs: _wait, ...request }: SearchRequest): SearchRequest {
  return request;
}

/** The language model is called once, by the search itself. */
function withoutExpansion({ expandQuery: _expand, ...request }: SearchRequest): SearchRequest {
  return request;
}
