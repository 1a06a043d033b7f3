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
    'Remembers the folder as a project of its own, with an empty index in the data folder. Nothing is written ' +
    'into the project unless --write-config asks for .sextant/config.yml (a file that exists is left as it is) ' +
    'or --team for .sextant/memory, where what is remembered is kept from then on, to be committed with the code.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Folder of the project (default: this folder)' } },
  flags: {
    'write-config': {
      kind: 'boolean',
      help: 'Write .sextant/config.yml, with every setting that a project may make and its default',
    },
    team: { kind: 'boolean', help: 'Keep what is remembered in .sextant/memory, for everyone who clones it' },
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
