/** The commands `sextant projects …`: the projects registered on this machine, and their names in HTTP URLs. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NamedProject } from '../../../engine/projects/project-names.ts';
import { defineCommand } from '../../parsing/command.ts';
import { quoted, UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { alignRows, printableLine } from '../../render/terminal-text.ts';

const PROJECT_FIELDS = [
  { field: 'name', meaning: 'name of the project: served at /p/NAME/mcp' },
  { field: 'root', meaning: 'its folder' },
  { field: 'exists', meaning: 'false if the folder is gone' },
];

export const projectsList = defineCommand({
  name: 'projects list',
  group: 'workspaces',
  summary: 'List the projects of this machine and their names',
  details:
    'A project is registered by its first index, by `sextant init` or by `sextant projects add`. Its name is that ' +
    'of its folder, with a number if another project has that name, and belongs to the project forever.',
  operands: {},
  flags: { format: FORMAT_FLAG },
  examples: [{ line: 'sextant projects list', meaning: 'names and folders' }],
  json: PROJECT_FIELDS.map(({ field, meaning }) => ({ field: `projects[].${field}`, meaning })),
  async run({ flags }, session) {
    const { namedProjects } = await loadNames();
    const all = namedProjects(session.dataFolder);
    await printAnswer(session, flags.format, { projects: all.map(projectJson) }, (screen) =>
      all.length === 0
        ? ['No project is registered yet. Run `sextant index` in its folder to register one.']
        : alignRows(all.map((project) => [screen.style.bold(project.name), folderWords(project)])),
    );
  },
});

export const projectsAdd = defineCommand({
  name: 'projects add',
  group: 'workspaces',
  summary: 'Register a project, so that a running server serves it',
  operands: { folder: { value: 'PATH', required: true, completes: 'folder', help: 'Folder of the project' } },
  flags: {
    name: { kind: 'string', value: 'NAME', help: 'Name in its URL (default: the folder’s)' },
    format: FORMAT_FLAG,
  },
  examples: [{ line: 'sextant projects add ~/code/shop --name shop', meaning: 'served at /p/shop/mcp' }],
  json: PROJECT_FIELDS,
  async run({ flags, operands }, session) {
    const folder = resolve(session.cwd, operands.folder);
    const { root } = await (await session.engine(folder)).register(folder);
    const { projectName } = await loadNames();
    const project = { name: projectName(session.dataFolder, root, flags.name), root };
    await printAnswer(session, flags.format, projectJson(project), () => [
      `${printableLine(root)} is the project ${project.name}: /p/${project.name}/mcp of \`sextant serve\`.`,
    ]);
  },
});

export const projectsRemove = defineCommand({
  name: 'projects remove',
  group: 'workspaces',
  summary: 'Unregister a project, so that no server serves it',
  details: 'Its folder, index and memory stay unchanged. Indexing the folder registers it again, under the same name.',
  operands: {
    project: { value: 'NAME', required: true, completes: 'folder', help: 'Name of the project, or its folder' },
  },
  flags: { format: FORMAT_FLAG },
  examples: [{ line: 'sextant projects remove shop', meaning: 'by its name' }],
  json: PROJECT_FIELDS,
  async run({ flags, operands }, session) {
    const { dataFolder } = session;
    const { namedProjects, projectNamed } = await loadNames();
    const { unregisterRoot } = await import('../../../engine/projects/project-registry.ts');
    const named = projectNamed(dataFolder, operands.project);
    const root = named ?? resolve(session.cwd, operands.project);
    const project = namedProjects(dataFolder).find((each) => each.root === root);
    if (!project)
      throw new UsageError(
        `No project is called ${quoted(operands.project)}.`,
        '`sextant projects list` shows names and folders.',
      );
    unregisterRoot(dataFolder, root);
    await printAnswer(session, flags.format, projectJson(project), () => [
      `Unregistered ${project.name} (${printableLine(root)}). Its index stays.`,
    ]);
  },
});

function projectJson({ name, root }: NamedProject) {
  return { name, root, exists: existsSync(root) };
}

function folderWords({ root }: NamedProject): string {
  return existsSync(root) ? printableLine(root) : `${printableLine(root)} (the folder is gone)`;
}

/**
 * Loaded on demand: the module loads the store, which may be missing on this platform and which other commands need not
 * wait for.
 */
function loadNames() {
  return import('../../../engine/projects/project-names.ts');
}
