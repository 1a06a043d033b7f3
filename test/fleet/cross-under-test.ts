/** Questions across the repositories of a fleet, asked of the same parts that a node is made of, in this process. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Models } from '../../src/engine/model-loader.ts';
import { Repositories } from '../../src/fleet/catalogue/repositories.ts';
import { CandidateFiles } from '../../src/fleet/search/candidate-files.ts';
import { grepAcross } from '../../src/fleet/search/cross-grep.ts';
import { CrossQuestions } from '../../src/fleet/search/cross-questions.ts';
import { Facets } from '../../src/fleet/search/facets.ts';
import { FleetCorpus } from '../../src/fleet/search/fleet-corpus.ts';
import { derivationOf } from '../../src/fleet/worker/derivation.ts';
import type {
  GrepAnswer,
  GrepRequest,
  LocateAnswer,
  LocateRequest,
  SearchAnswer,
  SearchRequest,
} from '../../src/model/records/query.ts';
import type { FleetUnderTest } from './fleet-under-test.ts';

export interface CrossUnderTest {
  search(request: SearchRequest): Promise<SearchAnswer>;
  locate(request: LocateRequest): Promise<LocateAnswer>;
  grep(request: GrepRequest): Promise<GrepAnswer>;
}

/** Every repository of the fleet is asked, unless told otherwise. */
export async function crossOf(
  under: Pick<FleetUnderTest, 'connection' | 'prefix' | 'snapshots' | 'contents' | 'config' | 'folder'>,
  isAsked: (name: string) => boolean = () => true,
): Promise<CrossUnderTest> {
  const { connection, prefix, snapshots, contents, config } = under;
  const repositories = new Repositories(connection, prefix);
  const candidates = new CandidateFiles(connection, prefix, snapshots, contents);
  const questions = new CrossQuestions({
    config,
    models: new Models(config),
    derivation: derivationOf(config),
    candidates,
    corpus: new FleetCorpus(connection, prefix),
    facets: new Facets(connection, prefix),
  });
  const asked = async () => (await repositories.list()).filter(({ name }) => isAsked(name));
  const scratch = join(under.folder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  return {
    search: async (request) => questions.search(await asked(), request),
    locate: async (request) => questions.locate(await asked(), request),
    grep: async (request) => grepAcross(candidates, scratch, await asked(), request),
  };
}
