/** Which repository of a scope a path lies in, and paths of a repository's project as the scope writes them. Pure. */

/** A repository of a scope in the project that answers for it; '' as the folder is the project itself. */
export interface MemberPlace {
  readonly name: string;
  /** Of the project. */
  readonly root: string;
  readonly folder: string;
}

/**
 * "api/src/cart.ts" as the member that it lies in and the path there, '' for the member as a whole. Names may hold
 * slashes: the longest one wins.
 */
export function memberAt<T extends { readonly name: string }>(
  members: readonly T[],
  path: string,
): { readonly member: T; readonly path: string } | undefined {
  const found = members.filter(({ name }) => path === name || path.startsWith(`${name}/`));
  const member = found.reduce<T | undefined>(
    (best, one) => (best && best.name.length >= one.name.length ? best : one),
    undefined,
  );
  return member && { member, path: path.slice(member.name.length + 1) };
}

type Folder = Pick<MemberPlace, 'name' | 'folder'>;

/** A path in the member as a path in its project. */
export function projectPath({ folder }: Pick<Folder, 'folder'>, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** A path in the project as the scope writes it; null for what lies outside of the member. */
export function scopedPath({ name, folder }: Folder, path: string): string | null {
  if (folder === '') return `${name}/${path}`;
  return path.startsWith(`${folder}/`) ? name + path.slice(folder.length) : null;
}

/** Paths of a project as the scope writes them, without those outside of the member. */
export function scopedPaths(member: Folder, paths: readonly string[]): string[] {
  return paths.flatMap((path) => scopedPath(member, path) ?? []);
}

/** The same for what has a path. */
export function scopedItems<T extends { readonly path: string }>(member: Folder, items: readonly T[]): T[] {
  return items.flatMap((item) => {
    const path = scopedPath(member, item.path);
    return path === null ? [] : [{ ...item, path }];
  });
}

/** A module of the member's project as the scope names it. A package's own module is the member itself. */
export function moduleWithin({ name, folder }: Folder, module: string): string {
  const isOwn = module === '' || module === name || module.split('/').at(-1) === folder.split('/').at(-1);
  return isOwn ? name : `${name}/${module}`;
}
