import { projectConfigText } from '../../config/settings.ts';
import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printReport } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { PROJECT_FIELDS, projectJson } from '../../running/index-first.ts';

export const init = defineCommand({
  name: 'init',
  group: 'setup',
  summary: 'Register a project',
  details:
    'Registers the folder as a project of its own, with an empty index in the data folder. Nothing is written to ' +
    'the project, except with --write-config, which writes .sextant/config.yml (an existing file stays ' +
    'unchanged), and with --team, which creates .sextant/memory, where discoveries are kept from then on, to be ' +
    'committed with the code.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Folder of the project (default: this folder)' } },
  flags: {
    'write-config': {
      kind: 'boolean',
      help: 'Write .sextant/config.yml with every project setting and its default',
    },
    team: { kind: 'boolean', help: 'Keep the memory in .sextant/memory, for everyone who clones the repository' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant init', meaning: 'register this folder' },
    { line: 'sextant init ~/code/shop --write-config', meaning: 'and write its configuration file' },
    { line: 'sextant init --team', meaning: 'share discoveries through the repository' },
  ],
  json: PROJECT_FIELDS.map(({ field, meaning }) => ({ field: field.replace('project.', ''), meaning })),
  async run({ flags, operands }, session) {
    const path = operands.folder ?? '.';
    const engine = await session.engine(path);
    const project = await engine.register(path, {
      ...(flags['write-config'] && { config: projectConfigText() }),
      team: flags.team ?? false,
    });
    await printReport(session, flags.format, projectJson(project), ({ style }) => [
      `${style.green('✓')} ${style.bold(printableLine(project.moduleName))} at ${printableLine(project.root)} is ` +
        'registered.',
      style.grey(`  Version control: ${project.isGit ? 'git' : 'none, the files as they are'}.`),
      style.grey(`  Its index lives in ${printableLine(project.storeFolder)}. Next: sextant index`),
      ...(flags['write-config'] ? [style.grey('  Its settings are in .sextant/config.yml.')] : []),
      ...(flags.team ? [style.grey('  Discoveries are kept in .sextant/memory; commit that folder.')] : []),
    ]);
  },
});
