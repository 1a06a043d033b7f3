/** Everything a command may use. The composition root makes it; commands and renderers know nothing else. */

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
  /** A terminal on which a line can be taken back; a dumb one (an editor's shell) shows the signs that would. */
  readonly rewrites: boolean;
  /** Width in cells that text is laid out for, 40 at least; 80 when it is not a terminal. */
  readonly columns: number;
  /** Cells after which a line of code is cut: those of a terminal; a pipe gets whole lines. */
  readonly cutAt: number;
  /** The width as it is, for a line that must not be broken. */
  readonly width: number;
  readonly style: Style;
}

export interface Terminal {
  readonly out: Screen;
  readonly err: Screen;
  /** True when a person can be asked: standard input and standard error are terminals. */
  readonly interactive: boolean;
  /** Yes or no; plain Enter means yes. */
  confirm(question: string): Promise<boolean>;
  /** All of standard input. */
  readInput(): Promise<string>;
}

export interface HttpOptions {
  readonly engine: () => Promise<Engine>;
  readonly host: string;
  readonly port: number;
  readonly workspace: string | null;
  readonly settings: Settings;
  readonly anyLanguage: boolean;
  /** `create`: the server's own file, made when it is missing. Null asks clients for no token. */
  readonly tokenFile: { readonly path: string; readonly create: boolean } | null;
  /** Knows many who ask, each by a token of their own; then no page is served, which shows what all of them do. */
  readonly admission?: FleetNode['admission'];
}

export interface HttpServer {
  /** Of the server itself; the default profile is at /mcp below it. */
  readonly url: string;
  /** The token that clients present. */
  readonly token: string | null;
  close(): Promise<void>;
}

/**
 * The rooms beyond the command line's reach; loaded only by the commands that need them, since `search` must start
 * fast.
 */
export interface Outside {
  openEngine(settings: Settings, use: EngineUse): Promise<Engine>;
  /** Serves agents by the machine's engine, which this process may become. Ends with the client. */
  serveClient(options: ServeClientOptions): Promise<void>;
  /** A server of its own. */
  serveHttp(options: HttpOptions): Promise<HttpServer>;
  /**
   * `urls`: nodes of OpenSearch; those of the settings where there are none. Throws invalid_input where nothing names
   * one.
   */
  openFleet(settings: Settings, urls: readonly string[]): Promise<Fleet>;
  /** Contents that a node of a fleet derived, for an index of one's own. */
  headStart(settings: Settings, url: string): Promise<NonNullable<IndexOptions['headStart']>>;
  /** The other way round. Throws gift_refused. */
  giveContents(settings: Settings, url: string, contents: ContentsExport): Promise<GiftReport>;
}

/** `once` for a command that answers and ends, `server` for one that stays. */
export type EngineUse = 'once' | 'server';

export interface Session {
  version(): string;
  /** Every command, for help, completions and suggestions. */
  readonly commands: readonly Command[];
  /** The file that starts this program, for lines that others shall run. */
  readonly launcher: string;
  /** Where programs of the user keep their settings; for commands that write there. */
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
  /** A remark for people on standard error; silent with --quiet. */
  say(line: string): void;
  /** Progress that --verbose shows; on standard error, too. */
  detail(line: string): void;
}
