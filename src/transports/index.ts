/**
 * The transports room: how messages travel, and nothing about what they mean. It owns protocol versions, sessions,
 * tasks, limits and access control; it must not know any profile by name nor how the engine answers. Invariants:
 * standard output carries protocol messages only; the engine is loaded when a tool is first called; no message from a
 * client ends the server: an invalid one is answered with its JSON-RPC error.
 */
import type { Readable, Writable } from 'node:stream';
import {
  type Log,
  loadProfile,
  Metrics,
  MetricsFile,
  type Profile,
  type ProfileName,
  type ProfileOptions,
} from '../contracts/index.ts';
import type { Engine } from '../engine/engine.ts';
import { parseScope } from '../model/records/scope.ts';
import { type EngineSource, engineLoader } from './host.ts';
import type { SessionLimits } from './http/http-sessions.ts';
import type { TokenFile } from './http/http-token.ts';
import type { ProjectKind } from './http/project-endpoints.ts';
import type { Admission, HttpHandle, PageHandler } from './http/serve-http.ts';

export type { Admission, HttpHandle } from './http/serve-http.ts';

interface ServeOptions {
  readonly engine: EngineSource;
  readonly workspace: string | null;
  readonly version: string;
  readonly log: Log;
  readonly debug?: boolean;
  /** Settings of single profiles, from configuration and environment. */
  readonly settings?: ProfileOptions['settings'];
  readonly metrics?: Metrics;
  /** Saves metrics in the store folder of the served project. */
  readonly keepMetrics?: boolean;
}

export interface ServeStdioOptions extends ServeOptions {
  /** The project of a call that names none, if `workspace` is null and the client offers no roots. */
  readonly fallbackWorkspace?: string | null;
  readonly profile: ProfileName | Profile;
  readonly input?: Readable;
  readonly output?: Writable;
  readonly signal?: AbortSignal;
}

/** Serves one client over standard input and output until the client disconnects or `signal` is aborted. */
export async function serveStdio(options: ServeStdioOptions): Promise<void> {
  const engine: () => Promise<Engine> = engineLoader(options.engine, async () => profile.usesIndex?.() ?? true);
  const [profile, { serveStreams }] = await Promise.all([
    resolveProfile(options.profile, options, engine),
    import('./stdio/serve-stdio.ts'),
  ]);
  const metrics = options.metrics ?? new Metrics();
  const fallbackWorkspace = options.fallbackWorkspace ?? null;
  const standing = { folder: options.workspace ?? fallbackWorkspace };
  const file = options.keepMetrics ? new MetricsFile(metrics, () => storeFolder(engine, standing.folder)) : null;
  try {
    await serveStreams({
      profile,
      engine,
      workspace: options.workspace,
      fallbackWorkspace,
      lastProject: standing,
      metrics,
      log: options.log,
      input: options.input ?? process.stdin,
      output: options.output ?? process.stdout,
      ...(options.signal && { signal: options.signal }),
    });
  } finally {
    await file?.close();
  }
}

/** The store folder of the project, where metrics are saved. Called after a tool call, when the engine is open. */
async function storeFolder(engine: () => Promise<Engine>, folder: string | null): Promise<string | null> {
  // Metrics belong to one project, and a scope names several.
  if (folder === null || parseScope(folder)) return null;
  const opened = await engine();
  return (await opened.project(await opened.root(folder))).storeFolder;
}

export interface ServeHttpOptions extends ServeOptions, SessionLimits {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The token that clients must send; null, the default, requires none and serves loopback only. */
  readonly tokenFile?: TokenFile | null;
  /** The first profile is served at /mcp, each profile at /mcp/NAME. */
  readonly profiles: readonly (ProfileName | Profile)[];
  readonly page?: PageHandler | null;
  readonly admission?: Admission;
  /** Whether URLs without a project name serve `workspace`. Default: yes. */
  readonly isServed?: () => boolean;
  /** Finds the project of /p/NAME or the workspace of /w/NAME; null for an unknown name. */
  readonly findProject?: (kind: ProjectKind, name: string) => Promise<ServedProject | null>;
}

export interface ServedProject {
  readonly workspace: string;
  readonly engine: EngineSource;
  /** Settings of the project's profiles. */
  settings(): Promise<NonNullable<ProfileOptions['settings']>>;
}

export async function serveHttp(options: ServeHttpOptions): Promise<HttpHandle> {
  const engine = engineLoader(options.engine);
  const { serveProfiles } = await import('./http/serve-http.ts');
  const metrics = options.metrics ?? new Metrics();
  const handle = await serveProfiles({
    host: options.host,
    port: options.port,
    tokenFile: options.tokenFile ?? null,
    workspace: options.workspace,
    profiles: await Promise.all(options.profiles.map((profile) => resolveProfile(profile, options, engine))),
    engine,
    metrics,
    log: options.log,
    page: options.page ?? null,
    ...(options.findProject && {
      findProject: async (kind, name) => {
        const found = await options.findProject!(kind, name);
        return found && { workspace: found.workspace, open: () => openProject(options, found) };
      },
    }),
    ...(options.isServed && { isServed: options.isServed }),
    ...(options.admission && { admission: options.admission }),
    ...(options.sessionIdleMs !== undefined && { sessionIdleMs: options.sessionIdleMs }),
    ...(options.maxSessions !== undefined && { maxSessions: options.maxSessions }),
    ...(options.sessionSafeMs !== undefined && { sessionSafeMs: options.sessionSafeMs }),
  });
  if (!options.keepMetrics) return handle;
  const file = new MetricsFile(metrics, () => storeFolder(engine, options.workspace));
  return {
    ...handle,
    async close() {
      await handle.close();
      await file.close();
    },
  };
}

async function openProject(options: ServeHttpOptions, { workspace, ...project }: ServedProject) {
  const engine = engineLoader(project.engine);
  const settings = await project.settings();
  const load = (profile: ProfileName | Profile) => resolveProfile(profile, { ...options, workspace, settings }, engine);
  return { engine, profiles: await Promise.all(options.profiles.map(load)) };
}

async function resolveProfile(
  profile: ProfileName | Profile,
  { workspace, version, log, debug, settings }: ServeOptions,
  engine: ProfileOptions['engine'],
): Promise<Profile> {
  if (typeof profile !== 'string') return profile;
  return loadProfile(profile, {
    workspace,
    version,
    log,
    engine,
    ...(debug !== undefined && { debug }),
    ...(settings && { settings }),
  });
}
