/** The record of an agent: the location and form of its MCP configuration, and how to detect that it is installed. */
import { posix, win32 } from 'node:path';
import type { ConfigFormat, Json } from './formats/config-format.ts';

/** The machine on which agents' files are looked for. */
export interface Machine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The Node that runs this program. */
  readonly node: string;
}

export type Scope = 'user' | 'project';

/** How an agent reaches the server. */
export type Reach =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Variables that the server needs; some agents hand on none of the user's own. */
      readonly variables?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface Agent {
  /** The agent's name for `--agent`. */
  readonly id: string;
  readonly title: string;
  readonly format: ConfigFormat;
  /** Keys that lead to the entry. */
  readonly path: readonly string[];
  /** Candidates for the user's file, the most common first. The first that exists, or whose folder exists, is used. */
  user?(places: Places): readonly string[];
  /** The file in a project, from its root. */
  readonly project?: readonly string[];
  entry(reach: Reach): Json;
  /** The form of a newer release; used if the file has the object that contains its entries. */
  readonly newer?: { readonly path: readonly string[]; entry(reach: Reach): Json };
  /** Folders that exist only if the agent is installed. */
  folders(places: Places): readonly string[];
  /** Commands that its installation adds. */
  readonly commands?: readonly string[];
  /** Shown after connecting: a step that the user must take in the agent. */
  readonly note?: string;
}

/** Standard folders of a machine, by the rules of its platform. */
export interface Places {
  readonly isWindows: boolean;
  readonly home: (...parts: readonly string[]) => string;
  /** Settings of programs: ~/.config, ~/Library/Application Support, %APPDATA%. */
  readonly config: (...parts: readonly string[]) => string;
  /** ~/.config on every platform but Windows, where it is %APPDATA%. */
  readonly xdg: (...parts: readonly string[]) => string;
  /** A file below the folder that a variable names, or below the usual one. */
  readonly at: (variable: string, usual: string, ...parts: readonly string[]) => string;
  /** A folder of VS Code's user data. */
  readonly code: (...parts: readonly string[]) => string;
}

export function placesOf({ home, platform, environment }: Machine): Places {
  const { join } = platform === 'win32' ? win32 : posix;
  const roaming = environment.APPDATA || join(home, 'AppData', 'Roaming');
  const dotConfig = environment.XDG_CONFIG_HOME?.startsWith('/') ? environment.XDG_CONFIG_HOME : join(home, '.config');
  const config =
    platform === 'win32' ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : dotConfig;
  const xdg = platform === 'win32' ? roaming : dotConfig;
  return {
    isWindows: platform === 'win32',
    home: (...parts) => join(home, ...parts),
    config: (...parts) => join(config, ...parts),
    xdg: (...parts) => join(xdg, ...parts),
    at: (variable, usual, ...parts) => join(environment[variable] || usual, ...parts),
    code: (...parts) => join(config, 'Code', 'User', ...parts),
  };
}
