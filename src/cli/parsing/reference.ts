/**
 * Generates docs/cli.md from the records: commands, JSON fields, settings, exit codes. A test checks that the file is
 * up to date.
 */
import { ERROR_TABLE } from '../../model/records/engine-errors.ts';
import { environmentName, SETTINGS, type SettingSpec } from '../config/settings.ts';
import { type Command, GROUPS, type Group } from './command.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import { flagLabel, flagMeaning, usage } from './help.ts';

export const GENERATED_FROM = '<!-- generated: from here on this page is made from the records in src/cli -->';

const EXITS: Readonly<Record<number, string>> = {
  0: 'Success. A search without a relevant result also succeeds, and says so.',
  1:
    'A failure without a code of its own; for `grep`, no match; for `doctor`, a failed check; for `verify`, an ' +
    'index that does not match the folder.',
  2: 'Invalid use: an unknown command or flag, a path that does not exist, an invalid configuration.',
  3: 'Not found: no index, no such symbol, nothing to index.',
  4: 'Busy: another process is indexing the project, or a rate limit was reached.',
  5: 'A problem of the index on disk: damaged, of another version, not writable, disk full.',
  6: 'An external problem: a provider did not answer, a time limit was reached.',
  130:
    'Cancelled with Ctrl-C (143: by SIGTERM); finished work is kept. A server that is stopped this way exits ' +
    'with 0.',
};

export function cliReference(commands: readonly Command[]): string {
  const lines = [GENERATED_FROM, '', '## Commands', ''];
  for (const group of Object.keys(GROUPS) as Group[])
    for (const command of commands.filter((c) => c.group === group)) lines.push(...commandSection(command));
  lines.push('## Flags of every command', '', ...flagTable(Object.entries(GLOBAL_FLAGS)), '');
  lines.push('## Settings', '', ...settingTable(), '');
  lines.push('## Exit codes', '', ...exitTable(), '');
  return lines.join('\n');
}

function commandSection(command: Command): string[] {
  const lines = [`### \`sextant ${command.name}\``, '', `${command.summary}.`, '', '```', usage(command), '```', ''];
  if (command.details) lines.push(command.details, '');
  const operands = Object.values(command.operands);
  if (operands.length > 0) {
    lines.push('| argument | meaning |', '|---|---|');
    for (const o of operands)
      lines.push(row(`\`${o.value}\``, o.choices ? `${o.help}: ${o.choices.join(', ')}` : o.help));
    lines.push('');
  }
  if (Object.keys(command.flags).length > 0) lines.push(...flagTable(Object.entries(command.flags)), '');
  lines.push('```sh', ...command.examples.map((e) => `${e.line}  # ${e.meaning}`), '```', '');
  if (command.json) {
    lines.push('With `--format json` (or `toon`):', '', '| field | meaning |', '|---|---|');
    lines.push(...command.json.map(({ field, meaning }) => row(`\`${field}\``, meaning)), '');
  }
  return lines;
}

function flagTable(flags: readonly (readonly [string, Parameters<typeof flagLabel>[1]])[]): string[] {
  return [
    '| flag | meaning |',
    '|---|---|',
    ...flags.map(([name, spec]) => row(`\`${flagLabel(name, spec)}\``, flagMeaning(spec))),
  ];
}

function settingTable(): string[] {
  const limits = (spec: SettingSpec) => {
    if (spec.kind === 'integer' || spec.kind === 'number') return ` (${spec.min} to ${spec.max})`;
    return spec.kind === 'string' && spec.choices ? `: ${spec.choices.join(', ')}` : '';
  };
  return [
    '| setting | default | environment | may stand in a project’s file | meaning |',
    '|---|---|---|---|---|',
    ...(Object.entries(SETTINGS) as [string, SettingSpec][]).map(([key, spec]) =>
      row(
        `\`${key}\``,
        `\`${JSON.stringify(spec.default)}\``,
        `\`${environmentName(key)}\``,
        spec.scope === 'project' ? 'yes' : 'no',
        `${spec.help}${limits(spec)}`,
      ),
    ),
  ];
}

function exitTable(): string[] {
  const codesOf = (exit: number) =>
    Object.entries(ERROR_TABLE)
      .filter(([, entry]) => entry.exit === exit)
      .map(([code]) => `\`${code}\``)
      .join(', ');
  return [
    '| code | meaning | errors |',
    '|---|---|---|',
    ...Object.entries(EXITS).map(([exit, meaning]) => row(exit, meaning, codesOf(Number(exit)))),
  ];
}

/** Exit codes that the table of errors uses and this page does not explain. */
export function unexplainedExits(): number[] {
  return [...new Set(Object.values(ERROR_TABLE).map((entry) => entry.exit))].filter((exit) => !(exit in EXITS));
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
}
