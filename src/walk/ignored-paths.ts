/**
 * The paths that grep skips because an ignore file names them, from git or, without git, by the same rules. ripgrep by
 * itself reads ignore files through links and without a size limit, so it gets this list instead, in a file that only
 * this process can write.
 */
import { textInRepository } from '../model/runtime/repository-file.ts';
import { folderOf } from '../model/text/path-text.ts';
import { userRules } from './folder-listing.ts';
import { type ListingOptions, runWithinLimits } from './git/listing/slow-listing.ts';
import { runGit } from './git/process/git-process.ts';
import { createIgnoreRules, MAX_RULES_BYTES } from './rules/ignore-rules.ts';

export interface IgnoredPaths {
  /** The text of an ignore file for the root. It spares ripgrep most ignored files; isIgnored() decides. */
  readonly lines: string;
  isIgnored(path: string): boolean;
}

/** git needs this long for an ordinary repository of 100,000 files. */
const TIMEOUT_MS = 3_000;
const OWN_FILE = '.sextantignore';
const GIT_FILE = '.gitignore';

export async function findIgnored(root: string, inGit: boolean, signal?: AbortSignal): Promise<IgnoredPaths> {
  const own = textInRepository(root, OWN_FILE, MAX_RULES_BYTES) ?? '';
  const isOwnIgnored = rulesOf(root, OWN_FILE);
  const ignored = inGit ? await ignoredByGit(root, signal) : null;
  if (ignored) {
    const paths = new Set(ignored);
    const isIgnored = (path: string) => isOwnIgnored(path) || isListed(path, paths);
    return { lines: [own, ...ignored.map(asPattern)].join('\n'), isIgnored };
  }
  const rules = [userRules(), textInRepository(root, GIT_FILE, MAX_RULES_BYTES) ?? ''];
  const isGitIgnored = rulesOf(root, GIT_FILE, userRules());
  return {
    lines: [own, ...rules].join('\n'),
    isIgnored: (path) => isOwnIgnored(path) || isGitIgnored(path),
  };
}

/** The untracked files and folders that git ignores; folders end with a slash. Null if git fails. */
async function ignoredByGit(root: string, signal?: AbortSignal): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const ask = (options: ListingOptions) => runGit(root, args, { ...options, timeoutMs: TIMEOUT_MS });
  const { code, stdout } = await runWithinLimits(root, ask, signal);
  return code === 0 ? stdout.toString('utf8').split('\0').slice(0, -1) : null;
}

function isListed(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
    if (paths.has(path.slice(0, slash + 1))) return true;
  return false;
}

/** An ignore rule for one path. `?` and `*` replace characters that a line of text cannot hold. */
function asPattern(path: string): string {
  const text = path.replace(/[\\*?[\]{}!#, ]/g, '\\$&');
  return `/${text.replace(/[\0-\x1f\x7f]/g, '?').replace(/\ufffd+/g, '*')}`;
}

/** Applies the ignore files called `name` in all folders above a path, and reads each when a path first needs it. */
function rulesOf(root: string, name: string, first = ''): (path: string) => boolean {
  const rules = createIgnoreRules();
  const read = new Set<string>();
  const readAbove = (folder: string) => {
    if (read.has(folder)) return;
    if (folder !== '') readAbove(folderOf(folder));
    read.add(folder);
    const text = textInRepository(root, folder === '' ? name : `${folder}/${name}`, MAX_RULES_BYTES) ?? '';
    rules.add(folder, folder === '' ? `${first}\n${text}` : text);
  };
  return (path) => {
    readAbove(folderOf(path));
    return rules.match(path) !== null;
  };
}
