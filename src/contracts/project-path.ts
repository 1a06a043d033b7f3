import { isAbsolute, resolve } from 'node:path';
import { pathFrom } from '../model/is-within.ts';
import type { CallContext } from './contract.ts';

/** The folder that a `path` argument means: as it is when absolute, else seen from the workspace; null where nothing says which. */
export async function projectPath(path: string | undefined, ctx: CallContext): Promise<string | null> {
  if (path !== undefined && isAbsolute(path)) return path;
  const workspace = await ctx.workspace();
  if (workspace === null) return null;
  return path === undefined ? workspace : resolve(workspace, path);
}

/**
 * Where `path` lies in the project whose index answers for it, with forward slashes; '' for the whole of it. Answers about a folder inside an
 * indexed project come from that project's index and name files by their paths in it; who names the folder wants what lies below it.
 */
export async function folderWithin(path: string, ctx: CallContext): Promise<string> {
  const root = await ctx.engine.root(path);
  if (path === root) return '';
  return pathFrom(root, (await ctx.engine.project(path)).root);
}
