/**
 * Reads push webhooks of GitHub, GitLab and Gitea, each by its own headers. Only a request that proves knowledge of the
 * secret is read; the repository that it names then waits for a worker.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { nameOfUrl } from '../../model/records/repository-name.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';

export interface PushRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export type PushVerdict =
  | { readonly kind: 'refused' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'push';
      readonly names: readonly string[];
      readonly urls: readonly string[];
      readonly ref: string;
    };

interface Payload {
  readonly ref?: unknown;
  readonly repository?: Readonly<Record<string, unknown>>;
  readonly project?: Readonly<Record<string, unknown>>;
}

const ADDRESSES = ['clone_url', 'ssh_url', 'html_url', 'git_url', 'git_http_url', 'git_ssh_url', 'web_url'];

export function readPush({ headers, body }: PushRequest, secret: string): PushVerdict {
  const header = (name: string) => [headers[name] ?? ''].flat()[0]!;
  if (!isProven(header, body, secret)) return { kind: 'refused' };
  const event = header('x-github-event') || header('x-gitea-event') || header('x-gitlab-event');
  if (!/^(?:push|Push Hook)$/.test(event)) return { kind: 'other' };
  let payload: Payload;
  try {
    payload = JSON.parse(body.toString('utf8')) as Payload;
  } catch {
    return { kind: 'malformed' };
  }
  const { ref } = payload;
  const sources = [payload.repository ?? {}, payload.project ?? {}];
  const urls = sources.flatMap((source) =>
    ADDRESSES.flatMap((field) => (typeof source[field] === 'string' ? [source[field] as string] : [])),
  );
  if (typeof ref !== 'string' || urls.length === 0) return { kind: 'malformed' };
  return { kind: 'push', names: urls.flatMap(namesOf), urls, ref: ref.replace(/^refs\/heads\//, '') };
}

/** Whether the push concerns the indexed branch of this repository. */
export function concerns(push: Extract<PushVerdict, { kind: 'push' }>, record: RepositoryRecord): boolean {
  const isNamed = push.names.includes(record.name) || push.urls.includes(record.url);
  const branch = record.ref ?? record.branch;
  return isNamed && (branch === null || branch === push.ref);
}

function isProven(header: (name: string) => string, body: Buffer, secret: string): boolean {
  const sum = createHmac('sha256', secret).update(body).digest('hex');
  const signed = header('x-hub-signature-256').replace(/^sha256=/, '') || header('x-gitea-signature');
  if (signed !== '') return isSame(signed, sum);
  const token = header('x-gitlab-token');
  return token !== '' && isSame(token, secret);
}

/** Compares in constant time, whatever the length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function namesOf(url: string): string[] {
  try {
    return [nameOfUrl(url)];
  } catch {
    return [];
  }
}
