/**
 * The only place that lets git speak to a remote, with the address that its caller names and no other: no helper, no
 * hook, no submodule, no redirect to another protocol. What stands in an address for signing in goes through git's
 * environment, which other users of the machine cannot read, and to no other host. The remote is not trusted: it may
 * send without an end, or be silent.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { EngineError } from '../../model/records/engine-errors.ts';
import { withoutCredentials } from '../../model/records/repository-name.ts';
import { guardChild, killChild } from '../../model/runtime/child-guard.ts';
import { gitProgram } from '../programs.ts';
import { USUAL_NAMES } from './git-config-names.ts';
import { safeArguments, safeEnvironment, searchPath } from './git-settings.ts';

/** `token` goes into the header of HTTP requests, through git's environment: no process list shows it. */
export interface Remote {
  readonly url: string;
  readonly token?: string;
}

export interface Limits {
  /** Without a word from git. A first fetch of a large repository is packed by the remote for minutes. */
  readonly silenceMs: number;
  /** From start to end: a remote can say one word a minute. */
  readonly totalMs: number;
  /** Of what git writes into the repository, in packs; 0 where it writes nothing. */
  readonly maxBytes: number;
  /** Of git and its transports together: lists of refs are held in memory. */
  readonly maxMemoryBytes: number;
}

/** Of what git says; the rest is passed over. */
const MAX_WORDS = 1 << 20;
/** Characters of the reason in an error. */
const MAX_REASON = 2_000;
const LOOK_MS = 500;
const GROUP = { group: true };
const SSH = 'ssh -oBatchMode=yes -oForwardAgent=no -oClearAllForwardings=yes';

export interface SignedRemote {
  /** As git gets it on its command line, which every user of the machine can read. */
  readonly url: string;
  /** A header for the remote; null without one. */
  readonly header: string | null;
}

export function splitCredentials({ url, token }: Remote): SignedRemote {
  const parts = /^(https?:\/\/)([^/]*)@(.*)$/is.exec(url);
  const bare = parts ? `${parts[1]}${parts[3]}` : url;
  // A token goes to servers that speak HTTP only.
  if (token !== undefined && /^https?:/i.test(url)) return { url: bare, header: basic(`x-access-token:${token}`) };
  if (!parts) return { url, header: null };
  const [user, ...password] = parts[2]!.split(':');
  // A name alone signs nobody in.
  if (password.length === 0) return { url: bare, header: null };
  return { url: bare, header: basic(`${decoded(user!)}:${decoded(password.join(':'))}`) };
}

