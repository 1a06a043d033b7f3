/** The configuration lines that connect an agent: printed by `serve` and `npm start`, and checked by tests. */
import type { Style } from '../render/style.ts';
import { printableLine } from '../render/terminal-text.ts';

export interface Connection {
  /** Where the default profile is served. */
  readonly url: string;
  readonly launcher: string;
  readonly workspace: string;
  /** Null if clients need no token. */
  readonly token: ConnectionToken | null;
}

export interface ConnectionToken {
  readonly file: string;
  /** The token, if it may be shown; otherwise the lines read it from the environment. */
  readonly shown: string | null;
}

export function connectLines(connection: Connection, style: Style): string[] {
  const { url, token } = connection;
  const stdio = ['node', connection.launcher, 'serve-mcp', '--workspace', connection.workspace];
  const lines =
    token === null ? openLines(url) : token.shown ? shownLines(url, token.file, token.shown) : envLines(url);
  return [
    ...(token && !token.shown
      ? [style.grey('The token, where the agent runs'), `  export SEXTANT_TOKEN="$(cat ${shellWord(token.file)})"`]
      : []),
    // Claude Code stores servers under the folder in which they were added.
    style.bold('Claude Code') + style.grey("  in the project's folder"),
    `  claude mcp add --transport http sextant ${url}${lines.claude}`,
    style.bold('Codex CLI') + style.grey('  in ~/.codex/config.toml'),
    '  [mcp_servers.sextant]',
    `  url = "${url}"`,
    ...lines.codex,
    style.bold('Cursor') + style.grey(`  in ${lines.cursorFile}`),
    `  ${JSON.stringify({ mcpServers: { sextant: lines.cursor } })}`,
    style.bold('Any client, over stdio') + style.grey('  without this server'),
    `  ${stdio.map(shellWord).join(' ')}`,
  ];
}

/** The page's URL. The token is in the fragment, which stays in the browser: it is in no request, log or referrer. */
export function pageAddress(url: string, token: ConnectionToken | null): string {
  return token?.shown ? `${url}/#token=${encodeURIComponent(token.shown)}` : `${url}/`;
}

interface ClientLines {
  readonly claude: string;
  readonly codex: readonly string[];
  readonly cursorFile: string;
  readonly cursor: Readonly<Record<string, unknown>>;
}

function openLines(url: string): ClientLines {
  return { claude: '', codex: [], cursorFile: "the project's .cursor/mcp.json", cursor: { url } };
}

/**
 * The shell reads the token from its file, so that it is not in the history. The lines edit the user's own Cursor
 * configuration, because a project's .cursor folder is often committed.
 */
function shownLines(url: string, file: string, token: string): ClientLines {
  const bearer = `Bearer ${token}`;
  return {
    claude: ` --header "Authorization: Bearer $(cat ${shellWord(file)})"`,
    codex: [`  http_headers = { Authorization = ${JSON.stringify(bearer)} }`],
    cursorFile: '~/.cursor/mcp.json',
    cursor: { url, headers: { Authorization: bearer } },
  };
}

function envLines(url: string): ClientLines {
  return {
    claude: ' --header "Authorization: Bearer $SEXTANT_TOKEN"',
    codex: ['  bearer_token_env_var = "SEXTANT_TOKEN"'],
    cursorFile: "the project's .cursor/mcp.json",
    cursor: { url, headers: { Authorization: `Bearer \${env:SEXTANT_TOKEN}` } },
  };
}

/** Quotes a word for a POSIX shell if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${printableLine(word).replace(/'/g, `'\\''`)}'`;
}
