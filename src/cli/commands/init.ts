import { defineCommand } from '../command.ts';
import { PROJECT_FIELDS, projectJson } from '../indexing.ts';
import { FORMAT_FLAG, printAnswer } from '../output.ts';
import { printableLine } from '../render/text.ts';

export const init = defineCommand({
  name: 'init',
  group: 'setup',
  summary: 'Register a project',
  details:
    'Remembers the folder as a project of its own. Nothing is written into it unless --write-config asks for .sextant/config.yml; a file that exists is left as it is.',
  operands: { folder: { value: 'PATH', completes: 'folder', help: 'Folder of the project (default: this folder)' } },
  flags: {
    'write-config': { kind: 'boolean', help: 'Write .sextant/config.yml with the settings and their defaults' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant init', meaning: 'register this folder' },
    { line: 'sextant init ~/code/shop --write-config', meaning: 'and write its configuration file' },
  ],
  json: PROJECT_FIELDS.map(({ field, meaning }) => ({ field: field.replace('project.', ''), meaning })),
  async run({ flags, operands }, session) {
    const path = operands.folder ?? '.';
    const engine = await session.engine(path);
    const project = await engine.register(path, { writeConfig: flags['write-config'] ?? false });
    await printAnswer(session, flags.format, projectJson(project), ({ style }) => [
      `${style.green('✓')} ${style.bold(printableLine(project.moduleName))} at ${printableLine(project.root)} is registered.`,
      style.grey(`  Its index lives in ${printableLine(project.storeFolder)}. Next: sextant index`),
    ]);
  },
});