function basic(userAndPassword: string): string {
  return `Authorization: Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The protocol of the address and no other: a repository here may name further remotes. */
function protocolOf(url: string): string {
  const protocol = /^([a-z]+):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (protocol === undefined) return url.startsWith('/') ? 'file' : 'ssh';
  return protocol === 'http' ? 'http:https' : protocol;
}

function environmentFor(folder: string | null, { url, header }: SignedRemote): NodeJS.ProcessEnv {
  const place = folder === null ? null : { gitDir: folder, commonDir: folder, workTree: null, hasEmbedded: false };
  return {
    ...safeEnvironment(folder ?? devNull, place),
    ...(folder === null ? {} : { GIT_DIR: folder }),
    GIT_ALLOW_PROTOCOL: protocolOf(url),
    GIT_SSH_COMMAND: SSH,
    ...(header === null
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraHeader', GIT_CONFIG_VALUE_0: header }),
  };
}

/** Output of git. Throws fetch_failed, cancelled, and unsupported without git. `folder`: the repository to work in. */
export async function runRemote(
  folder: string | null,
  args: readonly string[],
  remote: Remote,
  limits: Limits,
  signal?: AbortSignal,
): Promise<string> {
  if (signal?.aborted) throw new EngineError('cancelled');
  const program = gitProgram(searchPath(), folder ?? '/');
  if (program === null) throw new EngineError('unsupported', { what: 'Fetching', reason: 'git is not on the PATH' });
  const signed = splitCredentials(remote);
  const settings = [
    'protocol.allow=user',
    'core.sshCommand=',
    // git would send our header to the host that a redirect names, too.
    `http.followRedirects=${signed.header === null ? 'initial' : 'false'}`,
    'transfer.bundleURI=false',
    // Always a pack, whose size is limited.
    'fetch.unpackLimit=1',
  ];
  const own = settings.flatMap((setting) => ['-c', setting]);
  const { code, stdout, stderr, stopped } = await runLimited(
    () =>
      spawn(program, [...safeArguments(null, USUAL_NAMES), ...own, ...args], {
        cwd: folder ?? '/',
        env: environmentFor(folder, signed),
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // A group of its own, so that its transports end with it.
        detached: process.platform !== 'win32',
      }),
    folder,
    limits,
    signal,
  );
  if (signal?.aborted) throw new EngineError('cancelled');
  if (code === 0 && stopped === null) return stdout;
  throw new EngineError('fetch_failed', { url: withoutCredentials(remote.url), reason: stopped ?? reasonIn(stderr) });
}

interface RemoteAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it was ended. */
  readonly stopped: string | null;
}

function runLimited(
  start: () => ChildProcessByStdio<null, Readable, Readable>,
  folder: string | null,
  { silenceMs, totalMs, maxBytes, maxMemoryBytes }: Limits,
  signal?: AbortSignal,
): Promise<RemoteAnswer> {
  return new Promise((resolve, reject) => {
    let stopped: string | null = null;
    const onTimeout = () => {
      stopped = `the remote was silent for ${silenceMs / 1000} s.`;
    };
    const options = { ...GROUP, timeoutMs: silenceMs, idle: true, maxMemoryBytes, onTimeout };
    const child = guardChild(start(), options);
    const stop = (reason: string) => {
      stopped = reason;
      killChild(child, GROUP);
    };
    const cancel = () => stop('cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(() => stop(`it took longer than ${totalMs / 60_000} minutes.`), totalMs);
    const isTooLarge = () => folder !== null && maxBytes > 0 && sizeOf(folder) > maxBytes;
    const look = setInterval(() => {
      if (isTooLarge()) stop(tooLarge(maxBytes));
    }, LOOK_MS);
    const words = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      if (words.out.length < MAX_WORDS) words.out += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      words.err = (words.err + piece).slice(-MAX_WORDS);
    });
    const end = () => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener('abort', cancel);
    };
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('close', (code, killedBy) => {
      end();
      const killed = killedBy === null ? null : 'git was ended: it took too much memory.';
      const reason = isTooLarge() ? tooLarge(maxBytes) : killed;
      resolve({ code, stdout: words.out, stderr: words.err, stopped: stopped ?? reason });
    });
  });
}

function sizeOf(folder: string): number {
  return packEntries(folder).reduce((sum, { size }) => sum + size, 0);
}

function tooLarge(maxBytes: number): string {
  const limit = maxBytes >= 2 ** 30 ? `${maxBytes / 2 ** 30} GB` : `${maxBytes} bytes`;
  return `it is larger than ${limit}. Clone it yourself, and index the clone.`;
}

/** Git repeats the address with whatever stands in it. */
function reasonIn(stderr: string): string {
  const reasons = stderr
    .split('\n')
    .flatMap((line) => /^(?:fatal|error|remote): *(\S.*)$/.exec(line.trim())?.[1] ?? []);
  const reason = reasons.length > 0 ? [...new Set(reasons)].join('; ') : stderr.trim() || 'git gave no reason';
  return withoutCredentials(reason).slice(0, MAX_REASON);
}

/** Packs of a repository, those that are being received among them. */
export function packEntries(folder: string): { readonly name: string; readonly size: number }[] {
  const packs = join(folder, 'objects', 'pack');
  const names = existsSync(packs) ? readdirSync(packs) : [];
  return names.map((name) => ({ name, size: statSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0 }));
}
