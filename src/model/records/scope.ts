/**
 * Where a question names a folder, it may name several repositories instead: `workspace:shop` is all of a workspace,
 * `workspace:shop/api,web` some of it, `workspace:/api,web` registered projects by their names. In answers, paths begin
 * with the name of their repository: `api/src/cart.ts`.
 */
export interface Scope {
  /** '' for the registered projects. */
  readonly workspace: string;
  /** Names of repositories; empty for all. */
  readonly repos: readonly string[];
}

const PREFIX = 'workspace:';
/** Names that need no quoting in paths and on command lines. */
const NAME = /^[A-Za-z0-9_](?:[\w.+-]*[\w+-])?$/;

/** Parses a scope; null for a path of the file system, such as `./workspace:shop`. */
export function parseScope(text: string): Scope | null {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return null;
  const { repo: workspace, path: repos } = splitScopedPath(text.slice(PREFIX.length));
  return { workspace, repos: repos === '' ? [] : repos.split(',') };
}

export function formatScope({ workspace, repos }: Scope): string {
  return `${PREFIX}${workspace}${repos.length > 0 ? `/${[...new Set(repos)].join(',')}` : ''}`;
}

export function isScopeName(text: string): boolean {
  return NAME.test(text) && text.length <= 100;
}

/** Splits "api/src/cart.ts" into the repository and the path in it; the path is '' for the whole repository. */
export function splitScopedPath(path: string): { readonly repo: string; readonly path: string } {
  const slash = path.indexOf('/');
  return slash < 0 ? { repo: path, path: '' } : { repo: path.slice(0, slash), path: path.slice(slash + 1) };
}
