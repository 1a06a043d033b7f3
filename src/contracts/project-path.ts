import { isAbsolute, resolve } from 'node:path';
import type { CallContext } from './contract.ts';

/** The folder that a `path` argument means: as it is when absolute, else seen from the workspace; null where nothing says which. */
export async function projectPath(path: string | undefined, ctx: CallContext): Promise<string | null> {
  if (path !== undefined && isAbsolute(path)) return path;
  const workspace = await ctx.workspace();
  if (workspace === null) return null;
  return path === undefined ? workspace : resolve(workspace, path);
}
