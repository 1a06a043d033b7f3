/**
 * The composition root: reads the environment and the arguments once, picks the implementations, hands them to the
 * command line. Rooms that a command may not need (engine, transports, log) are loaded when it asks for them: a cold
 * `search` is mostly start-up.
 */
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  atHome,
  dataFolder,
  type EngineUse,
  type Outside,
  processTerminal,
  runCli,
  type Settings,
} from './cli/index.ts';
import type { Log } from './contracts/contract.ts';
import type { CortexPlaces, CortexSettings } from './contracts/cortex/index.ts';
import type { Embedder, LanguageModel } from './embed/index.ts';
import type { EngineConfig } from './engine/index.ts';
import type { FleetConfig } from './fleet/index.ts';
import { EngineError, ERROR_TABLE } from './model/records/engine-errors.ts';
import { startGuard } from './model/runtime/child-guard.ts';

/** dist/, where this file is bundled to, and the package around it. */
const built = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(built, '..');
const environment = process.env;
// Empty, or none at all (the user of a container is often unknown to it): the data would land in the folder one happens
// to be in.
if (known(homedir) === '') environment.HOME = known(() => userInfo().homedir) || '/';
// Read by Node when it starts, which took this process its time; those below us have nothing to do with the network.
delete environment.NODE_EXTRA_CA_CERTS;

function known(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

const version = (): string =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version;

async function engineConfig({ dataFolder: home, values }: Settings, use: EngineUse): Promise<EngineConfig> {
  return {
    home,
    workerEntry: join(built, 'worker.cjs'),
    grammarFolder: join(built, 'grammars'),
    queryFolder: join(built, 'queries'),
    modelFolder: join(packageFolder, 'models'),
    inline: use === 'once',
    index: {
      includeTests: values['index.include_tests'],
      includeVendor: values['index.include_vendor'],
      includeGenerated: values['index.include_generated'],
      exclude: values['index.exclude'],
      include: values['index.include'],
      maxFileBytes: values['index.max_file_bytes'],
    },
    provider: await embeddingProvider(values),
    contextBound: values['search.context_bound'],
    redact: values['privacy.redact'] === 'on',
    languageModel: await languageModel(values),
  };
}

/** Null: the built-in model, which the engine loads by itself. */
async function embeddingProvider(values: Settings['values']): Promise<Embedder | null> {
  const provider = values['embedding.provider'];
  if (provider === 'static') return null;
  const { createEmbedder } = await import('./embed/index.ts');
  const model = values['embedding.model'];
  const dims = values['embedding.dims'] === 0 ? {} : { dims: values['embedding.dims'] };
  if (provider === 'onnx') return createEmbedder({ provider, modelFolder: model && resolve(atHome(model)), ...dims });
  const baseUrl =
    values['embedding.base_url'] || (provider === 'cortex' ? (environment.CORTEX_EMBEDDING_ENDPOINT ?? '') : '');
  const apiKey = keyOf(values['embedding.api_key_env'], provider, baseUrl);
  return createEmbedder({
    provider,
    ...dims,
    ...(model === '' ? {} : { model }),
    ...(baseUrl === '' ? {} : { baseUrl }),
    ...(apiKey === '' ? {} : { apiKey }),
  });
}

async function fleetConfig(settings: Settings, named: readonly string[]): Promise<FleetConfig> {
  const { values } = settings;
  const urls = named.length > 0 ? named : values['fleet.url'];
  if (urls.length === 0)
    throw new EngineError('invalid_input', {
      reason: 'Which fleet? Pass the address of OpenSearch with --url, or set fleet.url (SEXTANT_FLEET_URL).',
    });
  const pem = (key: 'fleet.ca_file' | 'fleet.certificate_file' | 'fleet.key_file') =>
    values[key] === '' ? undefined : readFileSync(resolve(atHome(values[key])), 'utf8');
  const [ca, certificate, key] = [pem('fleet.ca_file'), pem('fleet.certificate_file'), pem('fleet.key_file')];
  const user = values['fleet.user'];
  const gitToken = environment[values['fleet.git_token_env']];
  return {
    address: {
      urls,
      ...(user === '' ? {} : { user, password: environment[values['fleet.password_env']] ?? '' }),
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { certificate }),
      ...(key === undefined ? {} : { key }),
    },
    prefix: values['fleet.prefix'],
    engine: await engineConfig(settings, 'server'),
    ...(gitToken ? { gitToken } : {}),
  };
}

