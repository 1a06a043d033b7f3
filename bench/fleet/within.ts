/** Questions within a repository: on a node that hydrated it, and on an embedded index of the same commit. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, type Engine } from '../../src/engine/index.ts';
import { hydrate } from '../../src/fleet/serving/hydrate.ts';
import type { SnapshotHead } from '../../src/fleet/snapshots/published-snapshots.ts';
import { derivationOf } from '../../src/fleet/worker/derivation.ts';
import { engineConfig } from '../../test/engine-config.ts';
import { git } from '../../test/fleet/fleet-under-test.ts';
import { mean } from '../quality/figures.ts';
import { ndcg, type Question } from '../quality/set.ts';
import type { BenchedFleet } from './fleet.ts';
import type { BenchRepository } from './repositories.ts';

const MB = 1 << 20;
const LIMIT = 10;

export interface Hydrated {
  readonly engine: Engine;
  readonly rootOf: (name: string) => string;
  readonly mb: number;
  readonly seconds: number;
}

/** Every repository on a node's disk, and an engine that answers from there. */
export async function hydrateAll(fleet: BenchedFleet, home: string): Promise<Hydrated> {
  const { engine, bring, rootOf } = nodeAt(fleet, home);
  let [mb, seconds] = [0, 0];
  for (const head of await fleet.snapshots.heads()) {
    const started = performance.now();
    await bring(head);
    seconds += (performance.now() - started) / 1000;
    mb += head.summary.bytes / MB;
  }
  return { engine, rootOf, mb, seconds };
}

/** The repository that is nearest to a size. */
export async function headOfSize(fleet: BenchedFleet, lines: number): Promise<SnapshotHead> {
  const heads = await fleet.snapshots.heads();
  const away = ({ summary }: SnapshotHead) => Math.abs(Math.log(summary.lines / lines));
  return [...heads].sort((a, b) => away(a) - away(b))[0]!;
}

/** The first question about a repository, on a node that has nothing. */
export async function coldAnswer(fleet: BenchedFleet, home: string, head: SnapshotHead) {
  const { engine, bring, rootOf } = nodeAt(fleet, home);
  // What a node has loaded when it is up: the model.
  await engine.questionOf('where is the configuration read');
  const started = performance.now();
  await bring(head);
  await engine.search(rootOf(head.repository), { query: 'where is the configuration read', stateless: true });
  const ms = performance.now() - started;
  await engine.close();
  return { name: head.repository, lines: head.summary.lines, ms };
}

function nodeAt(fleet: BenchedFleet, home: string) {
  const config = engineConfig(home, { frozen: true });
  const engine = createEngine(config);
  const derivation = derivationOf(config);
  const rootOf = (name: string) => join(home, 'files', name);
  const bring = async ({ repository, ref }: SnapshotHead) => {
    const root = rootOf(repository);
    mkdirSync(root, { recursive: true });
    const { storeFolder } = await engine.project(root);
    const snapshot = await fleet.snapshots.read(repository, ref);
    await hydrate({ root, storeFolder, derivation, contents: fleet.contents }, snapshot!);
  };
  return { engine, bring, rootOf };
}

export interface WithinFigures {
  readonly fleet: number;
  readonly embedded: number;
  /** Answers that differ in a path, a line or a score. */
  readonly different: number;
}

export async function askWithin(
  folder: string,
  hydrated: Hydrated,
  questions: readonly Question[],
  repositories: readonly BenchRepository[],
  say: (line: string) => void,
): Promise<WithinFigures> {
  const local = createEngine(engineConfig(join(folder, 'laptop')));
  const scores: { fleet: number; embedded: number; isSame: boolean }[] = [];
  for (const { name, url } of repositories) {
    const clone = join(folder, 'clones', name);
    git(folder, 'clone', '--quiet', url, clone);
    await local.index(clone);
    for (const { query, targets } of questions.filter(({ repository }) => repository === name)) {
      const ask = async (engine: Engine, root: string) =>
        (await engine.search(root, { query, limit: LIMIT, stateless: true })).hits.map(
          ({ path, startLine, endLine, score }) => ({ path, startLine, endLine, score }),
        );
      const [there, here] = [await ask(hydrated.engine, hydrated.rootOf(name)), await ask(local, clone)];
      const isSame = JSON.stringify(there) === JSON.stringify(here);
      if (!isSame) say(`${name}: "${query}" is answered otherwise than by an embedded index`);
      scores.push({ fleet: ndcg(there, targets), embedded: ndcg(here, targets), isSame });
    }
  }
  await Promise.all([local.close(), hydrated.engine.close()]);
  return {
    fleet: mean(scores.map((one) => one.fleet)),
    embedded: mean(scores.map(({ embedded }) => embedded)),
    different: scores.filter(({ isSame }) => !isSame).length,
  };
}
