/**
 * The agents that `sextant install` connects, one record each. The comment of each record names the documentation of
 * its files, as of November 2026.
 */
import type { Agent, Places, Reach } from './agent.ts';
import type { Json } from './formats/config-format.ts';
import { jsoncFormat } from './formats/jsonc-format.ts';
import { tomlFormat } from './formats/toml-format.ts';
import { yamlFormat } from './formats/yaml-format.ts';

export const SERVER_NAME = 'sextant';
const MCP_SERVERS = ['mcpServers', SERVER_NAME];

/** `{command, args}`, or `{url, headers}` with the URL under the agent's own key. */
function plain(reach: Reach, url = 'url'): Json {
  return reach.kind === 'stdio'
    ? { command: reach.command, args: reach.args, ...(reach.variables && { env: reach.variables }) }
    : { [url]: reach.url, headers: reach.headers };
}

/** As plain(), with a `type`. */
function typed(stdio: string, http: string) {
  return (reach: Reach): Json => ({
    type: reach.kind === 'stdio' ? stdio : http,
    ...(plain(reach) as Record<string, Json>),
  });
}

/** The form of opencode and its derivatives: one list for the command and its arguments. */
function listed(reach: Reach): Json {
  return reach.kind === 'stdio'
    ? {
        type: 'local',
        command: [reach.command, ...reach.args],
        enabled: true,
        ...(reach.variables && { environment: reach.variables }),
      }
    : { type: 'remote', url: reach.url, headers: reach.headers, enabled: true };
}

function withoutEnabled(entry: Json): Json {
  const { enabled: _enabled, ...rest } = entry as Record<string, Json>;
  return rest;
}

function clineEntry(reach: Reach): Json {
  return reach.kind === 'stdio' ? plain(reach) : { type: 'streamableHttp', ...(plain(reach) as object) };
}

/** ~/.config on every platform, Windows too, or the folder that stands for it. */
function inDotConfig({ at, home }: Places, ...parts: readonly string[]): string {
  return at('XDG_CONFIG_HOME', home('.config'), ...parts);
}

const extension =
  (id: string, file: string) =>
  ({ code }: Places) => [code('globalStorage', id, 'settings', file)];

