/**
 * The target of a command: a folder, or a scope of several repositories (`workspace:NAME`, model/records/scope.ts).
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { listWorkspaces } from '../../engine/workspaces/read-workspaces.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { formatScope, isScopeName, parseScope } from '../../model/records/scope.ts';
import { quoted, UsageError } from '../parsing/usage-error.ts';
import type { Session } from './command-session.ts';

export interface TargetFlags {
  readonly path?: string | undefined;
  readonly workspace?: string | undefined;
  readonly repos?: readonly string[] | undefined;
}

type Where = Pick<Session, 'cwd' | 'dataFolder'>;

/** The target that the flags name. Throws a UsageError if they contradict one another, or workspace_not_found. */
export function targetOf(where: Where, { path, workspace, repos = [] }: TargetFlags): string {
  if (path !== undefined && (workspace !== undefined || repos.length > 0))
    throw new UsageError('--path names one folder, --workspace and --repos name several.', 'Pass one of them.');
  if (workspace === undefined) return repos.length > 0 ? formatScope({ workspace: '', repos }) : (path ?? '.');
  const place = namedTarget(where, workspace);
  if (repos.length === 0) return place;
  const scope = parseScope(place);
  if (!scope)
    throw new UsageError(
      `--repos chooses from a workspace, and ${quoted(workspace)} is a folder.`,
      'Leave one of them out.',
    );
  return formatScope({ ...scope, repos });
}

/**
 * The workspace of that name, or the folder. A text that is both is refused: each has another spelling that is
 * unambiguous.
 */
export function namedTarget({ cwd, dataFolder }: Where, text: string): string {
  if (parseScope(text) || /[/\\]|^[.~]/.test(text)) return text;
  const isWorkspace = listWorkspaces(dataFolder).some(({ name }) => name === text);
  const found = statSync(resolve(cwd, text), { throwIfNoEntry: false });
  const isFolder = found?.isDirectory() ?? false;
  if (isWorkspace && isFolder)
    throw new UsageError(
      `${quoted(text)} is a workspace and a folder here.`,
      `Write workspace:${text} for the workspace, ./${text} for the folder.`,
    );
  if (isWorkspace) return formatScope({ workspace: text, repos: [] });
  // A file, or text that cannot be a workspace name, is treated as a path, so that the error is about the path.
  if (found || !isScopeName(text)) return text;
  throw new EngineError('workspace_not_found', { name: text });
}
