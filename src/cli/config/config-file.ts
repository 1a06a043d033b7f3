/**
 * Parses one YAML file of settings. A module of its own, loaded on demand: most runs have no such file and need no YAML
 * parser.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { nearestWord } from '../../model/text/nearest-word.ts';
import { quoted } from '../parsing/usage-error.ts';
import { parseSettings, type SettingsDocument } from './parse-yaml.ts';
import { checkSetting, type Layer, SETTINGS, type SettingKey } from './settings.ts';

/** Parses settings; `path` is for messages. Throws invalid_config with the line. */
export function parseConfig(path: string, text: string): Layer {
  const refuse = (reason: string) => new EngineError('invalid_config', { path, reason });
  let document: SettingsDocument;
  try {
    document = parseSettings(text);
  } catch (error) {
    throw refuse(`${(error as Error).message.replace(/\.$/, '')}.`);
  }
  const { content } = document;
  const lineOf = (keys: readonly string[]): string => {
    const line = document.lineOf(keys);
    return line === null ? '' : ` (line ${line})`;
  };
  if (content === null || content === undefined) return {};
  if (!isRecord(content)) throw refuse('it must be a mapping of sections such as `search:`.');
  const layer: Layer = {};
  for (const [section, below] of Object.entries(content)) {
    const known = Object.keys(SETTINGS).filter((key) => key.startsWith(`${section}.`));
    if (known.length === 0) throw refuse(unknownKey(section, sections(), lineOf([section])));
    if (below === null) continue;
    if (!isRecord(below)) throw refuse(`\`${section}\` must hold settings${lineOf([section])}.`);
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

function sections(): string[] {
  return [...new Set(Object.keys(SETTINGS).map((key) => key.split('.')[0]!))];
}

function unknownKey(key: string, known: readonly string[], line: string): string {
  const near = nearestWord(key, known);
  return (
    'there is no setting ' +
    `${quoted(key)}${line}${near ? `; did you mean \`${near}\`?` : `; known are ${known.join(', ')}.`}`
  );
}
