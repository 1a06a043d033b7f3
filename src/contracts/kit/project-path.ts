import { isAbsolute, posix, resolve, sep } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SearchFilters } from '../../model/records/query.ts';
import { parseScope, splitScopedPath } from '../../model/records/scope.ts';
import { isWithin, pathFrom } from '../../model/text/is-within.ts';
import type { CallContext } from '../contract.ts';

/**
 * The folder that a `path` argument means: as it is when absolute, else seen from the workspace. Throws where nothing
 * says which: a folder that the server happened to start in, `/` or the home folder, is nobody's project.
 */
export async function projectPath(path: string | undefined, ctx: CallContext): Promise<string> {
  if (path !== undefined && isAbsolute(path)) return path;
  // A variable that was not filled in, most likely: the workspace is meant by leaving it out.
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
 * The folder that the server stands in, for contracts whose calls name none. Never `/` or the home folder, because a
 * server happened to start there.
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
 * Where `path` lies in the project whose index answers for it, with forward slashes; '' for the whole of it. Answers
 * about a folder inside an indexed project come from that project's index and name files by their paths in it; who
 * names the folder wants what lies below it.
 */
export async function folderWithin(path: string, ctx: CallContext): Promise<string> {
  const root = await ctx.engine.root(path);
  if (path === root) return '';
  return pathFrom(root, (await ctx.engine.project(path)).root);
}

/**
 * A folder as the answers of a workspace name it: `api/src`. Throws repository_not_found where it begins with no
 * repository of it.
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
 * A file, or a pattern for files, as the engine names them: who knows it by its whole path may say that. What lies
 * elsewhere stays as it is, for the engine to refuse.
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

/**
 * The files that a call about `path` is narrowed to. A pattern may be meant from the root or from the folder that was
 * named.
 */
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
