/**
 * Settings from files and environment, checked against the records of settings.ts. Order, the later one wins: defaults, the user's
 * config.yml in the data folder, the project's .sextant/config.yml, the environment. `--config PATH` stands in for both files.
 */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EngineError, toEngineError } from '../model/errors.ts';
import {
  environmentName,
  SETTINGS,
  type SettingKey,
  type SettingSpec,
  type Settings,
  type SettingValues,
} from './settings.ts';
import { nearestWord } from './suggest.ts';
import { quoted } from './usage-error.ts';

export interface ConfigSources {
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--config`, resolved; null without it. */
  readonly explicit: string | null;
  /** Where to look for a project's file: this folder and those above it. */
  readonly projectFolder: string;
}

type Layer = Partial<Record<SettingKey, unknown>>;

export async function loadSettings(sources: ConfigSources): Promise<Settings> {
  const files: string[] = [];
  const warnings: string[] = [];
  const values: Record<string, unknown> = { ...defaultSettings(sources.dataFolder).values };
  const take = async (path: string | null, scope: 'user' | 'project') => {
    if (path === null) return;
    files.push(path);
    const layer = await readConfig(path);
    for (const [key, value] of Object.entries(layer)) {
      if (scope === 'project' && SETTINGS[key as SettingKey].scope === 'user')
        warnings.push(
          `${path}: ${key} is ignored; only your own configuration (${join(sources.dataFolder, 'config.yml')}) may set it.`,
        );
      else values[key] = value;
    }
  };
  if (sources.explicit !== null) {
    if (!(await isFile(sources.explicit))) throw new EngineError('path_not_found', { path: sources.explicit });
    await take(sources.explicit, 'user');
  } else {
    const user = join(sources.dataFolder, 'config.yml');
    await take((await isFile(user)) ? user : null, 'user');
    await take(await findProjectConfig(sources.projectFolder), 'project');
  }
  Object.assign(values, readEnvironment(sources.environment));
  return { dataFolder: sources.dataFolder, values: values as SettingValues, files, warnings };
}

/** Nothing read from anywhere: what `doctor` goes on with when the configuration is broken. */
export function defaultSettings(dataFolder: string): Settings {
  const values = Object.fromEntries(Object.entries(SETTINGS).map(([key, spec]) => [key, spec.default]));
  return { dataFolder, values: values as unknown as SettingValues, files: [], warnings: [] };
}

/** The nearest .sextant/config.yml at or above the folder. */
async function findProjectConfig(folder: string): Promise<string | null> {
  let at = resolve(folder);
  while (true) {
    const path = join(at, '.sextant', 'config.yml');
    if (await isFile(path)) return path;
    const above = dirname(at);
    if (above === at) return null;
    at = above;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function readConfig(path: string): Promise<Layer> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    throw toEngineError(thrown);
  }
  if (text.trim() === '') return {};
  const { LineCounter, parseDocument } = await import('yaml');
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const refuse = (reason: string) => new EngineError('invalid_config', { path, reason });
  const [broken] = document.errors;
  if (broken) throw refuse(`${broken.message.split('\n')[0]!.replace(/:$/, '')}.`);
  const lineOf = (keys: readonly string[]): string => {
    const node = document.getIn(keys, true);
    const range = node && typeof node === 'object' && 'range' in node ? (node.range as [number] | null) : null;
    return range ? ` (line ${counter.linePos(range[0]).line})` : '';
  };
  const content: unknown = document.toJS();
  if (content === null || content === undefined) return {};
  if (!isMapping(content)) throw refuse('it must be a mapping of sections such as `search:`.');
  const layer: Layer = {};
  for (const [section, below] of Object.entries(content)) {
    const known = Object.keys(SETTINGS).filter((key) => key.startsWith(`${section}.`));
    if (known.length === 0) throw refuse(unknownKey(section, sections(), lineOf([section])));
    if (below === null) continue;
    if (!isMapping(below)) throw refuse(`\`${section}\` must hold settings${lineOf([section])}.`);
    for (const [name, value] of Object.entries(below)) {
      const key = `${section}.${name}`;
      if (!known.includes(key)) throw refuse(unknownKey(key, known, lineOf([section, name])));
      const wrong = checkSetting(SETTINGS[key as SettingKey], value);
      if (wrong) throw refuse(`\`${key}\` ${wrong}${lineOf([section, name])}.`);
      layer[key as SettingKey] = value;
    }
  }
  return layer;
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
  if (spec.kind === 'integer' || spec.kind === 'number') return text.trim() === '' ? text : Number(text);
  return text;
}

/** What is wrong with the value, or null. */
function checkSetting(spec: SettingSpec, value: unknown): string | null {
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
  const fits =
    typeof value === 'number' &&
    (spec.kind === 'number' ? Number.isFinite(value) : Number.isInteger(value)) &&
    value >= spec.min &&
    value <= spec.max;
  const what = spec.kind === 'integer' ? 'whole number' : 'number';
  return fits ? null : `must be a ${what} from ${spec.min} to ${spec.max}, not ${shown}`;
}

function sections(): string[] {
  return [...new Set(Object.keys(SETTINGS).map((key) => key.split('.')[0]!))];
}

function unknownKey(key: string, known: readonly string[], line: string): string {
  const near = nearestWord(key, known);
  return `there is no setting ${quoted(key)}${line}${near ? `; did you mean \`${near}\`?` : `; known are ${known.join(', ')}.`}`;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
