/** Lists the repository URLs of a GitHub organisation or GitLab group, page by page. */
import { EngineError } from '../../model/records/engine-errors.ts';

export interface CodeHost {
  readonly kind: 'github' | 'gitlab';
  /** Organisation or group; a group may be nested: "acme/backend". */
  readonly owner: string;
  /** Null for the public service. */
  readonly apiUrl: string | null;
  readonly token?: string;
}

interface Listed {
  readonly archived?: boolean;
  readonly clone_url?: string;
  readonly http_url_to_repo?: string;
}

const PAGE = 100;
const MAX_PAGES = 1_000;
const TIMEOUT_MS = 30_000;
const APIS = { github: 'https://api.github.com', gitlab: 'https://gitlab.com/api/v4' } as const;

/** Lists repositories that are not archived. Throws fetch_failed with the host's message. */
export async function listCodeHost(host: CodeHost): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const listed = await readPage(host, page);
    for (const { archived, clone_url: github, http_url_to_repo: gitlab } of listed) {
      const address = github ?? gitlab;
      if (!archived && address) addresses.push(checkedAddress(host, address));
    }
    if (listed.length < PAGE) break;
  }
  return addresses;
}

/** Rejects local paths: a host could otherwise have a folder of the worker's machine indexed. */
function checkedAddress({ owner }: CodeHost, address: string): string {
  if (/^https?:\/\//i.test(address)) return address;
  const reason = `the host lists the address ${JSON.stringify(address)}, which is none of HTTP.`;
  throw new EngineError('fetch_failed', { url: owner, reason });
}

async function readPage({ kind, owner, apiUrl, token }: CodeHost, page: number): Promise<readonly Listed[]> {
  const api = (apiUrl ?? APIS[kind]).replace(/\/+$/, '');
  const path =
    kind === 'github'
      ? `/orgs/${encodeURIComponent(owner)}/repos?`
      : `/groups/${encodeURIComponent(owner)}/projects?include_subgroups=true&archived=false&`;
  const url = `${api}${path}per_page=${PAGE}&page=${page}`;
  const headers = {
    Accept: 'application/json',
    'User-Agent': 'sextant',
    ...(token === undefined
      ? {}
      : kind === 'github'
        ? { Authorization: `Bearer ${token}` }
        : { 'PRIVATE-TOKEN': token }),
  };
  const failed = (reason: string, cause?: unknown) => new EngineError('fetch_failed', { url: owner, reason }, cause);
  let reply: Response;
  try {
    // Redirects are not followed: the token would reach another host.
    reply = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw failed(`${api} does not answer: ${(error as Error).message}`, error);
  }
  if (!reply.ok) throw failed(`${api} answered ${reply.status} for ${owner}: look at its name and at the token.`);
  const listed: unknown = await reply.json();
  if (!Array.isArray(listed)) throw failed(`${api} answered with no list.`);
  return listed as Listed[];
}
