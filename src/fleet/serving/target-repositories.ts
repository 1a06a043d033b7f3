/**
 * Resolves the repositories of a call: the path of one, or of a folder inside it; a folder that contains several
 * ("github.com/acme", or the node's own folder for all); or a list of names. Only repositories that the subject may see
 * are found: a hidden repository and a missing one give the same error.
 */
import { relative, resolve, sep } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { parseScope } from '../../model/records/scope.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';

export type TargetRepositories =
  | { readonly kind: 'one'; readonly record: RepositoryRecord }
  | { readonly kind: 'several'; readonly records: readonly RepositoryRecord[] };

const LISTED = 20;

/** `records` are those that the subject may see. Throws not_served, repository_not_found. */
export function targetRepositories(
  folder: string,
  path: string,
  records: readonly RepositoryRecord[],
): TargetRepositories {
  const scope = parseScope(path);
  if (scope) return { kind: 'several', records: scope.repos.flatMap((name) => named(name, records)) };
  const relativePath = relative(folder, resolve(path)).split(sep).join('/');
  const nearest = enclosing(relativePath, records);
  if (nearest) return { kind: 'one', record: nearest };
  const below = relativePath === '' ? records : records.filter(({ name }) => name.startsWith(`${relativePath}/`));
  if (below.length > 0) return { kind: 'several', records: below };
  const reason = 'there is no such repository, or you may not see it';
  throw new EngineError('not_served', { path: relativePath === '' ? 'the fleet' : relativePath, reason });
}

/** The repository of a path that begins with a repository's name. */
export function enclosing(path: string, records: readonly RepositoryRecord[]): RepositoryRecord | undefined {
  const found = records.filter(({ name }) => path === name || path.startsWith(`${name}/`));
  return found.sort((a, b) => b.name.length - a.name.length)[0];
}

/**
 * Finds a repository by its whole name, or by the end of its name if that is unique; a folder of repositories means all
 * of them.
 */
function named(name: string, records: readonly RepositoryRecord[]): readonly RepositoryRecord[] {
  const exact = records.filter((record) => record.name === name);
  const below = exact.length > 0 ? exact : records.filter((record) => record.name.startsWith(`${name}/`));
  const ending = below.length > 0 ? below : records.filter((record) => record.name.endsWith(`/${name}`));
  if (ending.length > 0 && (below.length > 0 || ending.length === 1)) return ending;
  throw new EngineError('repository_not_found', { name, where: 'the fleet', known: listed(records) });
}

export function listed(records: readonly RepositoryRecord[]): string {
  const more = records.length > LISTED ? ` and ${records.length - LISTED} more` : '';
  const names = records.slice(0, LISTED).map(({ name }) => name);
  return names.length > 0 ? `${names.join(', ')}${more}` : 'none that you may see';
}
