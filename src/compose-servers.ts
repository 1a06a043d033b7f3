/**
 * Serves agents with the machine's shared engine, which this process connects to or becomes. Connects transports,
 * profiles and page for main.ts, and loads only what a process needs: a process that relays messages needs almost
 * nothing.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from './cli/config/settings.ts';
import type { Settings } from './cli/index.ts';
import type { HttpOptions, HttpServer } from './cli/running/command-session.ts';
import type {
  HttpClient,
  HttpPlace,
  ServeClientOptions,
  ServedClient,
  StdioClient,
} from './cli/running/served-client.ts';
import { type Place, packageVersion, profileSettings } from './compose-engine.ts';
import type { Log } from './contracts/contract.ts';
import type { Engine } from './engine/engine.ts';
import { EngineError, toEngineError } from './model/records/engine-errors.ts';
import { formatScope, parseScope } from './model/records/scope.ts';
import { isLoopback, normaliseHost } from './transports/http/http-guard.ts';
import type { HttpListeners } from './transports/http/http-listeners.ts';
import type { ServedProject } from './transports/index.ts';
import type { Streams } from './transports/sharing/serve-shared.ts';

export interface ServerParts {
  readonly place: Place;
  readonly log: Log;
  readonly verbose: boolean;
}

export async function serveClient(parts: ServerParts, options: ServeClientOptions): Promise<void> {
  const { client, signal, input, output } = options;
  const { findEngineAddress, serveShared } = await import('./transports/sharing/index.ts');
  const { settings } = client;
  const version = packageVersion(parts.place);
  const address = options.isShared
    ? await findEngineAddress(settings.dataFolder, version, sharedFacts(parts.place, settings))
    : null;
  const server = new ClientServer(parts, options);
  await serveShared({
    address,
    wish: client,
    serve: (wish, streams, ending) => server.serve(wish as ServedClient, streams, ending),
    idleMs: settings.values['serve.idle_seconds'] * 1000,
    input,
    output,
    signal,
    log: parts.log,
  });
}

/**
 * The user's settings and environment variables that may change an engine's answers: engines that differ in them are
 * not shared.
 */
const VARIABLES = /^(?:CORTEX_|GIT_|OPENAI_API_KEY$|ANTHROPIC_API_KEY$|HOME$|(?:HTTPS?|NO|ALL)_PROXY$)/i;

function sharedFacts({ built, environment }: Place, { values }: Settings): unknown {
  const own = Object.entries(values).filter(
    ([key]) => SETTINGS[key as keyof typeof SETTINGS].scope === 'user' && !/^(?:serve|fleet)\./.test(key),
  );
  const keys = [values['embedding.api_key_env'], values['llm.api_key_env']];
  const variables = Object.entries(environment).filter(([name]) => VARIABLES.test(name) || keys.includes(name));
  // Includes the build time: two builds of one version may differ.
  return [built, statSync(join(built, 'main.js')).mtimeMs, own, variables.sort()];
}

/** Serves clients in this process. */
class ClientServer {
  #listeners: HttpListeners | null = null;

  constructor(
    private readonly parts: ServerParts,
    private readonly options: ServeClientOptions,
  ) {}

  serve(client: ServedClient, streams: Streams, signal: AbortSignal): Promise<void> {
    if (client === this.options.client) this.options.onOwnEngine?.();
    return client.kind === 'http'
      ? this.#serveHttp(client, streams, signal)
      : this.#serveStdio(client, streams, signal);
  }

