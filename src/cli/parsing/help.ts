/** Renders help pages from the records. */
import { join } from 'node:path';
import { environmentName, SETTINGS, type SettingSpec } from '../config/settings.ts';
import type { Style } from '../render/style.ts';
import { alignRows, wrap } from '../render/terminal-text.ts';
import { type Command, type FlagSpec, type Flags, GROUPS, type Group } from './command.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';

const WIDTH = 92;

export function overviewHelp(commands: readonly Command[], style: Style, prefix = ''): string {
  const shown = prefix ? commands.filter((c) => c.name.startsWith(`${prefix} `)) : commands;
  const lines = prefix
    ? [`${style.bold('Usage:')} sextant ${prefix} COMMAND [FLAGS]`]
    : [
        'Sextant finds code, explains structure and remembers decisions: for people here, for agents over MCP.',
        '',
        `${style.bold('Usage:')} sextant COMMAND [FLAGS]`,
      ];
  for (const group of Object.keys(GROUPS) as Group[]) {
    const members = shown.filter((c) => c.group === group);
    if (members.length === 0) continue;
    lines.push('', style.bold(GROUPS[group]));
    lines.push(...alignRows(members.map((c) => [`  ${style.cyan(c.name)}`, c.summary])));
  }
  lines.push('', style.bold('Flags of every command'), ...flagLines(GLOBAL_FLAGS, style));
  if (!prefix)
    lines.push(
      '',
      style.bold('Examples'),
      ...exampleLines(
        [
          { line: 'sextant index', meaning: 'index the project in this folder' },
          { line: 'sextant search "where are retries configured"', meaning: 'ask in words' },
          { line: 'sextant serve', meaning: 'serve agents over HTTP' },
        ],
        style,
      ),
    );
  lines.push('', `\`sextant ${prefix ? `${prefix} ` : ''}COMMAND --help\` shows a command’s flags and examples.`, '');
  return lines.join('\n');
}

export function commandHelp(command: Command, style: Style): string {
  const lines = [`${command.summary}.`, '', `${style.bold('Usage:')} ${usage(command)}`];
  if (command.details) lines.push('', ...wrap(command.details, WIDTH));
  const operands = Object.values(command.operands);
  if (operands.length > 0)
    lines.push(
      '',
      style.bold('Arguments'),
      ...alignRows(
        operands.map((o) => [`  ${style.cyan(o.value)}`, o.choices ? `${o.help}: ${o.choices.join(', ')}` : o.help]),
      ),
    );
  if (Object.keys(command.flags).length > 0) lines.push('', style.bold('Flags'), ...flagLines(command.flags, style));
  lines.push('', style.bold('Flags of every command'), ...flagLines(GLOBAL_FLAGS, style));
  lines.push('', style.bold('Examples'), ...exampleLines(command.examples, style), '');
  return lines.join('\n');
}

/** Renders every setting with its default and variable, and the location of the files. */
export function configurationHelp(dataFolder: string, style: Style): string {
  const rows = (Object.entries(SETTINGS) as [string, SettingSpec][]).map(([key, spec]) => [
    `  ${style.cyan(key)}`,
    JSON.stringify(spec.default),
    `${spec.help}${spec.scope === 'user' ? style.grey(' (not from a project’s file)') : ''}`,
  ]);
  return [
    'Settings come from these places, the later one winning:',
    `  ${join(dataFolder, 'config.yml')}`,
    '  .sextant/config.yml in the project, or above the folder at hand',
    `  the environment: ${environmentName('search.limit')} for search.limit, and so on`,
    '`--config PATH` stands in for both files. A server goes by what it was started with until it is started again.',
    '',
    style.bold('Settings and their defaults'),
    ...alignRows(rows),
    '',
    style.bold('Example'),
    '  search:',
    '    limit: 20',
    '',
  ].join('\n');
}

/** "sextant search QUERY [FLAGS]". */
export function usage(command: Command): string {
  const operands = Object.values(command.operands).map((o) => {
    const value = o.rest || o.many ? `${o.value}…` : o.value;
    return o.required ? value : `[${value}]`;
  });
  const flags = Object.keys(command.flags).length > 0 ? ['[FLAGS]'] : [];
  return ['sextant', command.name, ...operands, ...flags].join(' ');
}

/** "-v, --verbose", "--limit N", "--[no-]tests". */
export function flagLabel(name: string, spec: FlagSpec): string {
  const long = spec.kind === 'boolean' && spec.negatable ? `--[no-]${name}` : `--${name}`;
  const value = spec.kind === 'boolean' ? '' : ` ${spec.value}`;
  return `${spec.short ? `-${spec.short}, ` : ''}${long}${value}`;
}

/** The flag's description with its limits. */
export function flagMeaning(spec: FlagSpec): string {
  if (spec.kind === 'integer' || spec.kind === 'number') return `${spec.help} (${spec.min} to ${spec.max})`;
  if (spec.kind === 'string' && spec.choices) return `${spec.help}: ${spec.choices.join(', ')}`;
  if (spec.kind === 'list') return `${spec.help}${spec.commas ? ' (several with commas)' : ' (may be repeated)'}`;
  return spec.help;
}

function flagLines(flags: Flags, style: Style): string[] {
  return alignRows(
    Object.entries(flags).map(([name, spec]) => [
      `  ${spec.short ? '' : '    '}${style.cyan(flagLabel(name, spec))}`,
      flagMeaning(spec),
    ]),
  );
}

function exampleLines(examples: Command['examples'], style: Style): string[] {
  return alignRows(examples.map((e) => [`  ${e.line}`, style.grey(`# ${e.meaning}`)]));
}
