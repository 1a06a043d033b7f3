/** Changes the named workspaces of this machine and resolves scopes to their repositories. */
import { basename } from 'node:path';
import { replaceFile } from '../../memory/notebook/atomic-file.ts';
import { EngineError, unwritable } from '../../model/records/engine-errors.ts';
import { isScopeName, type Scope } from '../../model/records/scope.ts';
import { makeFolder } from '../../store/index.ts';
import type { WorkspaceInfo, WorkspaceMember } from '../engine.ts';
import { registeredRoots, resolveProject } from '../projects/project-registry.ts';
import { listWorkspaces, workspaceNamed, workspacesFile } from './read-workspaces.ts';

/** Throws path_not_found, not_a_directory, and invalid_input for a name that cannot be part of a path. */
export async function addToWorkspace(home: string, name: string, paths: readonly string[]): Promise<WorkspaceInfo> {
  if (!isScopeName(name))
    throw new EngineError('invalid_input', {
      reason: `"${name}" cannot name a workspace: use letters, digits, dots, dashes and underscores.`,
    });
  const roots: string[] = [];
  for (const path of paths) roots.push((await resolveProject(home, path)).root);
  const known = listWorkspaces(home).find((workspace) => workspace.name === name)?.members ?? [];
  const workspace = { name, members: nameMembers(known, roots) };
  saveWorkspace(home, workspace);
  return workspace;
}

/**
 * Returns the remaining workspace; without `repos`, removes all of it. Throws workspace_not_found,
 * repository_not_found.
 */
export function removeFromWorkspace(home: string, name: string, repos: readonly string[]): WorkspaceInfo {
  const { members } = workspaceNamed(home, name);
  const gone = new Set(membersOf(home, { workspace: name, repos }));
  const left = { name, members: members.filter(({ root }) => ![...gone].some((member) => member.root === root)) };
  saveWorkspace(home, left);
  return left;
}

/** Writes a workspace; with no members, removes it. */
function saveWorkspace(home: string, workspace: WorkspaceInfo): void {
  const others = listWorkspaces(home).filter(({ name }) => name !== workspace.name);
  const workspaces = workspace.members.length > 0 ? [...others, workspace] : others;
  try {
    makeFolder(home);
    replaceFile(workspacesFile(home), `${JSON.stringify({ workspaces }, null, 2)}\n`);
  } catch (error) {
    throw unwritable('path_unwritable', workspacesFile(home), error);
  }
}

/**
 * Names each repository after its folder. If the name is taken, the parent folder's name is put in front: `web`,
 * `old-web`.
 */
function nameMembers(known: readonly WorkspaceMember[], roots: readonly string[]): WorkspaceMember[] {
  const members = [...known];
  for (const root of roots) {
    if (members.some((member) => member.root === root)) continue;
    const parts = root.split(/[\\/]/).filter(Boolean).map(toScopeName);
    const isTaken = (name: string) => members.some((member) => member.name === name);
    let name = parts.at(-1) ?? 'root';
    for (let above = parts.length - 2; isTaken(name) && above >= 0; above--) name = `${parts[above]}-${name}`;
    for (let number = 2; isTaken(name); number++) name = `${parts.at(-1) ?? 'root'}-${number}`;
    members.push({ name, root });
  }
  return members.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toScopeName(folder: string): string {
  const name = folder.replace(/[^\w.+-]+/g, '-').replace(/^[.+-]+|[.]+$/g, '');
  return isScopeName(name) ? name : `repository-${name.slice(0, 40)}`;
}

/** Throws workspace_not_found, repository_not_found. */
export function membersOf(home: string, { workspace, repos }: Scope): readonly WorkspaceMember[] {
  const members = workspace === '' ? registeredMembers(home) : workspaceNamed(home, workspace).members;
  if (repos.length === 0) return members;
  return [...new Set(repos)].map((repo) => {
    const found = members.filter(({ name, root }) => name === repo || root === repo);
    if (found.length === 1) return found[0]!;
    const where = workspace === '' ? 'the registered projects' : `the workspace ${workspace}`;
    throw new EngineError('repository_not_found', {
      name: repo,
      where,
      known: members.map(({ name }) => name).join(', '),
    });
  });
}

/**
 * The registered projects, named as a workspace of all of them would name them. Sorted by folder name, so that names do
 * not depend on the order of registration.
 */
function registeredMembers(home: string): readonly WorkspaceMember[] {
  const roots = registeredRoots(home).sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  return nameMembers([], roots);
}
