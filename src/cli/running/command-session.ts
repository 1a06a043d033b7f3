/** Everything that a command may use. The composition root creates it; commands and renderers know nothing else. */

import type { ContentsExport, Engine, IndexOptions } from '../../engine/engine.ts';
import type { Fleet, FleetNode } from '../../fleet/fleet.ts';
import type { GiftReport } from '../../fleet/give-contents.ts';
import type { Settings } from '../config/settings.ts';
import type { Machine } from '../install/agent.ts';
import type { Command } from '../parsing/command.ts';
import type { Style } from '../render/style.ts';
import type { ServeClientOptions } from './served-client.ts';

/** One of the two output streams. */
export interface Screen {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Whether a line can be rewritten; a dumb terminal (an editor's shell) would show the control characters. */
  readonly rewrites: boolean;
  /** Layout width in cells, at least 40; 80 if it is not a terminal. */
  readonly columns: number;
  /** Width at which lines of code are clipped: that of the terminal; unlimited in a pipe. */
  readonly cutAt: number;
  /** The real width, for a line that must not wrap. */
  readonly width: number;
  readonly style: Style;
}

export interface Terminal {
  readonly out: Screen;
  readonly err: Screen;
  /** Whether a person can be asked: standard input and standard error are terminals. */
  readonly interactive: boolean;
  /** Asks a yes/no question; plain Enter means yes. */
  confirm(question: string): Promise<boolean>;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
}

export interface HttpOptions {
  readonly engine: () => Promise<Engine>;
  readonly host: string;
  readonly port: number;
  readonly workspace: string | null;
  readonly settings: Settings;
  readonly anyLanguage: boolean;
  /** The token file; with `create`, it is the server's own file and created if missing. Null requires no token. */
  readonly tokenFile: { readonly path: string; readonly create: boolean } | null;
  /**
   * Authenticates several subjects, each with a token of its own; no page is served then, because it shows the calls of
   * all of them.
   */
  readonly admission?: FleetNode['admission'];
}

export interface HttpServer {
  /** The server's base URL; the default profile is at /mcp below it. */
  readonly url: string;
  /** The token that clients present. */
  readonly token: string | null;
  close(): Promise<void>;
}

/**
 * Functions of rooms that the command line may not import, loaded only by the commands that need them, because `search`
 * must start fast.
 */
export interface Outside {
  openEngine(settings: Settings, use: EngineUse): Promise<Engine>;
  /** Serves a client with the machine's shared engine, which this process may become. Ends with the client. */
  serveClient(options: ServeClientOptions): Promise<void>;
  /** Starts an HTTP server in this process. */
  serveHttp(options: HttpOptions): Promise<HttpServer>;
  /**
   * `urls` are nodes of OpenSearch; without any, those of the settings are used. Throws invalid_input if neither names
   * one.
   */
  openFleet(settings: Settings, urls: readonly string[]): Promise<Fleet>;
  /** Returns derived blobs of a fleet node, for a local index. */
  headStart(settings: Settings, url: string): Promise<NonNullable<IndexOptions['headStart']>>;
  /** Gives texts of a local index to a fleet node. Throws gift_refused. */
  giveContents(settings: Settings, url: string, contents: ContentsExport): Promise<GiftReport>;
}

/** `once` for a command that answers and ends, `server` for one that keeps running. */
export type EngineUse = 'once' | 'server';

export interface Session {
  version(): string;
  /** Every command, for help, completions and suggestions. */
  readonly commands: readonly Command[];
  /** Path of the file that starts this program, for configuration of other programs. */
  readonly launcher: string;
  /** Locations of other programs' settings, for commands that write there. */
  readonly machine: Machine;
  readonly cwd: string;
  readonly dataFolder: string;
  readonly terminal: Terminal;
  readonly outside: Outside;
  readonly signal: AbortSignal;
  readonly verbose: boolean;
  readonly quiet: boolean;
  /** Settings of the project at `path` (its own file, the user's, the environment's), loaded once per path. */
  settings(path: string): Promise<Settings>;
  /** The engine for the settings of `path`; one per run, closed when the command ends. */
  engine(path: string, use?: EngineUse): Promise<Engine>;
  /** A server's engine for these settings; projects with the same settings share one. */
  engineFor(settings: Settings): Promise<Engine>;
  /** Closes the engines that this process has open; the next call opens them again. */
  closeEngines(): Promise<void>;
  /** Prints a remark for people on standard error; silent with --quiet. */
  say(line: string): void;
  /** Prints details on standard error with --verbose. */
  detail(line: string): void;
}
