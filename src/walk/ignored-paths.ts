/**
 * Paths that a search through the files leaves out, from git itself or, without git, by the same rules. ripgrep would
 * read the ignore files on its own, through links and without a limit; it gets this list in a file that only this
 * process can write.
 */
import { textInRepository } from '../model/runtime/repository-file.ts';
import { folderOf } from '../model/text/path-text.ts';
import { userRules } from './folder-listing.ts';
import { runGit } from './git/git-process.ts';
import { type ListingOptions, withinReason } from './git/listing/slow-listing.ts';
import { createIgnoreRules, MAX_RULES_BYTES } from './rules/ignore-rules.ts';

export interface IgnoredPaths {
  /** An ignore file for the root. It spares the search most files; isIgnored() decides. */
  readonly lines: string;
  isIgnored(path: string): boolean;
}

/** git takes as long for an ordinary repository of 100,000 files. */
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

/** Untracked files and folders that git's rules name; folders end with a slash. Null where git has no answer. */
async function ignoredByGit(root: string, signal?: AbortSignal): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const ask = (options: ListingOptions) => runGit(root, args, { ...options, timeoutMs: TIMEOUT_MS });
  const { code, stdout } = await withinReason(root, ask, signal);
  return code === 0 ? stdout.toString('utf8').split('\0').slice(0, -1) : null;
}

function isListed(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
    if (paths.has(path.slice(0, slash + 1))) return true;
  return false;
}

/** A rule for that path alone. A character that cannot stand in a line of text is matched by any character. */
function asPattern(path: string): string {
  const text = path.replace(/[\\*?[\]{}!#, ]/g, '\\$&');
  return `/${text.replace(/[\0-\x1f\x7f]/g, '?').replace(/\ufffd+/g, '*')}`;
}

/** By the files of that name in the folders above a path, each read when it is first needed. */
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
