/**
 * Finds the names that a repository's configuration chooses itself, and by which alone they can be switched off: those
 * of filters, which `git ls-files -m` would run, and the paths of attributes and ignore files. The text of the
 * configuration file shows without a process that a repository sets none of them.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { textOfRegularFile } from '../../../model/runtime/repository-file.ts';
import { exists, type GitPlace } from '../git-place.ts';
import { userGitFiles } from './git-settings.ts';

export interface ConfiguredNames {
  readonly filters: readonly string[];
  /** The user's own attributes file, if the repository may name another; null if git reads the right one by itself. */
  readonly attributesFile: string | null;
  /** The user's own ignore file, in the same way. */
  readonly excludesFile: string | null;
}

/** Git LFS is usually set up in the configuration of the user or the system, so its filter is always switched off. */
export const DEFAULT_NAMES: ConfiguredNames = { filters: ['lfs'], attributesFile: null, excludesFile: null };

/** What a configuration file must contain to set a filter or one of the two paths, itself or in an included file. */
const MAY_SET_NAMES = /\[\s*(?:filter|include)|attributesfile|excludesfile/i;
const INCLUDES = /\[\s*include/i;
const USER_FILTER = /^[ \t]*\[[ \t]*filter[ \t]+"([^"\\=\n]+)"[ \t]*\]/gim;
const MAX_BYTES = 1 << 20;
// --list, not --get-regexp: a pattern would not match a name that is not UTF-8.
const LIST_SETTINGS = ['config', '-z', '--show-scope', '--list'];
const MAX_CACHED_ANSWERS = 20;

/** Answers by the git folder and the text of its configuration. */
const answers = new Map<string, ConfiguredNames | null>();

/** Files that git opens when it starts: a pipe in the place of one would block it. */
const OPENED_FILES = [
  ...['commondir', 'index', 'packed-refs', 'shallow', 'info/exclude', 'info/attributes', 'info/grafts'],
  ...['info/sparse-checkout', 'objects/info/alternates', 'objects/info/commit-graph'],
];

interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly timedOut?: boolean;
}

/**
 * Null if git must not be started: the configuration or another of git's files is not a regular file, git cannot read
 * the configuration, or a name cannot be passed to git.
 */
export async function readConfiguredNames(
  place: GitPlace,
  ask: (args: readonly string[]) => Promise<GitAnswer>,
): Promise<ConfiguredNames | null> {
  const files = [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree')];
  const texts = files.map((file) => (exists(file) ? textOfRegularFile(file, MAX_BYTES) : ''));
  if (texts.includes(null) || OPENED_FILES.some((name) => isSpecial(place, name))) return null;
  const own = texts.join('\n');
  const filters = [...DEFAULT_NAMES.filters, ...userFilters()];
  if (!MAY_SET_NAMES.test(own)) return { filters, attributesFile: null, excludesFile: null };
  const key = `${place.gitDir}\n${own}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const { code, stdout, timedOut } = await ask(LIST_SETTINGS);
  // Exit code 1: git read the files, and nothing is set.
  const names = code === 0 || code === 1 ? parseAnswer(stdout.toString('utf8'), filters) : null;
  // With an include, the answer may change while the configuration does not, so it is not cached. A timeout is: an
  // included pipe would otherwise take the whole time limit on every call.
  if (!INCLUDES.test(own) || timedOut) cacheAnswer(key, names);
  return names;
}

function cacheAnswer(key: string, names: ConfiguredNames | null): void {
  if (answers.size >= MAX_CACHED_ANSWERS) answers.clear();
  answers.set(key, names);
}

function isSpecial({ gitDir, commonDir }: GitPlace, name: string): boolean {
  return [...new Set([gitDir, commonDir])].some((folder) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile();
  });
}

/**
 * Reads pairs of fields: a scope, and a name with its value after a newline. Null if `-c NAME=VALUE` cannot pass a
 * filter's name: `-c` ends the name at the first `=`, and an argument cannot hold bytes that are not UTF-8.
 */
function parseAnswer(text: string, known: readonly string[]): ConfiguredNames | null {
  const filters = new Set(known);
  const named = new Map<string, string>();
  const fields = text.split('\0');
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [scope, record] = [fields[i]!, fields[i + 1]!];
    const name = record.split('\n', 1)[0]!;
    // A filter's name may be empty: the attribute `filter=` selects it.
    const filter = /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    else if (scope !== 'local' && scope !== 'worktree') named.set(name, record.slice(name.length + 1));
  }
  if ([...filters].some((name) => /[=\ufffd]/.test(name))) return null;
  const user = userGitFiles();
  return {
    filters: [...filters],
    attributesFile: named.get('core.attributesfile') ?? user.attributes,
    excludesFile: named.get('core.excludesfile') ?? user.excludes,
  };
}

/**
 * The filters that the user's own configuration files name. Filters in files that those include are missing here: they
 * are programs of the user, not of the repository.
 */
function userFilters(): string[] {
  const text = userGitFiles()
    .configs.map((file) => textOfRegularFile(file, MAX_BYTES) ?? '')
    .join('\n');
  return [...text.matchAll(USER_FILTER)].map((match) => match[1]!);
}
