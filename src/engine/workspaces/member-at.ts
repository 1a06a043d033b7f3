/** Which repository of a scope a path lies in. Pure. */

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
