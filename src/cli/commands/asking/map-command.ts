import type { Engine } from '../../../engine/engine.ts';
import type { RepositoryMap } from '../../../model/records/browse.ts';
import { parseScope } from '../../../model/records/scope.ts';
import { defineCommand } from '../../parsing/command.ts';
import { REF_FLAG, REMOTE_FLAGS, YES_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printable } from '../../render/terminal-text.ts';
import { withIndex } from '../../running/index-first.ts';
import { targetOrClone } from '../../running/remote-target.ts';

export const map = defineCommand({
  name: 'map',
  group: 'ask',
  summary: 'Print a map of the project: modules, entry points, central files and symbols',
  operands: {},
  flags: {
    ...REMOTE_FLAGS,
    ref: REF_FLAG,
    tokens: { kind: 'integer', value: 'N', min: 200, max: 100_000, help: 'Size of the map in tokens, as text' },
    yes: YES_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant map', meaning: 'Markdown to read' },
    { line: 'sextant map --tokens 1500 > MAP.md', meaning: 'short, for a prompt' },
    { line: 'sextant map --format json', meaning: 'with the dependencies between modules' },
  ],
  json: [
    { field: 'title', meaning: 'name of the project' },
    { field: 'modules[].name', meaning: 'a module, the most central first' },
    { field: 'modules[].files', meaning: 'its files' },
    { field: 'modules[].lines', meaning: 'its lines' },
    { field: 'modules[].rank', meaning: 'its centrality, as a share of the whole from 0 to 1' },
    { field: 'modules[].top_file', meaning: 'its most central file' },
    { field: 'modules[].folder', meaning: 'the folder that contains all of its files' },
    { field: 'more_modules', meaning: 'modules that are not listed' },
    { field: 'dependencies[].from', meaning: 'a module' },
    { field: 'dependencies[].to', meaning: 'a module that it depends on' },
    { field: 'dependencies[].count', meaning: 'number of references' },
    { field: 'dependencies[].path', meaning: 'file with one of them' },
    { field: 'dependencies[].line', meaning: 'its line' },
    { field: 'cycles[]', meaning: 'a list of modules that depend on one another' },
    { field: 'entry_points[]', meaning: 'files with a program’s entry point' },
    { field: 'central_files[].path', meaning: 'a file that many others depend on' },
    { field: 'central_files[].rank', meaning: 'its centrality, as a share of all files' },
    { field: 'central_files[].lines', meaning: 'its lines' },
    { field: 'central_files[].symbols[].name', meaning: 'a symbol of it that others use' },
    { field: 'central_files[].symbols[].line', meaning: 'its line' },
    { field: 'central_files[].symbols[].signature', meaning: 'its signature' },
    { field: 'partial', meaning: 'true if the time limit cut the dependencies' },
  ],
  async run({ flags }, session) {
    const path = await targetOrClone(session, flags);
    const engine = await session.engine(path);
    const ref = flags.ref === undefined ? {} : { ref: flags.ref };
    const asData = flags.format === 'json' || flags.format === 'toon';
    const found = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, async () => {
      const stale = parseScope(path) ? null : await staleness(engine, path, flags.ref);
      const drawn = asData
        ? mapJson(await engine.repositoryMap(path, flags.ref))
        : await engine.map(path, { ...(flags.tokens === undefined ? {} : { maxTokens: flags.tokens }), ...ref });
      return { drawn, ...(stale && { freshness: stale }) };
    });
    await printAnswer(session, flags.format, found.drawn, () => [printable(String(found.drawn).trimEnd())]);
  },
});

async function staleness(engine: Engine, path: string, ref: string | undefined) {
  const { freshness: status, pending, moved, outdated } = await engine.status(path, ref);
  return { status, pending, ...(moved && { moved }), ...(outdated && { outdated }) };
}

function mapJson({ moreModules, entryPoints, centralFiles, modules, ...rest }: RepositoryMap) {
  return {
    ...rest,
    modules: modules.map(({ topFile, ...module }) => ({ ...module, top_file: topFile })),
    more_modules: moreModules,
    entry_points: entryPoints,
    central_files: centralFiles,
  };
}
