/** The commands `sextant memory export` and `import`: discoveries as one file for another machine or project. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DISCOVERY_TYPES } from '../../../model/records/discovery.ts';
import { unwritable } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { readNamedFile } from '../../parsing/named-file.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { discoveryJson, parseDiscoveries } from '../../render/discovery-json.ts';
import { FORMAT_FLAG, jsonText, printReport } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';

export const memoryExport = defineCommand({
  name: 'memory export',
  group: 'memory',
  summary: 'Write entries as JSON',
  details:
    'Writes entries that people and agents recorded; with --mined also those mined from the repository and its ' +
    'history. The file contains `sextant_memory` (the version of the format, 1) and `discoveries`, each with the ' +
    'fields of `sextant memory list --format json`.',
  operands: {},
  flags: {
    path: PATH_FLAG,
    type: { kind: 'string', value: 'TYPE', choices: DISCOVERY_TYPES, help: 'Only this type' },
    module: { kind: 'string', value: 'NAME', help: 'Only this module' },
    mined: { kind: 'boolean', help: 'Include mined entries' },
    output: { kind: 'string', value: 'FILE', completes: 'file', help: 'File to write (default: standard output)' },
  },
  examples: [{ line: 'sextant memory export --output memory.json', meaning: 'for `sextant memory import` elsewhere' }],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const found = await engine.discoveries(path, {
      // An export reads the whole history: no later call completes it.
      ...(flags.mined ? { whole: true } : { recorded: true }),
      ...(flags.type === undefined ? {} : { type: flags.type }),
      ...(flags.module === undefined ? {} : { module: flags.module }),
    });
    const text = `${jsonText({ sextant_memory: 1, discoveries: found.map(discoveryJson) })}\n`;
    if (flags.output === undefined) {
      session.terminal.out.write(text);
      return;
    }
    const file = resolve(session.cwd, flags.output);
    try {
      await writeFile(file, text);
    } catch (error) {
      throw unwritable('path_unwritable', file, error);
    }
    if (!session.quiet)
      session.terminal.out.write(`${plural(found.length, 'entry', 'entries')} written to ${printableLine(file)}\n`);
  },
});

export const memoryImport = defineCommand({
  name: 'memory import',
  group: 'memory',
  summary: 'Import exported entries',
  details:
    'Of two entries with the same id, the newer stays. An entry that looks like a secret or personal data is ' +
    'refused and reported; the others are imported.',
  operands: {
    file: { value: 'FILE', required: true, completes: 'file', help: 'File of `memory export`; - reads standard input' },
  },
  flags: { path: PATH_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant memory import memory.json', meaning: 'into this project' }],
  json: [
    { field: 'created', meaning: 'entries that were new' },
    { field: 'updated', meaning: 'entries that were older here' },
    { field: 'unchanged', meaning: 'entries that exist in this or a newer version' },
    { field: 'refused[].id', meaning: 'an entry that was refused' },
    { field: 'refused[].reason', meaning: 'why' },
  ],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const text =
      operands.file === '-'
        ? await session.terminal.readInput()
        : await readNamedFile(resolve(session.cwd, operands.file));
    const { discoveries, refused: broken } = parseDiscoveries(text);
    const engine = await session.engine(path);
    const report = await engine.importDiscoveries(path, discoveries);
    const refused = [...broken, ...report.refused];
    await printReport(session, flags.format, { ...report, refused }, ({ style }) => [
      `${style.green('✓')} ${report.created} new, ${report.updated} updated, ${report.unchanged} known already.`,
      ...refused.map(({ id, reason }) => `${style.yellow('!')} ${printableLine(id)}: ${printableLine(reason)}`),
    ]);
    return refused.length > 0 && report.created + report.updated + report.unchanged === 0 ? 1 : 0;
  },
});
