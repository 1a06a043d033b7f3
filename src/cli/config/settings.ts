/**
 * Every setting as one record: its place in the YAML files, its environment variable (SEXTANT_ and the key in
 * capitals), its check, its line in docs/cli.md. A setting marked `user` is read only from the user's own configuration
 * and environment: a cloned repository must not be able to send code elsewhere or open a port.
 */
import { EMBEDDING_PROVIDERS, LLM_PROVIDERS, SEARCH_MODES } from '../parsing/choices.ts';
import { quoted } from '../parsing/usage-error.ts';

interface SettingBase<V> {
  readonly help: string;
  readonly scope: 'project' | 'user';
  readonly default: V;
}
export type SettingSpec =
  | (SettingBase<boolean> & { readonly kind: 'boolean' })
  | (SettingBase<number> & { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number })
  | (SettingBase<string> & { readonly kind: 'string'; readonly choices?: readonly string[] })
  | (SettingBase<readonly string[]> & { readonly kind: 'list' });

export const SETTINGS = {
  'index.include_tests': { kind: 'boolean', default: true, scope: 'project', help: 'Index test code' },
  'index.include_vendor': { kind: 'boolean', default: false, scope: 'project', help: 'Index vendored code' },
  'index.include_generated': { kind: 'boolean', default: false, scope: 'project', help: 'Index generated code' },
  'index.exclude': {
    kind: 'list',
    default: [],
    scope: 'project',
    help: 'Globs of paths to exclude, in addition to the ignore files',
  },
  'index.include': {
    kind: 'list',
    default: [],
    scope: 'project',
    help: 'Globs of paths to index although they are vendored or generated',
  },
  'index.max_file_bytes': {
    kind: 'integer',
    min: 1024,
    max: 64 * 1024 * 1024,
    default: 1024 * 1024,
    scope: 'project',
    help: 'Larger files are skipped',
  },
  'search.limit': {
    kind: 'integer',
    min: 1,
    max: 100,
    default: 10,
    scope: 'project',
    help: 'Results of a search when no limit is given',
  },
  'search.sync_ms': {
    kind: 'integer',
    min: 0,
    max: 60_000,
    default: 300,
    scope: 'project',
    help:
      'A command first indexes a few changed files, if that takes no longer than this many milliseconds; ' +
      '0 turns it off',
  },
  'search.mode': {
    kind: 'string',
    choices: SEARCH_MODES,
    default: 'hybrid',
    scope: 'project',
    help: 'Keywords and vectors together (hybrid), or one of them',
  },
  'search.include_tests': {
    kind: 'boolean',
    default: true,
    scope: 'project',
    help: 'Whether test code is searched when the call does not say',
  },
  'search.context_bound': {
    kind: 'number',
    min: 0,
    max: 0.5,
    default: 0.1,
    scope: 'project',
    help: 'Upper bound of the score that recently read or found files gain; 0 turns it off',
  },
  'embedding.provider': {
    kind: 'string',
    choices: EMBEDDING_PROVIDERS,
    default: 'static',
    scope: 'user',
    help: 'Where vectors come from; `static` is the built-in model, all others read your code',
  },
  'embedding.base_url': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'URL of the provider, if not its usual one',
  },
  'embedding.model': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'Model to ask for; for `onnx` the folder of the model',
  },
  'embedding.dims': {
    kind: 'integer',
    min: 0,
    max: 16_384,
    default: 0,
    scope: 'user',
    help: 'Dimensions of the model’s vectors; 0 for a known model',
  },
  'embedding.api_key_env': {
    kind: 'string',
    default: '',
    scope: 'user',
    help:
      'Environment variable that holds the provider’s key (OPENAI_API_KEY for OpenAI itself); the key is never in ' +
      'a file',
  },
  'llm.provider': {
    kind: 'string',
    choices: LLM_PROVIDERS,
    default: 'none',
    scope: 'user',
    help:
      'Language model for --expand and --synthesize; `none` uses the built-in synonyms and summaries. Any other one ' +
      'reads your questions and the code that answers them',
  },
  'llm.base_url': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'URL of the language model, if not its usual one',
  },
  'llm.model': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'Language model to ask for; needed with a provider',
  },
  'llm.api_key_env': {
    kind: 'string',
    default: '',
    scope: 'user',
    help:
      'Environment variable that holds its key (OPENAI_API_KEY, ANTHROPIC_API_KEY at their own addresses); the key ' +
      'is never in a file',
  },
  'privacy.redact': {
    kind: 'string',
    choices: ['on', 'off'],
    default: 'on',
    scope: 'user',
    help: 'Whether access tokens in files are replaced by markers in answers, exports and the index',
  },
  'rate_limit.context_search': {
    kind: 'integer',
    min: 0,
    max: 100_000,
    default: 30,
    scope: 'user',
    help: 'Calls of this tool per minute that the profile context-tool answers to each client; 0 for no limit',
  },
  'rate_limit.read_file': { kind: 'integer', min: 0, max: 100_000, default: 100, scope: 'user', help: 'The same' },
  'rate_limit.grep_codebase': { kind: 'integer', min: 0, max: 100_000, default: 60, scope: 'user', help: 'The same' },
  'log.calls': {
    kind: 'string',
    choices: ['on', 'off'],
    default: 'off',
    scope: 'user',
    help: 'Whether the profile context-tool logs every call on standard error, even without --verbose',
  },
  'serve.host': { kind: 'string', default: '127.0.0.1', scope: 'user', help: 'Address on which `serve` listens' },
  'serve.port': {
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 7420,
    scope: 'user',
    help: 'Port of `serve`; 0 picks a free one',
  },
  'serve.idle_seconds': {
    kind: 'integer',
    min: 0,
    max: 86_400,
    default: 180,
    scope: 'user',
    help: 'Seconds that a server keeps running after its own agent and the last other client have gone',
  },
  'serve.token_file': {
    kind: 'string',
    default: '',
    scope: 'user',
    help:
      'File with the token that clients must send, readable by its owner only; required for any address but ' +
      'loopback',
  },
  'fleet.url': {
    kind: 'list',
    default: [],
    scope: 'user',
    help: 'URLs of the fleet’s OpenSearch nodes; all are tried',
  },
  'fleet.prefix': {
    kind: 'string',
    default: 'sextant',
    scope: 'user',
    help: 'Prefix of the fleet’s index names, so that several fleets can share a cluster',
  },
  'fleet.user': { kind: 'string', default: '', scope: 'user', help: 'User of OpenSearch, if it requires one' },
  'fleet.password_env': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'Environment variable that holds the user’s password; the password is never in a file',
  },
  'fleet.ca_file': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'Certificate authorities for OpenSearch’s certificate, if not the system’s',
  },
  'fleet.certificate_file': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'Client certificate for OpenSearch',
  },
  'fleet.key_file': { kind: 'string', default: '', scope: 'user', help: 'Key of the client certificate' },
  'fleet.token_env': {
    kind: 'string',
    default: 'SEXTANT_FLEET_TOKEN',
    scope: 'user',
    help: 'Environment variable that holds your token for a node of a fleet (`sextant index --fleet`)',
  },
  'fleet.git_token_env': {
    kind: 'string',
    default: '',
    scope: 'user',
    help: 'Environment variable that holds the token with which workers fetch over HTTP',
  },
  'fleet.git_token_hosts': {
    kind: 'list',
    default: [],
    scope: 'user',
    help: 'Hosts that get this token, with any non-default port (default: every host over HTTPS)',
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;
type Widen<V> = V extends boolean
  ? boolean
  : V extends number
    ? number
    : V extends readonly unknown[]
      ? readonly string[]
      : string;
export type SettingValues = {
  readonly [K in SettingKey]: (typeof SETTINGS)[K] extends { readonly choices: readonly (infer C)[] }
    ? C
    : Widen<(typeof SETTINGS)[K]['default']>;
};

/** The settings of one source. */
export type Layer = Partial<Record<SettingKey, unknown>>;

export interface Settings {
  /** The data folder, which contains the indexes. */
  readonly dataFolder: string;
  readonly values: SettingValues;
  /** The files that were read; `doctor` and --verbose show them. */
  readonly files: readonly string[];
  /** Settings that were ignored, and why. */
  readonly warnings: readonly string[];
  /** The project's file, if it is invalid and a server ignores it; otherwise null. */
  readonly ignoredFile: string | null;
}

/**
 * Maximum length of a settings file, in characters: a repository may contain one, and parsing 200,000 keys took
 * minutes.
 */
export const MAX_SETTINGS_LENGTH = 64 * 1024;

export function environmentName(key: string): string {
  return `SEXTANT_${key.replace('.', '_').toUpperCase()}`;
}

/** Describes what is wrong with the value, or returns null. */
export function checkSetting(spec: SettingSpec, value: unknown): string | null {
  const shown = quoted(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)));
  if (spec.kind === 'boolean') return typeof value === 'boolean' ? null : `must be true or false, not ${shown}`;
  if (spec.kind === 'list')
    return Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? null
      : `must be a list of texts, not ${shown}`;
  if (spec.kind === 'string') {
    if (typeof value !== 'string') return `must be text, not ${shown}`;
    if (spec.choices && !spec.choices.includes(value)) return `must be one of ${spec.choices.join(', ')}, not ${shown}`;
    return null;
  }
  const isInRange =
    typeof value === 'number' &&
    (spec.kind === 'number' ? Number.isFinite(value) : Number.isInteger(value)) &&
    value >= spec.min &&
    value <= spec.max;
  const what = spec.kind === 'integer' ? 'whole number' : 'number';
  return isInRange ? null : `must be a ${what} from ${spec.min} to ${spec.max}, not ${shown}`;
}

/**
 * The project file that `init` writes. Every line is a comment: a default that is set here would override the user's
 * own configuration.
 */
export function projectConfigText(): string {
  const lines = ['# Settings of this project for Sextant, with their defaults. Remove the # from a line to change it.'];
  let section = '';
  for (const [key, { scope, default: value, help }] of Object.entries(SETTINGS) as [string, SettingSpec][]) {
    if (scope !== 'project') continue;
    const [group, name] = key.split('.');
    if (group !== section) lines.push(`${group}:`);
    section = group!;
    lines.push(`  # ${name}: ${JSON.stringify(value)} # ${help}`);
  }
  return `${lines.join('\n')}\n`;
}
