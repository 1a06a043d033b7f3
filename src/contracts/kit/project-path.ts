import { isAbsolute, posix, resolve, sep } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SearchFilters } from '../../model/records/query.ts';
import { parseScope, splitScopedPath } from '../../model/records/scope.ts';
import { isWithin, pathFrom } from '../../model/text/is-within.ts';
import type { CallContext } from '../contract.ts';

/**
 * Resolves a `path` argument: an absolute path stays, a relative one is resolved against the workspace. Throws without
 * a workspace: the folder in which the server happened to start, `/` or the home folder, is not a project.
 */
export async function projectPath(path: string | undefined, ctx: CallContext): Promise<string> {
  if (path !== undefined && isAbsolute(path)) return path;
  // An empty path is most likely a variable without a value; omitting the parameter means the workspace.
  if (path?.trim() === '')
    throw new EngineError('invalid_input', {
      reason: 'path is empty. Leave it out for the workspace, or pass the folder of the project.',
    });
  const workspace = await ctx.workspace();
  // A path in a workspace is a folder of one of its repositories (folderInScope).
  if (workspace !== null) return path === undefined || parseScope(workspace) ? workspace : resolve(workspace, path);
  throw new EngineError('invalid_input', {
    reason:
      'Which project? Pass its folder as an absolute path: this server was started without --workspace and the ' +
      'client names no root.',
  });
}

/**
 * The folder of a call in contracts whose calls have no path. Never `/` or the home folder, in which a server may
 * happen to start.
 */
export async function workspaceFolder(ctx: CallContext): Promise<string> {
  const workspace = await ctx.workspace();
  if (workspace !== null) return workspace;
  throw new EngineError('invalid_input', {
    reason:
      'Which project? Start this server in its folder or with --workspace: neither was done, and the client ' +
      'names no root.',
  });
}

/**
 * The path of `path` inside the indexed project that contains it, with forward slashes; '' for the project's root.
 * Answers come from that project's index and have paths relative to it; a caller that passes the folder wants the files
 * below it.
 */
export async function folderWithin(path: string, ctx: CallContext): Promise<string> {
  const root = await ctx.engine.root(path);
  if (path === root) return '';
  return pathFrom(root, (await ctx.engine.project(path)).root);
}

/**
 * Converts a folder to the form of a workspace's answers: `api/src`. Throws repository_not_found if it begins with no
 * repository of the workspace.
 */
export async function folderInScope(scope: string, path: string, ctx: CallContext): Promise<string> {
  const folder = posix.normalize(path).replace(/^\/+|\/+$/g, '');
  if (folder === '.' || folder === '') return '';
  const { repo } = splitScopedPath(folder);
  const members = await ctx.engine.members(scope);
  if (members.some(({ name }) => name === repo)) return folder;
  const known = members.map(({ name }) => name).join(', ');
  throw new EngineError('repository_not_found', { name: repo, where: 'the workspace', known });
}

/**
 * Converts a file or glob to the engine's form; callers may also pass an absolute path. Paths outside of the project
 * stay unchanged, and the engine refuses them.
 */
export async function placeIn(folder: string, path: string, ctx: CallContext): Promise<string> {
  if (!isAbsolute(path)) return path;
  if (parseScope(folder)) {
    const member = (await ctx.engine.members(folder)).find(({ root }) => isWithin(path, root));
    return member ? `${member.name}/${pathFrom(member.root, path)}` : path;
  }
  const base = [await ctx.engine.root(folder), folder].find((root) => path !== root && isWithin(path, root));
  return base === undefined
    ? path
    : path
        .slice(base.length)
        .split(sep)
        .filter((part) => part !== '')
        .join('/');
}

/** The globs that limit a call to `path`. A pattern may be relative to the root or to the given folder. */
export async function placesIn(
  path: string,
  { folder, pattern }: { readonly folder: string; readonly pattern: string | undefined },
  ctx: CallContext,
): Promise<Pick<SearchFilters, 'folder' | 'paths'>> {
  if (!pattern) return folder ? { folder } : {};
  const place = await placeIn(path, pattern, ctx);
  const below = place.replace(/^(!?)\/*/, (_start, not: string) => `${not}${folder}/`);
  return folder ? { folder, paths: [place, below] } : { paths: [place] };
}
