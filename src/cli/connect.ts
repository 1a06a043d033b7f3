/** The lines that connect an agent: printed by `serve` and by `npm start`, and checked by tests. */
import type { Style } from './render/style.ts';
import { printableLine } from './render/text.ts';

export interface Connection {
  /** Where the default profile is served. */
  readonly url: string;
  readonly launcher: string;
  readonly workspace: string;
  /** Clients must present a token. */
  readonly needsToken: boolean;
}

export function connectLines(connection: Connection, style: Style): string[] {
  const { url } = connection;
  const stdio = ['node', connection.launcher, 'serve-mcp', '--workspace', connection.workspace];
  const header = connection.needsToken ? ' --header "Authorization: Bearer $SEXTANT_TOKEN"' : '';
  const cursor = connection.needsToken ? { url, headers: { Authorization: `Bearer \${env:SEXTANT_TOKEN}` } } : { url };
  return [
    style.bold('Claude Code'),
    `  claude mcp add --transport http sextant ${url}${header}`,
    style.bold('Codex CLI') + style.grey('  in ~/.codex/config.toml'),
    '  [mcp_servers.sextant]',
    `  url = "${url}"`,
    ...(connection.needsToken ? ['  bearer_token_env_var = "SEXTANT_TOKEN"'] : []),
    style.bold('Cursor') + style.grey('  in .cursor/mcp.json'),
    `  ${JSON.stringify({ mcpServers: { sextant: cursor } })}`,
    style.bold('Any client, over stdio') + style.grey('  without this server'),
    `  ${stdio.map(shellWord).join(' ')}`,
  ];
}

/** Quoted for a POSIX shell where it must be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${printableLine(word).replace(/'/g, `'\\''`)}'`;
}
