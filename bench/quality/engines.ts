/**
 * The engines that are measured. Weights that were learned from a repository say nothing about how well others are
 * answered: with --folds, each repository is asked of an engine whose ranker never saw it (training/ranker.ts writes
 * such a folder).
 */
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../src/engine/index.ts';
import { engineConfig } from '../../test/engine-config.ts';
import { builtEngine } from '../built-engine.ts';

const models = join(dirname(fileURLToPath(import.meta.url)), '../../models');

export interface Engines {
  /** With the shipped weights. */
  readonly shipped: Engine;
  /** With weights that never saw the repository, where there are such; the shipped ones otherwise. */
  unseen(repository: string): Engine;
  /** Another one with the shipped weights, that has nothing open. */
  another(): Engine;
  /** One that has learned nothing: best words and best vector, added up. */
  untrained(): Engine;
  close(): Promise<void>;
}

export async function openEngines(home: string, work: string, folds: string | undefined): Promise<Engines> {
  const { createEngine } = await builtEngine();
  const opened: Engine[] = [];
  const open = (modelFolder: string): Engine => {
    const engine = createEngine(engineConfig(home, { modelFolder }));
    opened.push(engine);
    return engine;
  };
  const shipped = open(models);
  const foldOf: Record<string, number> = folds ? JSON.parse(readFileSync(join(folds, 'folds.json'), 'utf8')) : {};
  const byFold = new Map<number, Engine>();
  return {
    shipped,
    unseen(repository) {
      const fold = foldOf[repository];
      if (!folds || fold === undefined) return shipped;
      const made = byFold.get(fold) ?? open(modelsWith(join(folds, `ranker-${fold}.json`), join(work, `fold-${fold}`)));
      byFold.set(fold, made);
      return made;
    },
    another: () => open(models),
    untrained: () => open(modelsWith(untrainedRanker(work), join(work, 'untrained'))),
    close: async () => {
      await Promise.all(opened.map((engine) => engine.close()));
    },
  };
}

function untrainedRanker(work: string): string {
  const weights = { default: { best_chunk: 1, vector: 1 } };
  const calibration = { confidence: { bias: 4, weights: {} }, gap: { offset: 0, slope: 1 } };
  const file = join(work, 'untrained.json');
  writeFileSync(file, JSON.stringify({ version: 1, weights, calibration, floor: 0 }));
  return file;
}

/** The shipped models with another ranker. */
function modelsWith(ranker: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(models))
    if (name !== 'ranker.json' && !existsSync(join(folder, name))) linkOrCopy(join(models, name), join(folder, name));
  writeFileSync(join(folder, 'ranker.json'), readFileSync(ranker));
  return folder;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    writeFileSync(to, readFileSync(from));
  }
}
