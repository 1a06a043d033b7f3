/**
 * Bare mirrors of remote repositories, for those who index what they have no clone of. The only place that lets git
 * speak to a remote, with the address that its caller names and no other: no helper, no hook, no submodule, no redirect
 * to another protocol; what is fetched is one commit of one branch, without its history.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { devNull } from 'node:os';
import { EngineError } from '../../model/records/engine-errors.ts';
import { guardChild } from '../../model/runtime/child-guard.ts';
import { gitProgram } from '../programs.ts';
import { USUAL_NAMES } from './git-config-names.ts';
import { safeArguments, safeEnvironment, searchPath } from './git-settings.ts';

/** `token` goes into the header of HTTP requests, through git's environment: no process list shows it. */
export interface Remote {
  readonly url: string;
  readonly token?: string;
}

export interface RemoteHead {
  readonly branch: string;
  readonly commit: string;
}

/** A local path is one that an operator typed; others are fetched over these. */
const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];
/** Without a word from git. A first fetch of a large repository is packed by the remote for minutes. */
const SILENCE_MS = 300_000;
const SSH = 'ssh -oBatchMode=yes -oForwardAgent=no -oClearAllForwardings=yes';

/**
 * Where a branch stands at the remote; without one, the branch that its HEAD names. Throws ref_not_found, and
 * fetch_failed where it does not answer.
 */
export async function remoteHead(remote: Remote, ref: string | null, signal?: AbortSignal): Promise<RemoteHead> {
  checkRemote(remote);
  const wanted = ref === null ? ['HEAD'] : [`refs/heads/${checkedBranch(ref)}`];
  const text = await runRemote(null, ['ls-remote', '--symref', '--', remote.url, ...wanted], remote, signal);
  const named = ref ?? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text)?.[1];
  const commit = /^([0-9a-f]{40,64})\t/m.exec(text)?.[1];
  if (!named || !commit) throw new EngineError('ref_not_found', { ref: ref ?? 'HEAD' });
  return { branch: named, commit };
}

/** Brings the branch's newest commit into the mirror, which is made when it is missing. Its HEAD names that branch. */
export async function fetchMirror(folder: string, remote: Remote, branch: string, signal?: AbortSignal): Promise<void> {
  checkRemote(remote);
  checkedBranch(branch);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    await runRemote(folder, ['init', '--quiet', '--bare', '--template=', folder], remote, signal);
  }
  const spec = `+refs/heads/${branch}:refs/heads/${branch}`;
  const quiet = [
    '--progress',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
  ];
  await runRemote(folder, ['fetch', ...quiet, '--depth=1', '--force', '--', remote.url, spec], remote, signal);
  await runRemote(folder, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], remote, signal);
}

function checkRemote({ url }: Remote): void {
  const protocol = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const isKnown = protocol === undefined ? /^(?:\/|[\w.-]+@[\w.-]+:)/.test(url) : PROTOCOLS.includes(protocol);
  // A remote helper is named by "NAME::ADDRESS"; a leading dash would be an option.
  if (isKnown && !/^[\w-]*::/.test(url) && !/[\0-\x20\x7f]/.test(url)) return;
  const reason =
    `${JSON.stringify(url)} is no address of a repository: pass an https, ssh, git or file address, or an absolute ` +
    'path.';
  throw new EngineError('invalid_input', { reason });
}

function checkedBranch(branch: string): string {
  if (/^[\w][\w./+@-]*$/.test(branch) && !branch.includes('..') && !branch.endsWith('.lock')) return branch;
  throw new EngineError('ref_not_found', { ref: branch });
}

function environmentFor(folder: string | null, { token }: Remote): NodeJS.ProcessEnv {
  const place = folder === null ? null : { gitDir: folder, commonDir: folder, workTree: null, hasEmbedded: false };
  return {
    ...safeEnvironment(folder ?? devNull, place),
    ...(folder === null ? {} : { GIT_DIR: folder }),
    GIT_ALLOW_PROTOCOL: PROTOCOLS.join(':'),
    GIT_SSH_COMMAND: SSH,
    ...(token === undefined
      ? {}
      : {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: 'http.extraHeader',
          GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
        }),
  };
}

function runRemote(
  folder: string | null,
  args: readonly string[],
  remote: Remote,
  signal?: AbortSignal,
): Promise<string> {
  const program = gitProgram(searchPath(), folder ?? '/');
  if (program === null) throw new EngineError('unsupported', { what: 'Fetching', reason: 'git is not on the PATH' });
  const settings = [
    'protocol.allow=user',
    'core.sshCommand=',
    'http.followRedirects=initial',
    'transfer.bundleURI=false',
  ];
  const own = settings.flatMap((setting) => ['-c', setting]);
  const options = { cwd: folder ?? '/', env: environmentFor(folder, remote), ...(signal ? { signal } : {}) };
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const started = spawn(program, [...safeArguments(null, USUAL_NAMES), ...own, ...args], options);
    const child = guardChild(started, { timeoutMs: SILENCE_MS, idle: true });
    child.stdin?.end();
    child.stdout?.on('data', (piece: Buffer) => out.push(piece));
    child.stderr?.on('data', (piece: Buffer) => err.push(piece));
    child.on('error', (error) => reject(signal?.aborted ? new EngineError('cancelled', {}, error) : error));
    child.on('close', (code) => {
      if (signal?.aborted) reject(new EngineError('cancelled'));
      else if (code === 0) resolve(Buffer.concat(out).toString('utf8'));
      else
        reject(
          new EngineError('fetch_failed', { url: plain(remote.url), reason: reasonIn(Buffer.concat(err).toString()) }),
        );
    });
  });
}

/** Git repeats the address with whatever stands in it; a password in it must not be shown. */
function plain(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, '//***@');
}

function reasonIn(stderr: string): string {
  const reasons = stderr
    .split('\n')
    .flatMap((line) => /^(?:fatal|error|remote): *(\S.*)$/.exec(line.trim())?.[1] ?? []);
  return plain(reasons.length > 0 ? [...new Set(reasons)].join('; ') : stderr.trim() || 'git gave no reason');
}
