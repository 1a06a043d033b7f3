/** Finds the files that `install` and `uninstall` edit, according to their flags. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../model/records/engine-errors.ts';
import type { Agent, Reach, Scope } from '../../install/agent.ts';
import { AGENTS } from '../../install/agents.ts';
import { findAgents, targetOf } from '../../install/find-agents.ts';
import type { Target } from '../../install/install-plan.ts';
import { blockFormat, cursorRuleFormat } from '../../install/instructions.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import type { Session } from '../../running/command-session.ts';

/** The folder of installation receipts, which `uninstall` reads. */
export function receiptsOf({ dataFolder }: Session): string {
  return join(dataFolder, 'installs');
}

export function namedAgents(session: Session, names: readonly string[] | undefined): readonly Agent[] {
  if (names !== undefined) return AGENTS.filter(({ id }) => names.includes(id));
  const found = findAgents(session.machine);
  if (found.length > 0) return found;
  throw new UsageError(
    'No agent was found on this machine.',
    `Name one with --agent: ${AGENTS.map(({ id }) => id).join(', ')}.`,
  );
}

export function targetsOf(
  session: Session,
  agents: readonly Agent[],
  { scope, reach, isNamed }: { readonly scope: Scope; readonly reach: Reach; readonly isNamed: boolean },
): Target[] {
  return agents.flatMap((agent) => {
    const target = targetOf(agent, { scope, machine: session.machine, project: session.cwd, reach });
    if (target) return [target];
    if (isNamed) throw new UsageError(`${agent.title} has no ${scope} configuration.`, 'Pass another --scope.');
    return [];
  });
}

/** The project's instruction files for agents; AGENTS.md, which most agents read, if it has none. */
export function instructionTargets({ cwd }: Session): Target[] {
  const files = ['AGENTS.md', 'CLAUDE.md', '.cursor/rules/sextant.mdc'];
  const isMeant = (file: string) =>
    file.startsWith('.cursor') ? existsSync(join(cwd, '.cursor')) : existsSync(join(cwd, file));
  const chosen = files.filter(isMeant);
  return (chosen.length > 0 ? chosen : ['AGENTS.md']).map((file) => ({
    title: 'Instructions',
    file: join(cwd, file),
    project: cwd,
    format: file.endsWith('.mdc') ? cursorRuleFormat : blockFormat,
    path: ['block'],
    value: true,
  }));
}

/**
 * The command that starts this program; in a project's file, which others share, a command that works on their
 * machines, too.
 */
export function stdioReach({ launcher, machine, dataFolder }: Session, scope: Scope): Reach {
  const isTemporary = /[\\/]_npx[\\/]/.test(launcher);
  // Codex, for one, hands on few variables: its server would look for indexes where this program keeps none.
  const isMoved = scope === 'user' && Boolean(machine.environment.SEXTANT_HOME);
  const variables = isMoved ? { variables: { SEXTANT_HOME: dataFolder } } : {};
  if (scope === 'user' && !isTemporary)
    return { kind: 'stdio', command: machine.node, args: [launcher, 'serve-mcp'], ...variables };
  const npx = ['-y', 'sextant-mcp', 'serve-mcp'];
  // On Windows, npx is a script that only the shell can start.
  return machine.platform === 'win32'
    ? { kind: 'stdio', command: 'cmd', args: ['/c', 'npx', ...npx], ...variables }
    : { kind: 'stdio', command: 'npx', args: npx, ...variables };
}

export async function httpReach(session: Session, scope: Scope): Promise<Reach> {
  if (scope === 'project')
    throw new UsageError('A token does not belong in a project’s files.', 'Leave --http or --scope project out.');
  const { values } = await session.settings('.');
  const tokenFile = join(session.dataFolder, 'token');
  const token = await readFile(tokenFile, 'utf8').catch(() => {
    throw new EngineError('file_not_found', { path: tokenFile });
  });
  const url = `http://${values['serve.host']}:${values['serve.port']}/mcp`;
  return { kind: 'http', url, headers: { Authorization: `Bearer ${token.trim()}` } };
}