  async #serveStdio(client: StdioClient, { input, output }: Streams, signal: AbortSignal): Promise<void> {
    const { place, log, verbose } = this.parts;
    const { engineFor, watch } = this.options;
    const [{ serveStdio }, { SERVED_PROFILES }] = await Promise.all([
      import('./transports/index.ts'),
      import('./contracts/index.ts'),
    ]);
    const { profile, workspace, fallbackWorkspace, anyLanguage, settings } = client;
    if (!SERVED_PROFILES.includes(profile))
      throw new EngineError('unsupported', {
        what: `The profile ${profile}`,
        reason: `this build serves ${SERVED_PROFILES.join(', ')}`,
      });
    const stops: (() => Promise<void>)[] = [];
    const engine = async (usesIndex: boolean): Promise<Engine> => {
      const opened = await engineFor(settings);
      if (usesIndex) stops.push(await watch(opened, client));
      return opened;
    };
    const folder = workspace ?? fallbackWorkspace;
    const own = profileSettings(place, settings, { folder, alone: true, anyLanguage });
    const version = packageVersion(place);
    const common = { profile, workspace, fallbackWorkspace, settings: own, version, log, debug: verbose };
    try {
      await serveStdio({ ...common, engine, input, output, signal, keepMetrics: true });
    } finally {
      for (const stop of stops) await stop();
    }
  }

  async #serveHttp(client: HttpClient, { input, output }: Streams, signal: AbortSignal): Promise<void> {
    const { engineFor, watch } = this.options;
    const say = (place: HttpPlace) => void output.write(`${JSON.stringify(place)}\n`);
    const { HttpListeners, PortUnavailable } = await import('./transports/http/http-listeners.ts');
    this.#listeners ??= new HttpListeners();
    try {
      const engine = await engineFor(client.settings);
      if (!parseScope(client.root)) await engine.register(client.root);
      const lease = await this.#listeners.use(client, (port, isServed) => this.#listen(client, port, isServed));
      const { url, token } = lease.handle;
      const { unnamedRoot, takenPort } = lease;
      say({ url, path: await projectPath(client), token, unnamedRoot, takenPort });
      const watching = new Watching(() => watch(engine, client));
      input.on('data', () => watching.start());
      await gone(input, signal);
      await watching.stop();
      await lease.release();
    } catch (thrown) {
      if (thrown instanceof PortUnavailable) return say({ trouble: { code: thrown.code, port: thrown.port } });
      const { code, data, fix } = toEngineError(thrown);
      say({ error: { code, data, fix } });
    }
  }

  async #listen(client: HttpClient, port: number, isServed: (root: string) => boolean) {
    const { engineFor, settingsOf } = this.options;
    const { root, unnamedRoot = root, host, tokenFile, anyLanguage } = client;
    const settings = unnamedRoot === root ? client.settings : await settingsOf(unnamedRoot);
    const isOpen = (project: string) => isServed(project) || isLoopback(normaliseHost(host));
    return serveHttp(this.parts, {
      engine: () => engineFor(settings),
      host,
      port,
      workspace: unnamedRoot,
      isServed: () => isOpen(unnamedRoot),
      settings,
      anyLanguage,
      tokenFile,
      findProject: (kind, name) => this.#findProject(client, kind, name, isOpen),
    });
  }

  /** Uses the project's own settings, whichever project the server was started for. */
  async #findProject(
    { settings: { dataFolder }, ...client }: HttpClient & { settings: Settings },
    kind: 'p' | 'w',
    name: string,
    isOpen: (root: string) => boolean,
  ): Promise<ServedProject | null> {
    const root = kind === 'w' ? await scopeNamed(dataFolder, name) : await registeredAs(dataFolder, name);
    if (root === null || !isOpen(root)) return null;
    const { engineFor, settingsOf, watch } = this.options;
    const { anyLanguage } = client;
    return {
      workspace: root,
      engine: async () => {
        const settings = await settingsOf(root);
        const engine = await engineFor(settings);
        await watch(engine, { ...client, settings, root });
        return engine;
      },
      settings: async () =>
        profileSettings(this.parts.place, await settingsOf(root), { folder: root, alone: false, anyLanguage }),
    };
  }
}

/** Holds the watch that a client requested, while the client is connected. */
class Watching {
  #started: Promise<() => Promise<void>> | null = null;

  constructor(private readonly watch: () => Promise<() => Promise<void>>) {}

  start(): void {
    this.#started ??= this.watch();
  }

  async stop(): Promise<void> {
    await (await this.#started)?.();
  }
}

async function projectPath({ root, settings: { dataFolder } }: HttpClient): Promise<string> {
  const scope = parseScope(root);
  if (scope) return scope.workspace === '' || scope.repos.length > 0 ? '/mcp' : `/w/${scope.workspace}/mcp`;
  const { projectName } = await import('./engine/projects/project-names.ts');
  return `/p/${projectName(dataFolder, root)}/mcp`;
}

async function registeredAs(home: string, name: string): Promise<string | null> {
  const { projectNamed } = await import('./engine/projects/project-names.ts');
  return projectNamed(home, name);
}

async function scopeNamed(home: string, name: string): Promise<string | null> {
  const { listWorkspaces } = await import('./engine/workspaces/read-workspaces.ts');
  return listWorkspaces(home).some((each) => each.name === name) ? formatScope({ workspace: name, repos: [] }) : null;
}

function gone(input: Streams['input'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    input.once('end', resolve).once('close', resolve).resume();
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

type FindProject = (kind: 'p' | 'w', name: string) => Promise<ServedProject | null>;

export async function serveHttp(
  { place, log, verbose }: ServerParts,
  {
    settings,
    anyLanguage,
    ...options
  }: HttpOptions & { readonly findProject?: FindProject; readonly isServed?: () => boolean },
): Promise<HttpServer & { readonly port: number }> {
  const [{ serveHttp: serve }, { SERVED_PROFILES }, { loadPage }] = await Promise.all([
    import('./transports/index.ts'),
    import('./contracts/index.ts'),
    import('./web/index.ts'),
  ]);
  const own = profileSettings(place, settings, { folder: options.workspace, alone: false, anyLanguage });
  // With several users, only the first profile is served: the others read files of their own.
  const isShared = options.admission !== undefined;
  return serve({
    ...options,
    settings: own,
    profiles: isShared ? SERVED_PROFILES.slice(0, 1) : SERVED_PROFILES,
    version: packageVersion(place),
    log,
    debug: verbose,
    keepMetrics: !isShared,
    page: await loadPage(join(place.built, 'page.html')),
  });
}
