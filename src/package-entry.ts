/**
 * The entry of `import … from 'sextant-mcp'`: the engine, and the profiles' tools for another MCP server. A second
 * composition root beside main.ts, with the same settings, data folder and parts but no command line. public-api.d.ts
 * declares the public types, and this file compiles only if it implements them.
 */
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFolder } from './cli/config/data-folder.ts';
import { loadSettings } from './cli/config/load-config.ts';
import { checkSetting, SETTINGS, type SettingKey, type Settings } from './cli/config/settings.ts';
import { engineConfig, type Place, packageVersion, profileSettings } from './compose-engine.ts';
import { PROFILE_NAMES, type ProfileName } from './contracts/contract.ts';
import type { Engine } from './engine/engine.ts';
import { EngineError } from './model/records/engine-errors.ts';
import type * as Public from './public-api.d.ts';

export { EngineError };

const place: Place = { built: dirname(fileURLToPath(import.meta.url)), environment: process.env };

export const createEngine: typeof Public.createEngine = async (options = {}) => {
  const settings = await settingsOf(options);
  const engineRoom = await import('./engine/index.ts');
  return engineRoom.createEngine(await engineConfig(place, settings, 'server'));
};

export const profiles: typeof Public.profiles = Object.fromEntries(
  PROFILE_NAMES.map((name) => [name, (options: Public.ProfileOptions) => openProfile(name, options)]),
) as typeof Public.profiles;

async function openProfile(name: ProfileName, options: Public.ProfileOptions): Promise<Public.Profile> {
  const [settings, { loadProfile }, { openCalledProfile }] = await Promise.all([
    settingsOf({ ...options, project: options.project ?? options.workspace }),
    import('./contracts/index.ts'),
    import('./transports/called-profile.ts'),
  ]);
  // The public type is a subset of the engine that createEngine() created.
  const engine = options.engine as Engine;
  const workspace = options.workspace === undefined ? null : resolve(options.workspace);
  const log = options.log ?? (() => {});
  const profile = await loadProfile(name, {
    workspace,
    version: packageVersion(place),
    log,
    engine: async () => engine,
    settings: profileSettings(place, settings, { folder: workspace, alone: false, anyLanguage: false }),
  });
  return (await openCalledProfile({ profile, engine, workspace, log })) as Public.Profile;
}

/** Loads settings as the command line does; the caller's settings override them. */
async function settingsOf(options: Public.SettingsOptions): Promise<Settings> {
  const home = options.dataFolder ?? dataFolder(place.environment, process.platform, homedir());
  const settings = await loadSettings({
    dataFolder: resolve(home),
    environment: place.environment,
    explicit: null,
    projectFolder: resolve(options.project ?? '.'),
    ignoresInvalidProject: true,
  });
  for (const warning of settings.warnings) options.log?.('warn', warning);
  for (const [key, value] of Object.entries(options.settings ?? {})) checkNamed(key, value);
  return { ...settings, values: { ...settings.values, ...options.settings } };
}

function checkNamed(key: string, value: unknown): void {
  const fault = Object.hasOwn(SETTINGS, key) ? checkSetting(SETTINGS[key as SettingKey], value) : 'is not a setting';
  if (fault !== null) throw new EngineError('invalid_input', { reason: `settings: ${key} ${fault}.` });
}
