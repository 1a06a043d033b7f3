/**
 * Builds the engine's configuration and the settings of profiles, for the program (main.ts) and for the imported
 * package (package-entry.ts). The caller passes in the environment and the location of the installation.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EngineUse, Settings } from './cli/index.ts';
import { expandTilde } from './cli/parsing/expand-tilde.ts';
import type { CortexPlaces, CortexSettings } from './contracts/cortex/index.ts';
import type { Embedder, LanguageModel } from './embed/index.ts';
import type { EngineConfig } from './engine/index.ts';

/** The location of the installation, and the environment that the program was started with. */
export interface Place {
  /** The folder dist/. Passed in, because a module that several entries share may be bundled into a folder below it. */
  readonly built: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const modelFolder = ({ built }: Place): string => join(built, '..', 'models');

export function packageVersion({ built }: Place): string {
  return (JSON.parse(readFileSync(join(built, '..', 'package.json'), 'utf8')) as { version: string }).version;
}

export async function engineConfig(
  place: Place,
  { dataFolder: home, values }: Settings,
  use: EngineUse,
): Promise<EngineConfig> {
  const { built } = place;
  return {
    home,
    workerEntry: join(built, 'worker.cjs'),
    grammarFolder: join(built, 'grammars'),
    queryFolder: join(built, 'queries'),
    modelFolder: modelFolder(place),
    inline: use === 'once',
    index: {
      includeTests: values['index.include_tests'],
      includeVendor: values['index.include_vendor'],
      includeGenerated: values['index.include_generated'],
      exclude: values['index.exclude'],
      include: values['index.include'],
      maxFileBytes: values['index.max_file_bytes'],
    },
    provider: await embeddingProvider(place, values),
    contextBound: values['search.context_bound'],
    redact: values['privacy.redact'] === 'on',
    languageModel: await languageModel(place, values),
  };
}

/** The configured embedding provider; null for the built-in model, which the engine loads itself. */
async function embeddingProvider({ environment }: Place, values: Settings['values']): Promise<Embedder | null> {
  const provider = values['embedding.provider'];
  if (provider === 'static') return null;
  const { createEmbedder } = await import('./embed/index.ts');
  const model = values['embedding.model'];
  const dims = values['embedding.dims'] === 0 ? {} : { dims: values['embedding.dims'] };
  if (provider === 'onnx')
    return createEmbedder({ provider, modelFolder: model && resolve(expandTilde(model)), ...dims });
  const baseUrl =
    values['embedding.base_url'] || (provider === 'cortex' ? (environment.CORTEX_EMBEDDING_ENDPOINT ?? '') : '');
  const apiKey = keyOf(environment, { named: values['embedding.api_key_env'], provider, baseUrl });
  return createEmbedder({
    provider,
    ...dims,
    ...(model === '' ? {} : { model }),
    ...(baseUrl === '' ? {} : { baseUrl }),
    ...(apiKey === '' ? {} : { apiKey }),
  });
}

const OWN_KEYS: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' };

/**
 * The API key: from the variable that the user names, or from the provider's usual variable if the URL is the
 * provider's own. A key is never sent to a server that it was not issued for.
 */
function keyOf(
  environment: Place['environment'],
  { named, provider, baseUrl }: { readonly named: string; readonly provider: string; readonly baseUrl: string },
): string {
  const name = named || (baseUrl === '' ? (OWN_KEYS[provider] ?? '') : '');
  return name === '' ? '' : (environment[name] ?? '');
}

/** The configured language model, or null: without configuration, no query and no code leaves the machine. */
async function languageModel({ environment }: Place, values: Settings['values']): Promise<LanguageModel | null> {
  const provider = values['llm.provider'];
  if (provider === 'none') return null;
  const { createLanguageModel } = await import('./embed/index.ts');
  const model = values['llm.model'];
  const baseUrl = values['llm.base_url'];
  const apiKey = keyOf(environment, { named: values['llm.api_key_env'], provider, baseUrl });
  return createLanguageModel({
    provider,
    ...(model === '' ? {} : { model }),
    ...(baseUrl === '' ? {} : { baseUrl }),
    ...(apiKey === '' ? {} : { apiKey }),
  });
}

/**
 * The settings of each profile, in the form that the profile documents. `alone` is true if no other profile is served.
 */
export function profileSettings(
  place: Place,
  { values, ignoredFile }: Settings,
  { folder, alone, anyLanguage }: { folder: string | null; alone: boolean; anyLanguage: boolean },
): Record<string, unknown> {
  const rateLimits = {
    context_search: values['rate_limit.context_search'],
    read_file: values['rate_limit.read_file'],
    grep_codebase: values['rate_limit.grep_codebase'],
  };
  const cortex: CortexSettings | null =
    folder === null
      ? null
      : { failFast: alone, redact: values['privacy.redact'] === 'on', loadPlaces: () => cortexPlaces(place, folder) };
  return {
    sextant: { ignoredFile, viewFile: join(place.built, 'answers.html') },
    'context-tool': { rateLimits, logCalls: values['log.calls'] === 'on' },
    gocontext: { anyLanguage },
    ...(cortex && { cortex }),
  };
}

/**
 * Queries are embedded by the service that embedded the chunks, or by the built-in model if that did; the index has a
 * model of its own.
 */
async function cortexPlaces(place: Place, folder: string): Promise<CortexPlaces> {
  const [{ loadCortexConfig }, { createEmbedder, loadStaticModel }] = await Promise.all([
    import('./cli/config/cortex-config.ts'),
    import('./embed/index.ts'),
  ]);
  const { endpoint, ...places } = await loadCortexConfig(folder, place.environment);
  const { embed } = createEmbedder({
    provider: 'cortex',
    baseUrl: endpoint,
    dims: places.dimensions,
    maxAttempts: 2,
    backoffMs: 200,
  });
  const builtIn = loadStaticModel(modelFolder(place));
  return {
    ...places,
    embedQuery: async (text, signal) => (await embed([text], 'query', signal))[0]!,
    builtIn: {
      id: builtIn.id,
      dimensions: builtIn.dims,
      embedQuery: async (text, signal) => (await builtIn.embed([text], 'query', signal))[0]!,
    },
  };
}
