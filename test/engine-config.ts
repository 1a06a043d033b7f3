/** The engine that this clone has built, over a data folder of its own: for tests, measurements and training. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EngineConfig, INDEX_DEFAULTS } from '../src/engine/engine-config.ts';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..');

export function engineConfig(home: string, change: Partial<EngineConfig> = {}): EngineConfig {
  return {
    home,
    workerEntry: join(repository, 'dist/worker.cjs'),
    grammarFolder: join(repository, 'dist/grammars'),
    queryFolder: join(repository, 'dist/queries'),
    modelFolder: join(repository, 'models'),
    inline: false,
    index: INDEX_DEFAULTS,
    provider: null,
    ...change,
  };
}
