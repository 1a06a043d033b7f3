/**
 * The listing where git is missing, refuses, or there is no repository: the same ignore rules, read from the same
 * files. Folders are visited once each, links never followed, nothing opened but ignore files.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { GitState, SkippedFile } from '../model/records/source-file.ts';
import { textInRepository, textOfRegularFile } from '../model/runtime/repository-file.ts';
import { pathFrom } from '../model/text/is-within.ts';
import { configured } from './git/git-place.ts';
import { runGit } from './git/git-process.ts';
import { userGitFiles } from './git/git-settings.ts';
import { createIgnoreRules, type IgnoreRules, MAX_RULES_BYTES } from './rules/ignore-rules.ts';
import { findOutputFolder, OUTPUT_MARKS } from './rules/output-folders.ts';
import type { PathFilter } from './rules/path-filter.ts';
import { createPause } from './yield-to-event-loop.ts';

const VERSION_CONTROL = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', 'CVS', '_darcs', '.pijul', '.fslckout']);

export interface FolderListing {
  /** Everything that is no folder: files, links, and what cannot be read as a file. */
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
  const pause = createPause(signal);
  const paths: string[] = [];
  const skipped: SkippedFile[] = [];
  const rules = createIgnoreRules();
  const base = addRulesAbove(rules, root, git);
  const pending: string[] = [''];
  while (pending.length > 0) {
    await pause();
    const folder = pending.pop()!;
    const entries = readFolder(root, folder, skipped);
    const names = new Set(entries.map((entry) => entry.name));
    if (folder !== '' && OUTPUT_MARKS.some((mark) => names.has(mark)) && !filter.isKept(folder)) {
      skipped.push({ path: `${folder}/`, reason: 'generated', detail: 'tool cache or build output' });
      continue;
    }
    // A repository in a repository is its own project; in a folder that is none, it is a part of the whole.
    if (folder !== '' && git !== null && names.has('.git')) {
      skipped.push({ path: `${folder}/`, reason: 'submodule', detail: 'another repository' });
      continue;
    }
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const entry of entries) {
      // Only plain files: a pipe of that name would keep us waiting, and git follows no link there either.
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
      const output = unwanted || filter.isKept(path) ? null : findOutputFolder(entry.name, (name) => names.has(name));
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
    // A folder that went away meanwhile is no news.
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
  // A replacement character: either the name has one, or its bytes are not UTF-8 and the file cannot be named in text.
  const sound = new Set(
    readdirSync(absolute, { encoding: 'buffer' })
      .filter((bytes) => Buffer.from(bytes.toString('utf8')).equals(bytes))
      .map((bytes) => bytes.toString('utf8')),
  );
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const entry of entries)
    if (!sound.has(entry.name))
      skipped.push({ path: prefix + entry.name, reason: 'invalid_name', detail: 'name is not UTF-8' });
  return entries.filter((entry) => sound.has(entry.name));
}

function bare(folder: string): string {
  return folder.endsWith('/') ? folder.slice(0, -1) : folder;
}

function shorten(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}

/**
 * Rules from above the root: the user's, the repository's, those of the folders in between. Returns the root's place in
 * the work tree ('' or 'a/b/').
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

/** Text of the user's ignore file, '' where there is none. */
export function userRules(): string {
  return readText(globalExcludes());
}

/** The ignore file of the user, which counts in every folder of theirs; it need not be there. */
export async function userIgnoreFile(root: string): Promise<string> {
  const { code, stdout } = await runGit(root, ['config', '-z', '--type=path', '--get', 'core.excludesFile']);
  const named = code === 0 ? stdout.toString('utf8').replace(/\0$/, '') : '';
  return named === '' ? globalExcludes() : resolve(root, named);
}

/** git's `core.excludesFile`, as far as it is known without git. */
function globalExcludes(): string {
  const { configs, excludes } = userGitFiles();
  for (const config of configs) {
    const named = configured(readText(config), /^[ \t]*excludesfile[ \t]*=(.*)$/im);
    if (named) return named.startsWith('~/') ? join(homedir(), named.slice(2)) : join(dirname(config), named);
  }
  return excludes;
}

function rulesIn(root: string, path: string): string {
  return textInRepository(root, path, MAX_RULES_BYTES) ?? '';
}

/** Of git or of the user. */
function readText(path: string): string {
  return textOfRegularFile(path, MAX_RULES_BYTES) ?? '';
}
