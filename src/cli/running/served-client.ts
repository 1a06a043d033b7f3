/**
 * What a process that serves agents wants of the machine's engine. It travels as JSON to the engine's process, which is
 * of the same version and has the same settings of the user.
 */
import type { Readable, Writable } from 'node:stream';
import type { ProfileName } from '../../contracts/contract.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ErrorCode, ErrorData } from '../../model/records/engine-errors.ts';
import type { Settings } from '../config/settings.ts';

interface ClientFacts {
  /** Of the client's project: they may differ from one project to the next. */
  readonly settings: Settings;
  /** The profile gocontext indexes projects without Go, too. */
  readonly anyLanguage: boolean;
}

/** One agent, over the streams of the process that it has started. */
export interface StdioClient extends ClientFacts {
  readonly kind: 'stdio';
  readonly profile: ProfileName;
  readonly workspace: string | null;
  /** Meant where no workspace was named and the client has no root. */
  readonly fallbackWorkspace: string | null;
}

/** A project that shall be reached over HTTP as long as the client stays. */
export interface HttpClient extends ClientFacts {
  readonly kind: 'http';
  /** Of a project, or the scope of a workspace. */
  readonly root: string;
  readonly host: string;
  readonly port: number;
  /** The user named the port: no other will do. */
  readonly isFixedPort: boolean;
  /** `create`: the server's own file, made when it is missing. Null asks agents for no token. */
  readonly tokenFile: { readonly path: string; readonly create: boolean } | null;
  /** The project of addresses without a name under the engine before this one: they keep their meaning. */
  unnamedRoot?: string;
}

export type ServedClient = StdioClient | HttpClient;

export interface ServeClientOptions {
  readonly client: ServedClient;
  /** False: this process keeps its engine to itself. */
  readonly isShared: boolean;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** The process's engine for these settings. */
  engineFor(settings: Settings): Promise<Engine>;
  /** Follows changes of what the client is about; the returned function stops. */
  watch(engine: Engine, client: ServedClient): Promise<() => Promise<void>>;
  settingsOf(path: string): Promise<Settings>;
  /** This process answers by an engine of its own from now on. */
  onOwnEngine?(): void;
}

/** The engine's answer to an HTTP client, a line of JSON: where the project is served, or why it is not. */
export type HttpPlace =
  | {
      readonly url: string;
      /** Path of the project's default profile. */
      readonly path: string;
      /** The project that addresses without a name mean. */
      readonly unnamedRoot: string;
      readonly token: string | null;
      /** The port that was wanted, where another process has it. */
      readonly takenPort: number | null;
    }
  | { readonly trouble: { readonly code: string; readonly port: number } }
  | {
      readonly error: { readonly code: ErrorCode; readonly data: ErrorData; readonly fix: string };
    };
