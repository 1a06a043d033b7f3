/** Finds the agents on the machine, and the file of each to edit. */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Agent, type Machine, placesOf, type Reach, type Scope } from './agent.ts';
import { AGENTS } from './agents.ts';
import type { Json } from './formats/config-format.ts';
import type { Target } from './install-plan.ts';

function isInstalled(agent: Agent, machine: Machine): boolean {
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

/** Keys of an entry that connect the server; the user may have set the other keys. */
function ownedKeys(entry: Agent['entry']): ReadonlySet<string> {
  const [a, b] = SAMPLES.map((reach) => new Map(Object.entries(entry(reach) as Record<string, Json>)));
  const isEmpty = (value: Json | undefined) => JSON.stringify(value ?? {}) === '{}';
  const isSame = (x: Json | undefined, y: Json | undefined) =>
    JSON.stringify(x) === JSON.stringify(y) || (isEmpty(x) && isEmpty(y));
  return new Set([...a!.keys(), ...b!.keys()].filter((key) => !isSame(a!.get(key), b!.get(key))));
}

const SAMPLES: readonly Reach[] = [
  { kind: 'stdio', command: 'a', args: ['a'] },
  { kind: 'http', url: 'b', headers: { b: 'b' } },
];

/** The file and entry to edit; null if the agent has no file of that scope. */
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
    owned: ownedKeys(agent.entry),
    ...(newer && { newer: { path: newer.path, value: newer.entry(reach) } }),
    ...(note !== undefined && { note }),
  };
}
