/**
 * The settings for deriving contents, from the engine's configuration: the same for a fleet worker and for an index on
 * a laptop.
 */
import { deriverSetup, type EngineConfig } from '../../engine/engine-config.ts';
import { Models } from '../../engine/model-loader.ts';
import type { DeriverSetup } from '../../indexing/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { WalkOptions } from '../../walk/index.ts';

export interface Derivation {
  /** Identifies everything that decides what is derived, the model included. */
  readonly extractor: string;
  readonly modelId: string;
  readonly dims: number;
  readonly setup: DeriverSetup;
  readonly walk: Omit<WalkOptions, 'root' | 'signal'>;
  readonly options: Readonly<Record<string, boolean | string>>;
}

/**
 * Throws unsupported with an embedding provider: its vectors are added after the contents, and the fleet stores
 * complete contents only.
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
