/**
 * How contents are derived, as the engine's configuration has it: the same for a worker of the fleet and for an index
 * on a laptop.
 */
import { deriverSetup, type EngineConfig } from '../../engine/engine-config.ts';
import { Models } from '../../engine/model-loader.ts';
import type { DeriverSetup } from '../../indexing/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { WalkOptions } from '../../walk/index.ts';

export interface Derivation {
  /** Names everything that decides what is derived, the model included. */
  readonly extractor: string;
  readonly modelId: string;
  readonly dims: number;
  readonly setup: DeriverSetup;
  readonly walk: Omit<WalkOptions, 'root' | 'signal'>;
  readonly options: Readonly<Record<string, boolean | string>>;
}

/**
 * Throws unsupported with a provider of vectors: their vectors come later than the contents, and the fleet's contents
 * are whole.
 */
export function derivationOf(config: EngineConfig): Derivation {
  if (config.provider)
    throw new EngineError('unsupported', {
      what: 'An embedding provider in the fleet',
      reason: 'the fleet derives contents once, with the built-in model. Set embedding.provider to static.',
    });
  const models = new Models(config);
  const { extractor, embedder } = models;
  const { includeTests, includeVendor, includeGenerated } = config.index;
  return {
    extractor,
    modelId: embedder.id,
    dims: embedder.dims,
    setup: deriverSetup(config),
    walk: config.index,
    options: { extractor, tests: includeTests, vendor: includeVendor, generated: includeGenerated },
  };
}