export const AGENTS: readonly Agent[] = [
  {
    // code.claude.com/docs/en/mcp: ~/.claude.json (user), .mcp.json (project); code.claude.com/docs/en/env-vars
    id: 'claude-code',
    title: 'Claude Code',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ at, home }) => [at('CLAUDE_CONFIG_DIR', home(), '.claude.json')],
    project: ['.mcp.json'],
    entry: typed('stdio', 'http'),
    folders: ({ at, home }) => [at('CLAUDE_CONFIG_DIR', home('.claude'))],
    commands: ['claude'],
  },
  {
    // modelcontextprotocol.io/docs/develop/connect-local-servers: claude_desktop_config.json
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ config }) => [config('Claude', 'claude_desktop_config.json')],
    entry: (reach) => plain(reach),
    folders: ({ config }) => [config('Claude')],
    note: 'Restart Claude Desktop.',
  },
  {
    // developers.openai.com/codex/mcp: ~/.codex/config.toml, .codex/config.toml of trusted projects
    id: 'codex',
    title: 'Codex CLI',
    format: tomlFormat,
    path: ['mcp_servers', SERVER_NAME],
    user: ({ at, home }) => [at('CODEX_HOME', home('.codex'), 'config.toml')],
    project: ['.codex/config.toml'],
    entry: (reach) => (reach.kind === 'stdio' ? plain(reach) : { url: reach.url, http_headers: reach.headers }),
    folders: ({ at, home }) => [at('CODEX_HOME', home('.codex'))],
    commands: ['codex'],
  },
  {
    // cursor.com/docs/context/mcp: ~/.cursor/mcp.json, .cursor/mcp.json
    id: 'cursor',
    title: 'Cursor',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ home }) => [home('.cursor', 'mcp.json')],
    project: ['.cursor/mcp.json'],
    entry: (reach) => plain(reach),
    folders: ({ home }) => [home('.cursor')],
    commands: ['cursor', 'cursor-agent'],
  },
  {
    // code.visualstudio.com/docs/copilot/reference/mcp-configuration: mcp.json of the profile, .vscode/mcp.json
    id: 'vscode',
    title: 'VS Code (Copilot)',
    format: jsoncFormat,
    path: ['servers', SERVER_NAME],
    user: ({ code }) => [code('mcp.json')],
    project: ['.vscode/mcp.json'],
    entry: typed('stdio', 'http'),
    folders: ({ code }) => [code()],
    commands: ['code'],
  },
  {
    // docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers: ~/.copilot/mcp-config.json
    id: 'copilot-cli',
    title: 'Copilot CLI',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ at, home }) => [at('COPILOT_HOME', home('.copilot'), 'mcp-config.json')],
    entry: (reach) => ({ ...(typed('local', 'http')(reach) as Record<string, Json>), tools: ['*'] }),
    folders: ({ at, home }) => [at('COPILOT_HOME', home('.copilot'))],
    commands: ['copilot'],
  },
  {
    // docs.windsurf.com/windsurf/cascade/mcp: ~/.codeium/windsurf/mcp_config.json
    id: 'windsurf',
    title: 'Windsurf',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ home }) => [home('.codeium', 'windsurf', 'mcp_config.json')],
    entry: (reach) => plain(reach, 'serverUrl'),
    folders: ({ home }) => [home('.codeium', 'windsurf')],
    commands: ['windsurf'],
  },
  {
    // zed.dev/docs/ai/mcp: context_servers in settings.json, ~/.config/zed on macOS, too
    id: 'zed',
    title: 'Zed',
    format: jsoncFormat,
    path: ['context_servers', SERVER_NAME],
    user: ({ xdg }) => [xdg('zed', 'settings.json')],
    project: ['.zed/settings.json'],
    entry: (reach) => (reach.kind === 'stdio' ? { source: 'custom', ...(plain(reach) as object) } : plain(reach)),
    folders: ({ xdg }) => [xdg('zed')],
    commands: ['zed'],
  },
  {
    // geminicli.com/docs/tools/mcp-server: ~/.gemini/settings.json, .gemini/settings.json
    id: 'gemini-cli',
    title: 'Gemini CLI',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ at, home }) => [at('GEMINI_CLI_HOME', home(), '.gemini', 'settings.json')],
    project: ['.gemini/settings.json'],
    entry: (reach) => plain(reach, 'httpUrl'),
    folders: ({ at, home }) => [at('GEMINI_CLI_HOME', home(), '.gemini')],
    commands: ['gemini'],
  },
  {
    // opencode.ai/docs/mcp-servers, opencode.ai/docs/config: opencode.json or opencode.jsonc. Release 2 has its servers
    // under mcp.servers, without `enabled` (opencode.ai/v2/docs/mcp-servers); release 1 refuses a file of that form.
    id: 'opencode',
    title: 'opencode',
    format: jsoncFormat,
    path: ['mcp', SERVER_NAME],
    user: (places) => [
      inDotConfig(places, 'opencode', 'opencode.json'),
      inDotConfig(places, 'opencode', 'opencode.jsonc'),
    ],
    project: ['opencode.json', 'opencode.jsonc'],
    entry: listed,
    newer: { path: ['mcp', 'servers', SERVER_NAME], entry: (reach) => withoutEnabled(listed(reach)) },
    note:
      'opencode 2 has its servers under mcp.servers: if it does not find this one, add {"mcp": {"servers": {}}} to ' +
      'the file and install again.',
    folders: (places) => [inDotConfig(places, 'opencode')],
    commands: ['opencode'],
  },
  {
    // docs.cline.bot/mcp/configuring-mcp-servers: cline_mcp_settings.json in the extension's storage
    id: 'cline',
    title: 'Cline (VS Code)',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: extension('saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
    entry: clineEntry,
    folders: ({ code }) => [code('globalStorage', 'saoudrizwan.claude-dev')],
  },
  {
    // docs.cline.bot/getting-started/config: the command line reads ~/.cline/data/settings, and not the extension's
    // file
    id: 'cline-cli',
    title: 'Cline CLI',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ at, home }) => [at('CLINE_DATA_DIR', home('.cline', 'data'), 'settings', 'cline_mcp_settings.json')],
    entry: clineEntry,
    folders: ({ home }) => [home('.cline')],
    commands: ['cline'],
  },
  {
    // docs.roocode.com/features/mcp/using-mcp-in-roo: mcp_settings.json in the extension's storage, .roo/mcp.json
    id: 'roo-code',
    title: 'Roo Code',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: extension('rooveterinaryinc.roo-cline', 'mcp_settings.json'),
    project: ['.roo/mcp.json'],
    entry: (reach) =>
      reach.kind === 'stdio' ? plain(reach) : { type: 'streamable-http', ...(plain(reach) as object) },
    folders: ({ code }) => [code('globalStorage', 'rooveterinaryinc.roo-cline')],
  },
  {
    // kilo.ai/docs/automate/mcp/using-in-kilo-code: ~/.config/kilo/kilo.jsonc or kilo.json; .kilo/ in a project
    id: 'kilo-code',
    title: 'Kilo Code',
    format: jsoncFormat,
    path: ['mcp', SERVER_NAME],
    user: (places) => [inDotConfig(places, 'kilo', 'kilo.jsonc'), inDotConfig(places, 'kilo', 'kilo.json')],
    project: ['.kilo/kilo.jsonc', '.kilo/kilo.json', 'kilo.jsonc', 'kilo.json'],
    entry: listed,
    folders: (places) => [inDotConfig(places, 'kilo'), places.code('globalStorage', 'kilocode.kilo-code')],
    commands: ['kilo'],
  },
  {
    // docs.continue.dev/customize/deep-dives/mcp: JSON files as other agents have them, in .continue/mcpServers. Such a
    // file says `http` where Continue's own YAML says `streamable-http` (continuedev/continue, config-yaml, mcp/json).
    id: 'continue',
    title: 'Continue',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ home }) => [home('.continue', 'mcpServers', 'sextant.json')],
    project: ['.continue/mcpServers/sextant.json'],
    entry: (reach) => (reach.kind === 'stdio' ? plain(reach) : { type: 'http', ...(plain(reach) as object) }),
    folders: ({ home }) => [home('.continue')],
    commands: ['cn'],
  },
  {
    // junie.jetbrains.com/docs/junie-cli-mcp-configuration.html: ~/.junie/mcp/mcp.json, .junie/mcp/mcp.json, entries
    // without `type`. AI Assistant keeps its servers in the IDE's own settings, which it imports from a dialog
    // (jetbrains.com/help/ai-assistant/mcp.html).
    id: 'jetbrains',
    title: 'JetBrains AI (Junie)',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ home }) => [home('.junie', 'mcp', 'mcp.json')],
    project: ['.junie/mcp/mcp.json'],
    entry: (reach) => plain(reach),
    folders: ({ home, config }) => [home('.junie'), config('JetBrains')],
    commands: ['junie'],
    note:
      'For AI Assistant, paste what `sextant install --print --agent jetbrains` prints in Settings | Tools | AI ' +
      'Assistant | MCP.',
  },
  {
    // ampcode.com/manual#mcp: amp.mcpServers in ~/.config/amp/settings.json or .jsonc, on Windows too; .amp/ of a
    // project
    id: 'amp',
    title: 'Amp',
    format: jsoncFormat,
    path: ['amp.mcpServers', SERVER_NAME],
    user: (places) => [inDotConfig(places, 'amp', 'settings.json'), inDotConfig(places, 'amp', 'settings.jsonc')],
    project: ['.amp/settings.json', '.amp/settings.jsonc'],
    entry: (reach) => plain(reach),
    folders: (places) => [inDotConfig(places, 'amp')],
    commands: ['amp'],
  },
  {
    // block.github.io/goose/docs/guides/config-files: ~/.config/goose/config.yaml, %APPDATA%\Block\goose\config
    id: 'goose',
    title: 'Goose',
    format: yamlFormat,
    path: ['extensions', SERVER_NAME],
    user: ({ isWindows, xdg }) => [
      isWindows ? xdg('Block', 'goose', 'config', 'config.yaml') : xdg('goose', 'config.yaml'),
    ],
    entry: (reach) => {
      const common = { name: SERVER_NAME, description: 'Code search and structure', enabled: true, timeout: 300 };
      return reach.kind === 'stdio'
        ? { ...common, type: 'stdio', cmd: reach.command, args: reach.args, envs: reach.variables ?? {} }
        : { ...common, type: 'streamable_http', uri: reach.url, headers: reach.headers };
    },
    folders: ({ xdg }) => [xdg('goose'), xdg('Block', 'goose')],
    commands: ['goose'],
  },
  {
    // qwenlm.github.io/qwen-code-docs: ~/.qwen/settings.json, .qwen/settings.json
    id: 'qwen-code',
    title: 'Qwen Code',
    format: jsoncFormat,
    path: MCP_SERVERS,
    user: ({ at, home }) => [at('QWEN_HOME', home('.qwen'), 'settings.json')],
    project: ['.qwen/settings.json'],
    entry: (reach) => plain(reach, 'httpUrl'),
    folders: ({ at, home }) => [at('QWEN_HOME', home('.qwen'))],
    commands: ['qwen'],
  },
];
