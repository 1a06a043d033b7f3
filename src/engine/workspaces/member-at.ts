/** Converts between paths of a scope and paths of its repositories. Pure. */

/** A repository of a scope, in the project that answers for it. `folder` is '' for the project itself. */
export interface MemberPlace {
  readonly name: string;
  /** The project's root. */
  readonly root: string;
  readonly folder: string;
}

/**
 * Splits "api/src/cart.ts" into its member and the path inside it, '' for the member itself. Names may contain slashes:
 * the longest matching name wins.
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

/** Converts a path inside the member to a path of its project. */
export function projectPath({ folder }: Pick<Folder, 'folder'>, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Converts a path of the project to a path of the scope; null outside of the member. */
export function scopedPath({ name, folder }: Folder, path: string): string | null {
  if (folder === '') return `${name}/${path}`;
  return path.startsWith(`${folder}/`) ? name + path.slice(folder.length) : null;
}

/** As scopedPath(), for many paths; drops those outside of the member. */
export function scopedPaths(member: Folder, paths: readonly string[]): string[] {
  return paths.flatMap((path) => scopedPath(member, path) ?? []);
}

/** As scopedPath(), for items with a path; drops those outside of the member. */
export function scopedItems<T extends { readonly path: string }>(member: Folder, items: readonly T[]): T[] {
  return items.flatMap((item) => {
    const path = scopedPath(member, item.path);
    return path === null ? [] : [{ ...item, path }];
  });
}

/**
 * Converts a module name of the member's project to one of the scope. A package's own module becomes the member itself.
 */
export function moduleWithin({ name, folder }: Folder, module: string): string {
  const isOwn = module === '' || module === name || module.split('/').at(-1) === folder.split('/').at(-1);
  return isOwn ? name : `${name}/${module}`;
}