const OWN_KEYS: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' };

/**
 * Named by the user, or the provider's own for the provider's own address: a key never goes to a server it was not
 * meant for.
 */
function keyOf(named: string, provider: string, baseUrl: string): string {
  const name = named || (baseUrl === '' ? (OWN_KEYS[provider] ?? '') : '');
  return name === '' ? '' : (environment[name] ?? '');
}

/** Null unless one is configured: no question and no code leaves the machine by itself. */
async function languageModel(values: Settings['values']): Promise<LanguageModel | null> {
  const provider = values['llm.provider'];
  if (provider === 'none') return null;
  const { createLanguageModel } = await import('./embed/index.ts');
  const model = values['llm.model'];
  const baseUrl = values['llm.base_url'];
  const apiKey = keyOf(values['llm.api_key_env'], provider, baseUrl);
  return createLanguageModel({
    provider,
    ...(model === '' ? {} : { model }),
    ...(baseUrl === '' ? {} : { baseUrl }),
    ...(apiKey === '' ? {} : { apiKey }),
  });
}

/**
 * Settings of single profiles, in the form that each of them documents. `alone`: no other profile is served beside it.
 */
function profileSettings(
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
      : { failFast: alone, redact: values['privacy.redact'] === 'on', loadPlaces: () => cortexPlaces(folder) };
  return {
    sextant: { ignoredFile },
    'context-tool': { rateLimits, logCalls: values['log.calls'] === 'on' },
    gocontext: { anyLanguage },
    ...(cortex && { cortex }),
  };
}

/**
 * The service that made the chunks' vectors is asked, unless the built-in model made them; the index keeps a model of
 * its own.
 */
async function cortexPlaces(folder: string): Promise<CortexPlaces> {
  const [{ loadCortexConfig }, { createEmbedder, loadStaticModel }] = await Promise.all([
    import('./cli/config/cortex-config.ts'),
    import('./embed/index.ts'),
  ]);
  const { endpoint, ...places } = await loadCortexConfig(folder, environment);
  const { embed } = createEmbedder({
    provider: 'cortex',
    baseUrl: endpoint,
    dims: places.dimensions,
    maxAttempts: 2,
    backoffMs: 200,
  });
  const builtIn = loadStaticModel(join(packageFolder, 'models'));
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

/** The log, loaded when there is something to say: an agent waits for the server's greeting at every start. */
function deferredLog(verbose: boolean): Log {
  let opening: Promise<Log> | undefined;
  return (level, message, fields) => {
    if (!verbose && (level === 'debug' || level === 'info')) return;
    opening ??= import('./cli/running/log.ts').then(({ openLog }) => openLog(verbose));
    void opening.then((log) => log(level, message, fields));
  };
}

/** A package that is not there, or whose native part is another system's. */
function partIsMissing(error: Error): never {
  throw new EngineError('unsupported', { what: 'The index', reason: error.message.split('\n')[0]! }, error);
}

function makeOutside(verbose: boolean): Outside {
  const log = deferredLog(verbose);
  return {
    async openEngine(settings, use) {
      if (use !== 'once') startGuard();
      const { createEngine } = await import('./engine/index.ts').catch(partIsMissing);
      return createEngine(await engineConfig(settings, use));
    },
    async openFleet(settings, urls) {
      startGuard();
      const { openFleet } = await import('./fleet/index.ts');
      return openFleet(await fleetConfig(settings, urls));
    },
    async serveStdio({ settings, anyLanguage, ...options }) {
      const [{ serveStdio }, { SERVED_PROFILES }] = await Promise.all([
        import('./transports/index.ts'),
        import('./contracts/index.ts'),
      ]);
      if (!SERVED_PROFILES.includes(options.profile))
        throw new EngineError('unsupported', {
          what: `The profile ${options.profile}`,
          reason: `this build serves ${SERVED_PROFILES.join(', ')}`,
        });
      const folder = options.workspace ?? options.fallbackWorkspace;
      const own = profileSettings(settings, { folder, alone: true, anyLanguage });
      await serveStdio({ ...options, settings: own, version: version(), log, debug: verbose, keepMetrics: true });
    },
    async serveHttp({ settings, anyLanguage, ...options }) {
      const [{ serveHttp }, { SERVED_PROFILES }, { loadPage }] = await Promise.all([
        import('./transports/index.ts'),
        import('./contracts/index.ts'),
        import('./web/index.ts'),
      ]);
      const own = profileSettings(settings, { folder: options.workspace, alone: false, anyLanguage });
      // The page shows what everybody does, and other profiles read files of their own: many who must not see all are served the default one.
      const isShared = options.admission !== undefined;
      return serveHttp({
        ...options,
        settings: own,
        profiles: isShared ? SERVED_PROFILES.slice(0, 1) : SERVED_PROFILES,
        version: version(),
        log,
        debug: verbose,
        keepMetrics: !isShared,
        page: isShared ? null : await loadPage(join(built, 'page.html')),
      });
    },
  };
}

/** The first signal asks for a clean end, the second one does not wait for it. */
const stop = new AbortController();
let signalCode = 130;
for (const [name, exit] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(exit);
    signalCode = exit;
    stop.abort();
  });

