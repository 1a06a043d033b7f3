/**
 * Checks that everything Sextant needs is present and works. One result per part, with a fix. A check uses the part
 * instead of looking for its files.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkEvents } from '../../indexing/index.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { checkSqlite, makeFolder } from '../../store/index.ts';
import { gitVersion, ripgrepProgram } from '../../walk/index.ts';
import type { CheckResult } from '../engine.ts';
import type { EngineConfig } from '../engine-config.ts';
import { checkGrammars } from './doctor-grammars.ts';
import { checkModel } from './doctor-model.ts';
import { checkProject, type DoctorProject } from './doctor-project.ts';

type Check = () => Promise<CheckResult[]> | CheckResult[];
const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 5_000;
const REINSTALL = 'Run `npm ci` (or reinstall the package) on this machine: its platform package is missing.';

/** Warns below this many free bytes: the log alone may grow to 16 MB. */
const MIN_FREE_BYTES = 64 << 20;
/** Open files that a server needs for its workers, watches and sessions. */
const MIN_OPEN_FILES = 256;

export async function runDoctor(config: EngineConfig, project: DoctorProject | null): Promise<CheckResult[]> {
  const checks: [string, Check][] = [
    ['node', checkNode],
    ['sqlite', () => [{ name: 'sqlite', status: 'ok', detail: checkSqlite(), fix: null }]],
    ['grammars', () => checkGrammars(config)],
    ['ripgrep', checkRipgrep],
    ['watcher', checkWatcher],
    ['model', () => checkModel(config.modelFolder)],
    ['embedding provider', () => checkProvider(config)],
    ['language model', () => checkLanguageModel(config)],
    ['git', () => checkGit(project && existsSync(project.path) ? project.path : process.cwd())],
    ['open files', checkOpenFiles],
    ['data folder', () => checkHome(config.home)],
  ];
  if (project) checks.push(['project', () => checkProject(project)]);
  const results: CheckResult[] = [];
  for (const [name, check] of checks) {
    try {
      results.push(...(await check()));
    } catch (thrown) {
      const error = toEngineError(thrown);
      results.push({
        name,
        status: 'fail',
        detail: error.message,
        fix: error.code === 'internal_error' ? REINSTALL : error.fix,
      });
    }
  }
  return results;
}

function checkNode(): CheckResult[] {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const isSupported = major > 20 || (major === 20 && minor >= 15);
  const detail = `${process.version} on ${process.platform}-${process.arch}`;
  return [
    {
      name: 'node',
      status: isSupported ? 'ok' : 'fail',
      detail,
      fix: isSupported ? null : 'Install Node 20.15 or newer.',
    },
  ];
}

async function checkRipgrep(): Promise<CheckResult[]> {
  try {
    const { stdout } = await run(ripgrepProgram(), ['--version'], { timeout: VERSION_TIMEOUT_MS });
    return [{ name: 'ripgrep', status: 'ok', detail: stdout.split('\n')[0]!, fix: null }];
  } catch (error) {
    return [{ name: 'ripgrep', status: 'fail', detail: (error as Error).message, fix: REINSTALL }];
  }
}

async function checkWatcher(): Promise<CheckResult[]> {
  try {
    await checkEvents();
    return [{ name: 'watcher', status: 'ok', detail: 'file events', fix: null }];
  } catch (error) {
    return [
      {
        name: 'watcher',
        status: 'warn',
        detail: `no file events (${(error as Error).message.split('\n')[0]}): changes are found by polling`,
        fix: REINSTALL,
      },
    ];
  }
}

/** Requests one vector: while a provider does not answer, every search uses keywords only. */
async function checkProvider({ provider }: EngineConfig): Promise<CheckResult[]> {
  if (!provider) return [];
  await provider.embed(['doctor'], 'query');
  return [
    {
      name: 'embedding provider',
      status: 'ok',
      detail: `${provider.id} answers, ${provider.dims} dimensions`,
      fix: null,
    },
  ];
}

/** Reports the configured model without calling it: a call may cost money. */
function checkLanguageModel({ languageModel }: EngineConfig): CheckResult[] {
  if (!languageModel) return [];
  return [{ name: 'language model', status: 'ok', detail: `${languageModel.id} is configured`, fix: null }];
}

async function checkGit(folder: string): Promise<CheckResult[]> {
  const version = await gitVersion(folder);
  if (version !== null) return [{ name: 'git', status: 'ok', detail: version, fix: null }];
  return [
    {
      name: 'git',
      status: 'warn',
      detail: 'not found: ignore files still apply, but refs and history are unavailable',
      fix: 'Install git and put it on the PATH.',
    },
  ];
}

function checkHome(home: string): CheckResult[] {
  const probe = join(home, `.probe-${randomBytes(4).toString('hex')}`);
  try {
    makeFolder(home);
    writeFileSync(probe, '');
    rmSync(probe);
    const { bavail, bsize } = statfsSync(home);
    if (bavail * bsize < MIN_FREE_BYTES)
      return [
        {
          name: 'data folder',
          status: 'warn',
          detail: `${home} is writable, with ${Math.floor((bavail * bsize) / 1024)} KB left on its disk`,
          fix: 'Free some space: without it, indexes cannot be updated.',
        },
      ];
    if (process.platform !== 'win32' && statSync(home).mode & 0o077)
      return [
        {
          name: 'data folder',
          status: 'warn',
          detail: `${home} can be read by other users of this machine; its indexes contain your code`,
          fix: `Run \`chmod 700 ${home}\`.`,
        },
      ];
    return [{ name: 'data folder', status: 'ok', detail: `${home} is writable`, fix: null }];
  } catch (error) {
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    const { message, fix } = full
      ? new EngineError('disk_full', {}, error)
      : new EngineError('store_unwritable', { path: home, reason: (error as Error).message }, error);
    return [{ name: 'data folder', status: 'fail', detail: message, fix }];
  }
}

/** Returns no result on systems without /proc, which do not report the limit. */
function checkOpenFiles(): CheckResult[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return [];
  }
  const limit = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
  const few = limit < MIN_OPEN_FILES;
  return [
    {
      name: 'open files',
      status: few ? 'warn' : 'ok',
      detail: Number.isFinite(limit) ? `at most ${limit} at a time` : 'no limit',
      fix: few ? 'Raise the limit (`ulimit -n 1024`): a server needs about 256.' : null,
    },
  ];
}
