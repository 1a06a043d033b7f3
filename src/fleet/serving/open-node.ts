/** Creates a node that answers questions from the fleet. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, type EngineConfig } from '../../engine/index.ts';
import { Models } from '../../engine/model-loader.ts';
import { NodeAdmission } from '../admission/node-admission.ts';
import { fleetContents } from '../blobs/fleet-contents.ts';
import type { Repositories } from '../catalogue/repositories.ts';
import type { FleetNode, NodeOptions } from '../fleet.ts';
import { SharedDiscoveries } from '../memory/shared-discoveries.ts';
import { readSchema } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { CandidateFiles } from '../search/candidate-files.ts';
import { CrossMemory } from '../search/cross-memory.ts';
import { CrossQuestions } from '../search/cross-questions.ts';
import { Facets } from '../search/facets.ts';
import { FleetCorpus } from '../search/fleet-corpus.ts';
import type { PublishedSnapshots } from '../snapshots/published-snapshots.ts';
import { derivationOf } from '../worker/derivation.ts';
import { AuditLog } from './audit-log.ts';
import { CrossCalls } from './cross-calls.ts';
import { FleetEngine } from './fleet-engine.ts';
import { GivenContents } from './given-contents.ts';
import { RepositoryCache } from './repository-cache.ts';
import { BLOBS_PATH, sharedBlobs } from './shared-blobs.ts';
import { membersBelow, StructureAcross } from './structure-across.ts';
import { currentSubject, type Tokens } from './subjects.ts';
import { TeamMemory } from './team-memory.ts';
import { VisibleRepositories } from './visible-repositories.ts';

interface NodeParts {
  readonly cluster: SearchCluster;
  readonly prefix: string;
  readonly repositories: Repositories;
  readonly snapshots: PublishedSnapshots;
  readonly config: EngineConfig;
  readonly tokens: Tokens;
  readonly webhookSecret: string | null;
}

export function openNode(parts: NodeParts, options: NodeOptions): FleetNode {
  const { cluster, prefix, tokens, webhookSecret } = parts;
  const home = join(parts.config.home, 'fleet', 'cache');
  const below = join(home, 'repositories');
  mkdirSync(below, { recursive: true, mode: 0o700 });
  const folder = realpathSync(below);
  const derivation = derivationOf(parts.config);
  // Notes about one subject would affect the answers to another.
  const engine = createEngine({
    ...parts.config,
    home,
    frozen: true,
    contextBound: 0,
    membersOf: membersBelow(folder),
  });
  const contents = fleetContents(cluster, prefix, derivation.extractor);
  const { snapshots } = parts;
  const audit = new AuditLog(cluster, prefix, options.auditDays, (lost) =>
    options.onRemark(`${lost} entries of the audit log are lost: the fleet could not be written to.`),
  );
  const shared = new SharedDiscoveries(cluster, prefix);
  const memory = new TeamMemory(engine, shared);
  const cache = new RepositoryCache({
    folder,
    maxBytes: options.cacheBytes,
    engine,
    snapshots,
    contents,
    derivation,
    onEvicted: (name) => memory.forgetCopy(name),
  });
  const visible = new VisibleRepositories(parts.repositories);
  const candidates = new CandidateFiles(cluster, prefix, snapshots, contents);
  const models = new Models(parts.config);
  const recorded = new CrossMemory({ models, derivation, shared });
  const questions = new CrossQuestions({
    config: parts.config,
    models,
    derivation,
    candidates,
    corpus: new FleetCorpus(cluster, prefix),
    facets: new Facets(cluster, prefix),
  });
  const { issuer, requestsPerMinute } = options;
  const admission = new NodeAdmission(parts.repositories, { tokens, issuer, requestsPerMinute, webhookSecret });
  const given = new GivenContents({
    config: parts.config,
    extractor: derivation.extractor,
    contents,
    audit,
    scratch: join(home, 'given'),
    groups: options.giveGroups,
    bytesPerDay: options.giveBytesPerDay,
  });
  const structure = new StructureAcross({ engine, cache, questions });
  const across = new CrossCalls({ folder, scratch: home, engine, cache, questions, candidates, recorded, structure });
  return {
    engine: new FleetEngine({ engine, folder, cache, visible, audit, across, memory }),
    folder,
    admission: {
      admit: (authorization) => admission.admit(authorization),
      answerOpen: (request) => admission.answerOpen(request),
      async answerAdmitted(request) {
        const { method, path, body } = request;
        return path === BLOBS_PATH && method === 'POST'
          ? answerBlobs(parts, audit, await body())
          : given.answer(request);
      },
      async checkReady() {
        await readSchema(cluster, prefix);
      },
    },
    async close() {
      given.close();
      await audit.close();
      await engine.close();
    },
  };
}

/** Serves derived contents to a laptop, and records the call in the audit log. */
async function answerBlobs({ cluster, prefix }: NodeParts, audit: AuditLog, body: Buffer) {
  const blobs = await sharedBlobs(cluster, prefix, body);
  if (!blobs) return { status: 400, json: { error: 'No list of contents.' } };
  const subject = currentSubject()!.name;
  audit.add({ subject, tool: 'take', repositories: [], results: blobs.length, outcome: 'ok' });
  return { status: 200, json: { blobs } };
}
