/**
 * Where nothing is found, the flags that leave something out are named: what was looked for may well be there without
 * them.
 */
export function narrowingRemark(flags: Readonly<Record<string, unknown>>, narrowing: readonly string[]): string | null {
  const given = narrowing
    .filter((name) => flags[name] !== undefined && flags[name] !== true)
    .map((name) => (flags[name] === false ? `--no-${name}` : `--${name}`));
  if (given.length === 0) return null;
  const [leaves, them] = given.length === 1 ? ['leaves', 'it'] : ['leave', 'them'];
  return `Only what ${given.join(', ')} ${leaves} was looked at: ask again without ${them}.`;
}
