/** For a search without results: names the flags that filtered, because the result may exist without them. */
export function narrowingRemark(flags: Readonly<Record<string, unknown>>, narrowing: readonly string[]): string | null {
  const given = narrowing
    .filter((name) => flags[name] !== undefined && flags[name] !== true)
    .map((name) => (flags[name] === false ? `--no-${name}` : `--${name}`));
  if (given.length === 0) return null;
  const [leaves, them] = given.length === 1 ? ['leaves', 'it'] : ['leave', 'them'];
  return `Only what ${given.join(', ')} ${leaves} was looked at: ask again without ${them}.`;
}
