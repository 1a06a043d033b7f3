/** Decides which remotes get the worker's token. */
export interface GitToken {
  readonly token: string;
  /** Host names as in URLs, with a non-default port; empty for every host, over HTTPS. */
  readonly hosts: readonly string[];
}

/** The token for a URL; undefined for none. A listed host also gets it over plain HTTP. */
export function tokenFor(url: string, { token, hosts }: GitToken): string | undefined {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: '', host: '' };
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const isTrusted = hosts.length === 0 ? protocol === 'https:' : hosts.some((name) => name.toLowerCase() === host);
  return isTrusted ? token : undefined;
}