/** Said where there is no command line yet, or no longer, to say it. */
function giveUp(message: string, fix: string, exit: number): void {
  process.stderr.write(`error: ${message}\nfix:   ${fix}\n`, () => process.exit(exit));
}

/**
 * A reader that went away (`| head`) is no error; an answer that cannot be written otherwise is lost, and whoever asked
 * is told.
 */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const exit = ERROR_TABLE[error.code === 'ENOSPC' ? 'disk_full' : 'internal_error'].exit;
  giveUp(
    `The answer could not be written to standard output: ${error.message}.`,
    'Free some space, or send it elsewhere.',
    exit,
  );
});
/**
 * Remarks that nobody can read are no reason to leave the work undone: agents close their end, and logs stand on full
 * disks.
 */
process.stderr.on('error', () => {});

/** A command that waits for what nobody is left to bring would end without a word, and with the code of success. */
process.once('beforeExit', () => {
  const { message, fix } = new EngineError('internal_error', { reason: 'nothing was left to wait for.' });
  giveUp(message, fix, ERROR_TABLE.internal_error.exit);
});

/** Null where the folder was removed, or may not be looked at, since the shell went there. */
function startFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const cwd = startFolder();
  if (cwd === null) {
    giveUp(
      'The folder in which this was started is gone.',
      'Change to a folder that exists and run the command again.',
      ERROR_TABLE.path_not_found.exit,
    );
    return;
  }
  const code = await runCli({
    argv: process.argv.slice(2),
    environment,
    version,
    launcher: join(packageFolder, 'bin', 'sextant'),
    machine: { home: homedir(), platform: process.platform, environment, node: process.execPath },
    cwd,
    dataFolder: dataFolder(environment, process.platform, homedir()),
    signal: stop.signal,
    hasInput: () => process.stdin.isTTY === true,
    makeTerminal: (color) => processTerminal(environment, color, stop.signal),
    makeOutside,
  });
  // What was written must be out before the end; then nothing that is still open may hold the process.
  await new Promise((done) => process.stdout.write('', done));
  // Work that was cut short ends with the signal's own code; a server that was asked to end has done what it should.
  process.exit(code === ERROR_TABLE.cancelled.exit ? signalCode : code);
}

void main();
