/** The lines that connect an agent: printed by `serve` and by `npm start`, and checked by tests. */
import type { Style } from '../render/style.ts';
import { printableLine } from '../render/text.ts';

export interface Connection {
  /** Where the default profile is served. */
  readonly url: string;
  readonly launcher: string;
  readonly workspace: string;
  /** Holds the token that clients must present. */
  readonly tokenFile: string | null;
}

export function connectLines(connection: Connection, style: Style): string[] {
  const { url } = connection;
  const stdio = ['node', connection.launcher, 'serve-mcp', '--workspace', connection.workspace];
  const { tokenFile } = connection;
  const header = tokenFile ? ' --header "Authorization: Bearer $SEXTANT_TOKEN"' : '';
  const cursor = tokenFile ? { url, headers: { Authorization: `Bearer \${env:SEXTANT_TOKEN}` } } : { url };
  return [
    ...(tokenFile
      ? [style.grey('The token, where the agent runs'), `  export SEXTANT_TOKEN="$(cat ${shellWord(tokenFile)})"`]
      : []),
    // It keeps servers by the folder in which it was told of them.
    style.bold('Claude Code') + style.grey("  in the project's folder"),
    `  claude mcp add --transport http sextant ${url}${header}`,
    style.bold('Codex CLI') + style.grey('  in ~/.codex/config.toml'),
    '  [mcp_servers.sextant]',
    `  url = "${url}"`,
    ...(tokenFile ? ['  bearer_token_env_var = "SEXTANT_TOKEN"'] : []),
    style.bold('Cursor') + style.grey("  in the project's .cursor/mcp.json"),
    `  ${JSON.stringify({ mcpServers: { sextant: cursor } })}`,
    style.bold('Any client, over stdio') + style.grey('  without this server'),
    `  ${stdio.map(shellWord).join(' ')}`,
  ];
}

/** Quoted for a POSIX shell where it must be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${printableLine(word).replace(/'/g, `'\\''`)}'`;
}
