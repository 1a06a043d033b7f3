/** Creates the configured embedder. The only file that knows all implementations. */
import { EngineError } from '../model/records/engine-errors.ts';
import type { Embedder } from './embedder.ts';
import type { HttpEmbedderConfig } from './providers/http-config.ts';
import { createHttpEmbedder, HTTP_PROVIDERS, type HttpProviderName } from './providers/http-embedders.ts';
import { createOnnxEmbedder, type OnnxConfig } from './providers/onnx-embedder.ts';
import { loadStaticModel } from './static/load-static-model.ts';

const PROVIDERS = ['static', ...HTTP_PROVIDERS, 'onnx'];

export type EmbedderConfig =
  | { readonly provider: 'static'; readonly modelFolder: string }
  | ({ readonly provider: HttpProviderName } & HttpEmbedderConfig)
  | ({ readonly provider: 'onnx' } & OnnxConfig);

export function createEmbedder(config: EmbedderConfig): Embedder {
  switch (config.provider) {
    case 'static':
      return loadStaticModel(config.modelFolder);
    case 'onnx':
      return createOnnxEmbedder(config);
    case 'openai':
    case 'ollama':
    case 'cortex':
      return createHttpEmbedder(config.provider, config);
    default: {
      const { provider } = config as { provider: string };
      const reason = `there is no such provider; choose one of ${PROVIDERS.join(', ')}`;
      throw new EngineError('provider_misconfigured', { kind: 'embedding', provider, reason });
    }
  }
}
