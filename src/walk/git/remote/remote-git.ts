/**
 * Runs the git commands that contact a remote, and lets them contact only the address that the caller passes: no
 * helper, no hook, no submodule, no redirect to another protocol. Credentials of an address are passed through git's
 * environment, which other users of the machine cannot read, and are sent to no other host. The remote is not trusted:
 * it may send without end, or stay silent.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { withoutCredentials } from '../../../model/records/repository-name.ts';
import { guardChild, killChild } from '../../../model/runtime/child-guard.ts';
import { gitProgram } from '../../programs.ts';
import { DEFAULT_NAMES } from '../process/git-config-names.ts';
import { safeArguments, safeEnvironment, searchPath } from '../process/git-settings.ts';

/** `token` is sent in a header of HTTP requests. It is passed in git's environment, so no process list shows it. */
export interface Remote {
  readonly url: string;
  readonly token?: string;
}

export interface Limits {
  /** Longest silence. A remote packs the first fetch of a large repository for minutes. */
  readonly silenceMs: number;
  /** Longest run: a remote could send one line a minute. */
  readonly totalMs: number;
  /** Size of the packs in the repository; 0 for a command that writes none. */
  readonly maxBytes: number;
  /** Memory of git and its transports together: git holds lists of refs in memory. */
  readonly maxMemoryBytes: number;
}

/** Characters of git's standard output, and of its standard error, that are held; the rest is dropped. */
const MAX_OUTPUT_CHARS = 1 << 20;
/** Characters of the reason in an error. */
const MAX_REASON_CHARS = 2_000;
const SIZE_CHECK_MS = 500;
const GROUP = { group: true };
const SSH = 'ssh -oBatchMode=yes -oForwardAgent=no -oClearAllForwardings=yes';

export interface RemoteWithHeader {
  /** The address without credentials, for git's command line, which every user of the machine can read. */
  readonly url: string;
  /** The Authorization header; null without credentials. */
  readonly header: string | null;
}

export function splitCredentials({ url, token }: Remote): RemoteWithHeader {
  const parts = /^(https?:\/\/)([^/]*)@(.*)$/is.exec(url);
  const bare = parts ? `${parts[1]}${parts[3]}` : url;
  // A token is for HTTP only; ssh has its own keys.
  if (token !== undefined && /^https?:/i.test(url)) return { url: bare, header: basic(`x-access-token:${token}`) };
  if (!parts) return { url, header: null };
  const [user, ...password] = parts[2]!.split(':');
  // A user name without a password is no credential.
  if (password.length === 0) return { url: bare, header: null };
  return { url: bare, header: basic(`${tryDecode(user!)}:${tryDecode(password.join(':'))}`) };
}

function basic(userAndPassword: string): string {
  return `Authorization: Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The value of GIT_ALLOW_PROTOCOL: only the protocol of the address, since a repository may name further remotes. */
function allowedProtocol(url: string): string {
  const protocol = /^([a-z]+):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (protocol === undefined) return url.startsWith('/') ? 'file' : 'ssh';
  return protocol === 'http' ? 'http:https' : protocol;
}

function environmentFor(folder: string | null, { url, header }: RemoteWithHeader): NodeJS.ProcessEnv {
  const place = folder === null ? null : { gitDir: folder, commonDir: folder, workTree: null, hasEmbedded: false };
  return {
    ...safeEnvironment(folder ?? devNull, place),
    ...(folder === null ? {} : { GIT_DIR: folder }),
    GIT_ALLOW_PROTOCOL: allowedProtocol(url),
    GIT_SSH_COMMAND: SSH,
    ...(header === null
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraHeader', GIT_CONFIG_VALUE_0: header }),
  };
}

/**
 * Runs git in the repository `folder`, or in none, and returns its standard output. Throws fetch_failed, cancelled, and
 * unsupported without git.
 */
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
  const target = splitCredentials(remote);
  const settings = [
    'protocol.allow=user',
    'core.sshCommand=',
    // git would send the Authorization header to the host of a redirect, too.
    `http.followRedirects=${target.header === null ? 'initial' : 'false'}`,
    'transfer.bundleURI=false',
    // git then keeps every fetch as a pack, and only the size of packs is checked.
    'fetch.unpackLimit=1',
  ];
  const settingFlags = settings.flatMap((setting) => ['-c', setting]);
  const { code, stdout, stderr, stopped } = await runLimited(
    () =>
      spawn(program, [...safeArguments(null, DEFAULT_NAMES), ...settingFlags, ...args], {
        cwd: folder ?? '/',
        env: environmentFor(folder, target),
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // A process group of its own, so that git's transports are killed with it.
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
  /** Why git was stopped; null if it ended by itself. */
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
    const sizeCheck = setInterval(() => {
      if (isTooLarge()) stop(tooLarge(maxBytes));
    }, SIZE_CHECK_MS);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      if (stdout.length < MAX_OUTPUT_CHARS) stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr = (stderr + piece).slice(-MAX_OUTPUT_CHARS);
    });
    const end = () => {
      clearTimeout(timer);
      clearInterval(sizeCheck);
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
      resolve({ code, stdout, stderr, stopped: stopped ?? reason });
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

/** git's error messages, without the credentials of an address that they repeat. */
function reasonIn(stderr: string): string {
  const reasons = stderr
    .split('\n')
    .flatMap((line) => /^(?:fatal|error|remote): *(\S.*)$/.exec(line.trim())?.[1] ?? []);
  const reason = reasons.length > 0 ? [...new Set(reasons)].join('; ') : stderr.trim() || 'git gave no reason';
  return withoutCredentials(reason).slice(0, MAX_REASON_CHARS);
}

/** The files of a repository's pack folder, partial packs included. */
export function packEntries(folder: string): { readonly name: string; readonly size: number }[] {
  const packs = join(folder, 'objects', 'pack');
  const names = existsSync(packs) ? readdirSync(packs) : [];
  return names.map((name) => ({ name, size: statSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0 }));
}
