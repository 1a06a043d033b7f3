/** Which remotes a worker shows its token to. */
export interface GitToken {
  readonly token: string;
  /** As in addresses, with a port that is not the usual one; empty: every host, over HTTPS. */
  readonly hosts: readonly string[];
}

/** Undefined where the address gets none. A host that is named gets it over plain HTTP, too. */
export function tokenFor(url: string, { token, hosts }: GitToken): string | undefined {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: '', host: '' };
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const isTrusted = hosts.length === 0 ? protocol === 'https:' : hosts.some((name) => name.toLowerCase() === host);
  return isTrusted ? token : undefined;
}
