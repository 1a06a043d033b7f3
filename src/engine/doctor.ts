/** Is everything there that Sextant needs? One line per part, each with its fix. Checks by using the part, not by looking for its files. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadStaticModel } from '../embed/index.ts';
import { loadWatcher } from '../indexing/index.ts';
import { createParser, LANGUAGES } from '../languages/index.ts';
import { EngineError, toEngineError } from '../model/errors.ts';
import { ripgrepPath } from '../search/grep.ts';
import { checkSqlite } from '../store/index.ts';
import type { EngineConfig } from './config.ts';
import type { CheckResult } from './engine.ts';
import type { OpenedProject } from './opened-project.ts';

type Check = () => Promise<CheckResult[]> | CheckResult[];
const run = promisify(execFile);
const REINSTALL = 'Run `npm ci` (or reinstall the package) on this machine: its platform package is missing.';

export async function runDoctor(
  config: EngineConfig,
  open: (() => Promise<OpenedProject>) | null,
): Promise<CheckResult[]> {
  const checks: [string, Check][] = [
    ['node', checkNode],
    ['sqlite', () => [{ name: 'sqlite', status: 'ok', detail: checkSqlite(), fix: null }]],
    ['grammars', () => checkGrammars(config)],
    ['ripgrep', checkRipgrep],
    ['watcher', checkWatcher],
    ['model', () => checkModel(config)],
    ['git', checkGit],
    ['data folder', () => checkHome(config.home)],
  ];
  if (open) checks.push(['project', () => checkProject(open)]);
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
  const major = Number(process.versions.node.split('.')[0]);
  const detail = `${process.version} on ${process.platform}-${process.arch}`;
  return [
    {
      name: 'node',
      status: major >= 20 ? 'ok' : 'fail',
      detail,
      fix: major >= 20 ? null : 'Install Node 20 or newer.',
    },
  ];
}

async function checkGrammars(config: EngineConfig): Promise<CheckResult[]> {
  const parser = createParser({ grammarFolder: config.grammarFolder, queryFolder: config.queryFolder });
  const broken: CheckResult[] = [];
  let sound = 0;
  for (const language of LANGUAGES) {
    try {
      await parser.load(language);
      parser.parse({ language, text: '' });
      sound++;
    } catch (error) {
      broken.push({
        name: `grammar ${language.id}`,
        status: 'fail',
        detail: (error as Error).message,
        fix: 'Rebuild with `npm run build`, or reinstall the package.',
      });
    }
  }
  parser.close();
  return [
    {
      name: 'grammars',
      status: broken.length > 0 ? 'warn' : 'ok',
      detail: `${sound} of ${LANGUAGES.length} languages load`,
      fix: broken.length > 0 ? 'See the lines below.' : null,
    },
    ...broken,
  ];
}

async function checkRipgrep(): Promise<CheckResult[]> {
  try {
    const { stdout } = await run(ripgrepPath(), ['--version']);
    return [{ name: 'ripgrep', status: 'ok', detail: stdout.split('\n')[0]!, fix: null }];
  } catch (error) {
    return [{ name: 'ripgrep', status: 'fail', detail: (error as Error).message, fix: REINSTALL }];
  }
}

async function checkWatcher(): Promise<CheckResult[]> {
  try {
    await loadWatcher();
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

function checkModel(config: EngineConfig): CheckResult[] {
  const model = loadStaticModel(config.modelFolder);
  const vector = new Float32Array(model.dims);
  model.embedTerms(['pars', 'file'], null, 'query', vector);
  const works = vector.some((value) => value !== 0);
  return [
    {
      name: 'model',
      status: works ? 'ok' : 'fail',
      detail: `${model.id}, ${model.dims} dimensions`,
      fix: works ? null : 'Reinstall the package: its model is damaged.',
    },
  ];
}

async function checkGit(): Promise<CheckResult[]> {
  try {
    const { stdout } = await run('git', ['--version']);
    return [{ name: 'git', status: 'ok', detail: stdout.trim(), fix: null }];
  } catch {
    return [
      {
        name: 'git',
        status: 'warn',
        detail: 'not found: ignore rules still hold, refs and history are unavailable',
        fix: 'Install git and put it on the PATH.',
      },
    ];
  }
}

function checkHome(home: string): CheckResult[] {
  const probe = join(home, `.probe-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
    return [{ name: 'data folder', status: 'ok', detail: `${home} is writable`, fix: null }];
  } catch (error) {
    const { message, fix } = new EngineError('store_unwritable', { path: home, reason: (error as Error).message });
    return [{ name: 'data folder', status: 'fail', detail: message, fix }];
  }
}

async function checkProject(open: () => Promise<OpenedProject>): Promise<CheckResult[]> {
  const opened = await open();
  const { root, git } = opened.resolved;
  const rules = ['.gitignore', '.sextantignore'].filter((name) => existsSync(join(root, name)));
  const results: CheckResult[] = [
    {
      name: 'ignore rules',
      status: 'ok',
      detail: `${git ? 'git decides' : 'no git: ignore files are read directly'}${rules.length > 0 ? `; ${rules.join(', ')} at the root` : ''}`,
      fix: null,
    },
  ];
  try {
    const view = opened.view();
    const faults = opened.reader.check(true);
    results.push(
      faults.length === 0
        ? {
            name: 'index',
            status: 'ok',
            detail: `${view.info.fileCount} files, ${view.info.chunkCount} chunks, ${view.info.symbolCount} symbols`,
            fix: null,
          }
        : {
            name: 'index',
            status: 'fail',
            detail: faults.slice(0, 3).join('; '),
            fix: 'Run `sextant index --force`; the damaged file is set aside, not deleted.',
          },
    );
  } catch (thrown) {
    const error = toEngineError(thrown);
    results.push({
      name: 'index',
      status: error.code === 'not_indexed' ? 'warn' : 'fail',
      detail: error.message,
      fix: error.fix,
    });
  }
  return results;
}
