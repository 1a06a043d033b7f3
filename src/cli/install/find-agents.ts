/** Which agents are on the machine, and which file of each is meant. */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Agent, type Machine, placesOf, type Reach, type Scope } from './agent.ts';
import { AGENTS } from './agents.ts';
import type { Target } from './install-plan.ts';

export function isInstalled(agent: Agent, machine: Machine): boolean {
  const places = placesOf(machine);
  return agent.folders(places).some((folder) => existsSync(folder)) || (agent.commands ?? []).some(onPath(machine));
}

function onPath({ platform, environment }: Machine): (command: string) => boolean {
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return (command) => folders.some((folder) => endings.some((ending) => existsSync(join(folder, command + ending))));
}

export function findAgents(machine: Machine): readonly Agent[] {
  return AGENTS.filter((agent) => isInstalled(agent, machine));
}

/** Null where the agent has no file of that scope. */
export function targetOf(
  agent: Agent,
  { scope, machine, project, reach }: { scope: Scope; machine: Machine; project: string; reach: Reach },
): Target | null {
  const files = scope === 'user' ? agent.user?.(placesOf(machine)) : agent.project?.map((file) => join(project, file));
  if (!files || files.length === 0) return null;
  const file =
    files.find((candidate) => existsSync(candidate)) ??
    files.find((candidate) => existsSync(dirname(candidate))) ??
    files[0]!;
  const { title, format, path, note, newer } = agent;
  return {
    title,
    file,
    ...(scope === 'project' && { project }),
    format,
    path,
    value: agent.entry(reach),
    ...(newer && { newer: { path: newer.path, value: newer.entry(reach) } }),
    ...(note !== undefined && { note }),
  };
}
