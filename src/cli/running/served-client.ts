/**
 * The request of a process that serves agents to the shared engine. It travels as JSON to the engine's process, which
 * has the same version and user settings.
 */
import type { Readable, Writable } from 'node:stream';
import type { ProfileName } from '../../contracts/contract.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ErrorCode, ErrorData } from '../../model/records/engine-errors.ts';
import type { Settings } from '../config/settings.ts';

interface ClientFacts {
  /** Settings of the client's project, which may differ from project to project. */
  readonly settings: Settings;
  /** Whether the gocontext profile also indexes projects without Go. */
  readonly anyLanguage: boolean;
}

/** One agent, over the standard streams of the process that it started. */
export interface StdioClient extends ClientFacts {
  readonly kind: 'stdio';
  readonly profile: ProfileName;
  readonly workspace: string | null;
  /** The project of calls that name none, if the client offers no roots either. */
  readonly fallbackWorkspace: string | null;
}

/** A project that is served over HTTP while the client is connected. */
export interface HttpClient extends ClientFacts {
  readonly kind: 'http';
  /** Root of a project, or the scope of a workspace. */
  readonly root: string;
  readonly host: string;
  readonly port: number;
  /** True if the user chose the port: no other may be used. */
  readonly isFixedPort: boolean;
  /** `create`: the server's own file, made when it is missing. Null asks agents for no token. */
  readonly tokenFile: { readonly path: string; readonly create: boolean } | null;
  /** The project of URLs without a name in the previous engine; the next engine keeps it. */
  unnamedRoot?: string;
}

export type ServedClient = StdioClient | HttpClient;

export interface ServeClientOptions {
  readonly client: ServedClient;
  /** False if this process does not share its engine. */
  readonly isShared: boolean;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** The process's engine for these settings. */
  engineFor(settings: Settings): Promise<Engine>;
  /** Watches the client's project; the returned function stops. */
  watch(engine: Engine, client: ServedClient): Promise<() => Promise<void>>;
  settingsOf(path: string): Promise<Settings>;
  /** Called when this process starts to serve with an engine of its own. */
  onOwnEngine?(): void;
}

/** The engine's answer to an HTTP client, one line of JSON: where the project is served, or why it is not. */
export type HttpPlace =
  | {
      readonly url: string;
      /** Path of the project's default profile. */
      readonly path: string;
      /** The project of URLs without a name. */
      readonly unnamedRoot: string;
      readonly token: string | null;
      /** The requested port, if another process has it; otherwise null. */
      readonly takenPort: number | null;
    }
  | { readonly trouble: { readonly code: string; readonly port: number } }
  | {
      readonly error: { readonly code: ErrorCode; readonly data: ErrorData; readonly fix: string };
    };
