/**
 * Loads settings from files and environment and checks them against the records of settings.ts. Precedence, lowest
 * first: defaults, the user's config.yml in the data folder, the project's .sextant/config.yml, the environment.
 * `--config PATH` replaces both files.
 */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { FileRefused, readRepositoryFile } from '../../model/runtime/repository-file.ts';
import { readNamedFile } from '../parsing/named-file.ts';
import {
  checkSetting,
  environmentName,
  type Layer,
  MAX_SETTINGS_LENGTH,
  SETTINGS,
  type SettingKey,
  type SettingSpec,
  type Settings,
  type SettingValues,
} from './settings.ts';

export interface ConfigSources {
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--config`, resolved; null without it. */
  readonly explicit: string | null;
  /** A project's file is looked for in this folder and its parents. */
  readonly projectFolder: string;
  /**
   * Ignores an invalid project file with a warning. For servers, which a cloned repository must not prevent from
   * starting.
   */
  readonly ignoresInvalidProject?: boolean;
}

export async function loadSettings(sources: ConfigSources): Promise<Settings> {
  const files: string[] = [];
  const warnings: string[] = [];
  let ignoredFile: string | null = null;
  const values: Record<string, unknown> = { ...defaultSettings(sources.dataFolder).values };
  const take = async (path: string, text: string, scope: 'user' | 'project') => {
    const layer = await readLayer(path, text);
    if (scope === 'project' && sources.ignoresInvalidProject) await checkPatterns(layer);
    files.push(path);
    for (const [key, value] of Object.entries(layer)) {
      if (scope === 'project' && SETTINGS[key as SettingKey].scope === 'user')
        warnings.push(
          `${path}: ${key} is ignored; only your own configuration (${join(sources.dataFolder, 'config.yml')}) ` +
            'may set it.',
        );
      else values[key] = value;
    }
  };
  if (sources.explicit !== null) {
    await take(sources.explicit, await readUserFile(sources.explicit), 'user');
  } else {
    const user = join(sources.dataFolder, 'config.yml');
    if (isFile(user)) await take(user, await readUserFile(user), 'user');
    const folder = findProjectFolder(sources.projectFolder);
    try {
      const text = folder === null ? null : readProjectFile(folder, warnings);
      if (folder !== null && text !== null) await take(join(folder, PROJECT_FILE), text, 'project');
    } catch (thrown) {
      const error = toEngineError(thrown);
      if (folder === null || !sources.ignoresInvalidProject) throw error;
      ignoredFile = join(folder, PROJECT_FILE);
      warnings.push(`${error.message} It is ignored: the server goes on without it.`);
    }
  }
  Object.assign(values, readEnvironment(sources.environment));
  return { dataFolder: sources.dataFolder, values: values as SettingValues, files, warnings, ignoredFile };
}

/** The defaults, which `doctor` uses if the configuration is broken. */
export function defaultSettings(dataFolder: string): Settings {
  const values = Object.fromEntries(Object.entries(SETTINGS).map(([key, spec]) => [key, spec.default]));
  return { dataFolder, values: values as unknown as SettingValues, files: [], warnings: [], ignoredFile: null };
}

const PROJECT_FILE = join('.sextant', 'config.yml');

/** The nearest folder with a .sextant/config.yml: this folder or a parent. */
function findProjectFolder(folder: string): string | null {
  let at = resolve(folder);
  while (true) {
    if (isFile(join(at, PROJECT_FILE))) return at;
    const above = dirname(at);
    if (above === at) return null;
    at = above;
  }
}

/**
 * Not put off: the first call that is starts the threads that would do it, which takes a command longer than the
 * question.
 */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Reads a file that the user named, which may also be a pipe. */
async function readUserFile(path: string): Promise<string> {
  // Checks a file's size before reading it, and the length of a pipe's text afterwards.
  checkLength(path, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return readNamedFile(path);
}

/**
 * Returns null with a warning if the file is a link out of the project: an error message about its content would reveal
 * it.
 */
function readProjectFile(folder: string, warnings: string[]): string | null {
  const path = join(folder, PROJECT_FILE);
  try {
    const options = { maxBytes: MAX_SETTINGS_LENGTH, links: 'inside' } as const;
    return readRepositoryFile(folder, PROJECT_FILE, options).bytes.toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw toEngineError(error);
    if (error.reason === 'too_large') checkLength(path, error.bytes);
    warnings.push(`${path} is ignored: it is no regular file of the project.`);
    return null;
  }
}

/** Throws invalid_pattern. Called for servers; a command's own walk reports the pattern, too. */
async function checkPatterns(layer: Layer): Promise<void> {
  const patterns = [layer['index.exclude'], layer['index.include']].flat().filter((each) => each !== undefined);
  if (patterns.length === 0) return;
  const { compileGlobs } = await import('../../engine/index.ts');
  compileGlobs(patterns as string[]);
}

async function readLayer(path: string, text: string): Promise<Layer> {
  checkLength(path, text.length);
  if (text.trim() === '') return {};
  const { parseConfig } = await import('./config-file.ts');
  return parseConfig(path, text);
}

function checkLength(path: string, length: number): void {
  if (length <= MAX_SETTINGS_LENGTH) return;
  const reason = `its length is ${length}; settings take no more than ${MAX_SETTINGS_LENGTH} characters.`;
  throw new EngineError('invalid_config', { path, reason });
}

function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Layer {
  const layer: Layer = {};
  for (const [key, spec] of Object.entries(SETTINGS) as [SettingKey, SettingSpec][]) {
    const name = environmentName(key);
    const text = environment[name];
    if (text === undefined || text === '') continue;
    const value = fromText(spec, text);
    const wrong = checkSetting(spec, value);
    if (wrong)
      throw new EngineError('invalid_config', { path: `(environment variable ${name})`, reason: `it ${wrong}.` });
    layer[key] = value;
  }
  return layer;
}

function fromText(spec: SettingSpec, text: string): unknown {
  if (spec.kind === 'boolean')
    return /^(true|1|yes|on)$/i.test(text) ? true : /^(false|0|no|off)$/i.test(text) ? false : text;
  if (spec.kind === 'list')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  // Text that is not a number stays unchanged, for the error message.
  if (spec.kind === 'integer' || spec.kind === 'number')
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}
