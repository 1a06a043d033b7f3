/** The doctor's checks of one project: ignore rules, file events, memory, and whether the index is sound and fresh. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { probeEvents } from '../../indexing/index.ts';
import { Notebook, removeDamaged } from '../../memory/index.ts';
import { toEngineError } from '../../model/records/engine-errors.ts';
import { isLost } from '../../model/records/source-file.ts';
import { damagedFiles } from '../../store/index.ts';
import type { TreeView } from '../../store/store.ts';
import { gitRestriction } from '../../walk/index.ts';
import type { CheckResult } from '../engine.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

/** The project to check. */
export interface DoctorProject {
  /** The path as the caller gave it. */
  readonly path: string;
  readonly open: () => Promise<OpenedProject>;
  readonly pending: (opened: OpenedProject) => Promise<readonly string[]>;
  /** Id of the model that embeds queries; null if it cannot be loaded, which another check reports. */
  readonly modelId: string | null;
  /** This program's extractor version; null if its model cannot be loaded. */
  readonly extractor: string | null;
}

/** Tolerated clock difference: a file server's clock may differ from this machine's by seconds. */
const MAX_CLOCK_SKEW_MS = 60_000;

async function checkUpToDate(project: DoctorProject, opened: OpenedProject, view: TreeView): Promise<CheckResult[]> {
  const lost = new Map(view.skipped().flatMap((skip) => (isLost(skip) ? [[skip.path, skip.detail]] : [])));
  // A readable file that was lost by the last run is pending. An unreadable folder is not: another run would not change
  // it, and `status --skipped` lists it.
  const pending = view.info.ref === 'live' ? await project.pending(opened) : [...lost.keys()];
  if (pending.length === 0) return [];
  const named = pending.map((path) => (lost.has(path) ? `${path} (${lost.get(path)})` : path));
  return [
    {
      name: 'up to date',
      status: 'warn',
      detail:
        `${pending.length} ` +
        `${pending.length === 1 ? 'file differs' : 'files differ'} from the index: ` +
        `${named.slice(0, 3).join(', ')}${named.length > 3 ? ' …' : ''}`,
      fix: 'Run `sextant index`.',
    },
  ];
}

/** Without vectors of the configured model, searches use keywords only. */
function checkVectors({ info }: TreeView, modelId: string | null): CheckResult[] {
  const missing = info.chunkCount - info.vectorCount;
  const detail =
    modelId !== null && info.modelId !== modelId
      ? `the index was made with ${info.modelId}, but ${modelId} is configured: searches use keywords only`
      : missing > 0
        ? `${missing} of ${info.chunkCount} chunks have no vectors yet and are found by keywords only`
        : null;
  return detail === null ? [] : [{ name: 'vectors', status: 'warn', detail, fix: 'Run `sextant index`.' }];
}

/** Warns about an index of another extractor version. checkVectors() reports an index of another model. */
function checkVersion({ info }: TreeView, { extractor, modelId }: DoctorProject): CheckResult[] {
  if (extractor === null || info.options.extractor === extractor || info.modelId !== modelId) return [];
  const detail = 'another version of Sextant made the index, so its results may differ from a new one’s';
  return [{ name: 'version', status: 'warn', detail, fix: 'Run `sextant index`, which reads all files again.' }];
}

function checkMemory(root: string, storeFolder: string): CheckResult[] {
  const notebook = new Notebook(join(storeFolder, 'memory'), join(root, '.sextant', 'memory'));
  const broken = notebook.broken();
  if (broken.length === 0) return [];
  return [
    {
      name: 'memory',
      status: 'warn',
      detail: `${broken.length} ${broken.length === 1 ? 'file is' : 'files are'} not shown: ${broken
        .slice(0, 3)
        .map(({ file, reason }) => `${file} (${reason})`)
        .join(', ')}${broken.length > 3 ? ' …' : ''}`,
      fix: 'Correct the file (id, type, date, a blank line, the text; no secret) or delete it. Other files are read.',
    },
  ];
}

/** Deletes damaged cache files of mined discoveries; the next question derives them again. */
function removeDamagedMined(storeFolder: string): CheckResult[] {
  const damaged = removeDamaged(join(storeFolder, 'mined'));
  if (damaged.length === 0) return [];
  return [
    {
      name: 'mined notes',
      status: 'warn',
      detail:
        `${damaged.length} damaged ${damaged.length === 1 ? 'file was' : 'files were'} deleted: ` +
        `${damaged.map((file) => basename(file)).join(', ')}`,
      fix: 'Nothing to do: the next question mines the repository again.',
    },
  ];
}

export async function checkProject(project: DoctorProject): Promise<CheckResult[]> {
  const opened = await project.open();
  const { root, git, storeFolder } = opened.resolved;
  const rules = ['.gitignore', '.sextantignore'].filter((name) => existsSync(join(root, name)));
  const atRoot = rules.length > 0 ? `; ${rules.join(', ')} at the root` : '';
  const results: CheckResult[] = [
    {
      name: 'ignore rules',
      status: 'ok',
      detail: `${git ? 'git decides' : 'no git: ignore files are read directly'}${atRoot}`,
      fix: null,
    },
  ];
  const restriction = gitRestriction(root);
  if (restriction) results.push({ name: 'repository', status: 'warn', ...restriction });
  results.push(...(await checkEvents(root)));
  results.push(...checkMemory(root, storeFolder), ...removeDamagedMined(storeFolder));
  try {
    const view = opened.view();
    const faults = opened.reader.check(true);
    const aheadMs = view.info.publishedAtMs - Date.now();
    if (aheadMs > MAX_CLOCK_SKEW_MS)
      results.push({
        name: 'clock',
        status: 'warn',
        detail: `the index was written ${Math.round(aheadMs / 60_000)} minutes in the future: the clock was set back`,
        fix: 'Nothing to do: indexing does not depend on the clock. Ages that are shown are wrong until that time.',
      });
    if (faults.length === 0)
      results.push(
        ...(await checkUpToDate(project, opened, view)),
        ...checkVersion(view, project),
        ...checkVectors(view, project.modelId),
      );
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
  const aside = damagedFiles(storeFolder);
  if (aside.length > 0)
    results.push({
      name: 'set aside',
      status: 'warn',
      detail: `${aside.join(', ')} in ${storeFolder}: damaged index files, already replaced`,
      fix: 'Delete them if you do not need them for a bug report.',
    });
  return results;
}

/** Warns if the system delivers no file events for this folder. */
async function checkEvents(root: string): Promise<CheckResult[]> {
  try {
    await probeEvents(root);
    return [];
  } catch (error) {
    return [
      {
        name: 'file events',
        status: 'warn',
        detail:
          `none for ${root} (${(error as Error).message.split('\n')[0]}): a server polls for changes every two ` +
          'seconds',
        fix: 'On Linux, raise the limits with `sysctl`: fs.inotify.max_user_watches, fs.inotify.max_user_instances.',
      },
    ];
  }
}
