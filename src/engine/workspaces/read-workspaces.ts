/**
 * Reads the named workspaces of this machine from one file in the data folder. Every command reads them, even where no
 * index can be opened, so this file imports no store.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { WorkspaceInfo } from '../engine.ts';

export function workspacesFile(home: string): string {
  return join(home, 'workspaces.json');
}

/** The workspaces, sorted by name. Throws invalid_config if the file is damaged. */
export function listWorkspaces(home: string): WorkspaceInfo[] {
  const file = workspacesFile(home);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new EngineError('permission_denied', { path: file }, error);
  }
  const known = parseFile(text);
  if (known) return [...known].sort((a, b) => (a.name < b.name ? -1 : 1));
  throw new EngineError('invalid_config', { path: file, reason: 'it is not a list of workspaces' });
}

function parseFile(text: string): readonly WorkspaceInfo[] | null {
  try {
    const { workspaces } = JSON.parse(text) as { readonly workspaces?: unknown };
    return Array.isArray(workspaces) && workspaces.every(isWorkspace) ? workspaces : null;
  } catch {
    return null;
  }
}

function isWorkspace(value: unknown): value is WorkspaceInfo {
  const { name, members } = (value ?? {}) as Partial<WorkspaceInfo>;
  return (
    typeof name === 'string' &&
    Array.isArray(members) &&
    members.every((member) => typeof member?.name === 'string' && typeof member.root === 'string')
  );
}

/** Throws workspace_not_found. */
export function workspaceNamed(home: string, name: string): WorkspaceInfo {
  const all = listWorkspaces(home);
  const found = all.find((workspace) => workspace.name === name);
  if (found) return found;
  throw new EngineError('workspace_not_found', { name });
}
