/**
 * Lists a folder without git: where git is missing or refuses to work, and where there is no repository. It applies the
 * same ignore rules, read from the same files. It visits each folder once, follows no link, and opens ignore files
 * only.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { GitState, SkippedFile } from '../model/records/source-file.ts';
import { textInRepository, textOfRegularFile } from '../model/runtime/repository-file.ts';
import { pathFrom } from '../model/text/is-within.ts';
import { readConfigValue } from './git/git-place.ts';
import { runGit } from './git/process/git-process.ts';
import { userGitFiles } from './git/process/git-settings.ts';
import { createIgnoreRules, type IgnoreRules, MAX_RULES_BYTES } from './rules/ignore-rules.ts';
import { findOutputFolder, TOOL_FOLDER_FILES } from './rules/output-folders.ts';
import type { PathFilter } from './rules/path-filter.ts';
import { createEventLoopYield } from './yield-to-event-loop.ts';

const VERSION_CONTROL = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', 'CVS', '_darcs', '.pijul', '.fslckout']);

export interface FolderListing {
  /** Everything but folders: files, links, pipes, devices. */
  readonly paths: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

export async function listWithoutGit(
  root: string,
  git: GitState | null,
  filter: PathFilter,
  ownRules: IgnoreRules,
  signal?: AbortSignal,
): Promise<FolderListing> {
  const yieldIfDue = createEventLoopYield(signal);
  const paths: string[] = [];
  const skipped: SkippedFile[] = [];
  const rules = createIgnoreRules();
  const base = addRulesAbove(rules, root, git);
  const pending: string[] = [''];
  while (pending.length > 0) {
    await yieldIfDue();
    const folder = pending.pop()!;
    const entries = readFolder(root, folder, skipped);
    const names = new Set(entries.map((entry) => entry.name));
    if (folder !== '' && TOOL_FOLDER_FILES.some((name) => names.has(name)) && !filter.isIncluded(folder)) {
      skipped.push({ path: `${folder}/`, reason: 'generated', detail: 'tool cache or build output' });
      continue;
    }
    // A repository inside a repository is a project of its own; inside a plain folder it is part of that project.
    if (folder !== '' && git !== null && names.has('.git')) {
      skipped.push({ path: `${folder}/`, reason: 'submodule', detail: 'another repository' });
      continue;
    }
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const entry of entries) {
      // Reading a pipe of that name would block, and git does not follow a link there either.
      if (!entry.isFile()) continue;
      if (entry.name === '.gitignore') rules.add(bare(base + prefix), rulesIn(root, prefix + entry.name));
      if (entry.name === '.sextantignore') ownRules.add(folder, rulesIn(root, prefix + entry.name));
    }
    for (const entry of entries) {
      const path = prefix + entry.name;
      if (VERSION_CONTROL.has(entry.name)) continue;
      if (!entry.isDirectory()) {
        if (rules.match(base + path) === null) paths.push(path);
        continue;
      }
      if (rules.match(`${base}${path}/`) !== null) continue;
      const unwanted = filter.judgeFolder(path);
      const output =
        unwanted || filter.isIncluded(path) ? null : findOutputFolder(entry.name, (name) => names.has(name));
      if (unwanted) skipped.push(unwanted);
      else if (output) skipped.push({ path: `${path}/`, reason: output.reason, detail: output.why });
      else pending.push(path);
    }
  }
  return { paths, skipped };
}

function readFolder(root: string, folder: string, skipped: SkippedFile[]): Dirent[] {
  const absolute = join(root, folder);
  let entries: Dirent[];
  try {
    entries = readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    if (folder === '') throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A folder that was deleted meanwhile needs no entry.
    if (code !== 'ENOENT')
      skipped.push({
        path: `${shorten(folder)}/`,
        reason: 'unreadable',
        detail:
          code === 'ENAMETOOLONG'
            ? 'path too long'
            : code === 'EACCES'
              ? 'no permission'
              : (code ?? 'cannot be listed'),
      });
    return [];
  }
  if (!entries.some((entry) => entry.name.includes('\ufffd'))) return entries;
  // U+FFFD may be part of a name, or stand for bytes that are not UTF-8; a file of the second kind has no path in text.
  const validNames = new Set(
    readdirSync(absolute, { encoding: 'buffer' })
      .filter((bytes) => Buffer.from(bytes.toString('utf8')).equals(bytes))
      .map((bytes) => bytes.toString('utf8')),
  );
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const entry of entries)
    if (!validNames.has(entry.name))
      skipped.push({ path: prefix + entry.name, reason: 'invalid_name', detail: 'name is not UTF-8' });
  return entries.filter((entry) => validNames.has(entry.name));
}

function bare(folder: string): string {
  return folder.endsWith('/') ? folder.slice(0, -1) : folder;
}

function shorten(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}

/**
 * Adds the rules from above the root: those of the user, of the repository, and of the folders between the work tree
 * and the root. Returns the root's path in the work tree ('' or 'a/b/').
 */
function addRulesAbove(rules: IgnoreRules, root: string, git: GitState | null): string {
  rules.add('', userRules());
  if (git?.workTree == null) return '';
  rules.add('', readText(join(git.commonDir, 'info', 'exclude')));
  const base = pathFrom(git.workTree, root);
  if (base === '') return '';
  const above = base.split('/');
  for (let depth = 0; depth < above.length; depth++)
    rules.add(
      above.slice(0, depth).join('/'),
      rulesIn(git.workTree, [...above.slice(0, depth), '.gitignore'].join('/')),
    );
  return `${base}/`;
}

/** The text of the user's ignore file; '' if there is none. */
export function userRules(): string {
  return readText(globalExcludes());
}

/** The path of the user's ignore file (`core.excludesFile`). The file need not exist. */
export async function userIgnoreFile(root: string): Promise<string> {
  const { code, stdout } = await runGit(root, ['config', '-z', '--type=path', '--get', 'core.excludesFile']);
  const named = code === 0 ? stdout.toString('utf8').replace(/\0$/, '') : '';
  return named === '' ? globalExcludes() : resolve(root, named);
}

/** `core.excludesFile` as the user's configuration files set it, read without git. */
function globalExcludes(): string {
  const { configs, excludes } = userGitFiles();
  for (const config of configs) {
    const named = readConfigValue(readText(config), /^[ \t]*excludesfile[ \t]*=(.*)$/im);
    if (named) return named.startsWith('~/') ? join(homedir(), named.slice(2)) : join(dirname(config), named);
  }
  return excludes;
}

function rulesIn(root: string, path: string): string {
  return textInRepository(root, path, MAX_RULES_BYTES) ?? '';
}

/** The text of a file of git or of the user, outside of the project; '' if it cannot be read. */
function readText(path: string): string {
  return textOfRegularFile(path, MAX_RULES_BYTES) ?? '';
}
