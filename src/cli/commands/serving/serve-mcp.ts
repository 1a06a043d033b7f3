import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parse, resolve } from 'node:path';
import { PROFILE_NAMES } from '../../../contracts/contract.ts';
import { workspaceNamed } from '../../../engine/workspaces/read-workspaces.ts';
import { EngineError, toEngineError } from '../../../model/records/engine-errors.ts';
import { parseScope } from '../../../model/records/scope.ts';
import { defineCommand } from '../../parsing/command.ts';
import { WORKSPACE_FLAG } from '../../parsing/project-flags.ts';
import type { Session } from '../../running/command-session.ts';
import { namedTarget } from '../../running/command-target.ts';
import { serveFor } from '../../running/serve-for.ts';

export const serveMcp = defineCommand({
  name: 'serve-mcp',
  group: 'serve',
  summary: 'Serve one agent over standard input and output',
  details:
    'An agent starts this command itself. It ends when the agent disconnects. Standard output carries protocol ' +
    'messages only; the log goes to standard error. A user’s first server is the engine for later ones, which ' +
    'relay their messages to it: one index in memory for all agents. It keeps running for them when its own agent ' +
    'disconnects.',
  operands: {},
  flags: {
    profile: {
      kind: 'string',
      value: 'NAME',
      choices: PROFILE_NAMES,
      help: 'The set of tools to offer (default: sextant)',
    },
    workspace: {
      ...WORKSPACE_FLAG,
      help: 'Workspace or folder of calls without a path (default: the client’s root, else this folder)',
    },
    'any-language': {
      kind: 'boolean',
      help: 'Let the profile gocontext index projects of every language, not only Go',
    },
    shared: { kind: 'boolean', negatable: true, help: 'Share one engine with the other servers (default: yes)' },
  },
  examples: [
    { line: 'sextant serve-mcp --workspace ~/code/shop', meaning: 'for one project' },
    { line: 'sextant serve-mcp --workspace shop', meaning: 'for a workspace' },
    { line: 'claude mcp add sextant -- sextant serve-mcp', meaning: 'connect Claude Code' },
    { line: 'sextant serve-mcp --profile codecompass', meaning: 'another contract' },
  ],
  async run({ flags }, session) {
    const workspace = flags.workspace === undefined ? null : await checkPlace(session, flags.workspace);
    // Read at the start, so that a broken file fails the start and not an agent's first call.
    const settings = await session.settings(workspace ?? '.');
    const fallback = projectAt(session.cwd);
    const profile = flags.profile ?? 'sextant';
    await serveFor(session, {
      client: {
        kind: 'stdio',
        profile,
        workspace,
        fallbackWorkspace: fallback,
        settings,
        anyLanguage: flags['any-language'] ?? false,
      },
      // The cortex profile reads its own settings and chunk files, so it needs an engine of its own.
      isShared: (flags.shared ?? true) && profile !== 'cortex',
      input: process.stdin,
      output: process.stdout,
    });
  },
});

/**
 * The project of the current folder: agents start servers in the project's folder; `/` or the home folder means no
 * project.
 */
function projectAt(cwd: string): string | null {
  return cwd === parse(cwd).root || cwd === homedir() ? null : cwd;
}

/** Checks a scope or folder and returns it resolved. */
async function checkPlace(session: Session, text: string): Promise<string> {
  const place = namedTarget(session, text);
  const scope = parseScope(place);
  if (!scope) return checkFolder(resolve(session.cwd, place));
  if (scope.workspace !== '') workspaceNamed(session.dataFolder, scope.workspace);
  return place;
}

/** Checks the folder at the start, so that a wrong one does not fail every later call. */
async function checkFolder(path: string): Promise<string> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw toEngineError(thrown);
  });
  if (!found.isDirectory()) throw new EngineError('not_a_directory', { path });
  return path;
}
