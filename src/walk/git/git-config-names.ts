/**
 * What git's configuration calls by names of its own choice, and so can be switched off only by that name: filters,
 * which `git ls-files -m` would run, and a file of attributes. The configuration file alone shows that a repository
 * sets up neither, without a process.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { textOfRegularFile } from '../../model/runtime/repository-file.ts';
import { exists, type GitPlace } from './git-place.ts';
import { userGitFiles } from './git-settings.ts';

export interface RepositoryNames {
  readonly filters: readonly string[];
  /**
   * The user's own file of attributes, where the repository names another; null where git reads the right one by
   * itself.
   */
  readonly attributesFile: string | null;
  /** The user's own ignore file. */
  readonly excludesFile: string | null;
}

/**
 * Installed in the configuration of the system or the user by most who have it, so it is switched off without asking
 * for its name.
 */
export const USUAL_NAMES: RepositoryNames = { filters: ['lfs'], attributesFile: null, excludesFile: null };

const ASKS_FOR_MORE = /\[\s*(?:filter|include)|attributesfile|excludesfile/i;
const INCLUDES = /\[\s*include/i;
const USER_FILTER = /^[ \t]*\[[ \t]*filter[ \t]+"([^"\\=\n]+)"[ \t]*\]/gim;
const MAX_BYTES = 1 << 20;
// All of it: a pattern of git's would not match a name that is not UTF-8.
const QUESTION = ['config', '-z', '--show-scope', '--list'];
const KEPT_ANSWERS = 20;

/** By the text of the configuration: an answer holds for that text and no other. */
const answers = new Map<string, RepositoryNames | null>();

/** Files that git opens when it starts: a pipe among them would block it. */
const OPENED = [
  ...['commondir', 'index', 'packed-refs', 'shallow', 'info/exclude', 'info/attributes', 'info/grafts'],
  ...['info/sparse-checkout', 'objects/info/alternates', 'objects/info/commit-graph'],
];

interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly timedOut?: boolean;
}

/**
 * Null where git must not be started: its configuration or another file of its own is no ordinary file, git does not
 * tell what it says, or a name cannot be given to it.
 */
export async function readNames(
  place: GitPlace,
  ask: (args: readonly string[]) => Promise<GitAnswer>,
): Promise<RepositoryNames | null> {
  const files = [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree')];
  const texts = files.map((file) => (exists(file) ? textOfRegularFile(file, MAX_BYTES) : ''));
  if (texts.includes(null) || OPENED.some((name) => isOdd(place, name))) return null;
  const own = texts.join('\n');
  const filters = [...USUAL_NAMES.filters, ...userFilters()];
  if (!ASKS_FOR_MORE.test(own)) return { filters, attributesFile: null, excludesFile: null };
  const key = `${place.gitDir}\n${own}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const { code, stdout, timedOut } = await ask(QUESTION);
  // 1: nothing of it is set, as far as git reads the file.
  const names = code === 0 || code === 1 ? parseAnswer(stdout.toString('utf8'), filters) : null;
  // An included file may change while the configuration stays as it is. No output is cached all the same: an included
  // pipe would cost the whole time limit at each question.
  if (!INCLUDES.test(own) || timedOut) keepAnswer(key, names);
  return names;
}

function keepAnswer(key: string, names: RepositoryNames | null): void {
  if (answers.size >= KEPT_ANSWERS) answers.clear();
  answers.set(key, names);
}

function isOdd({ gitDir, commonDir }: GitPlace, name: string): boolean {
  return [...new Set([gitDir, commonDir])].some((folder) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile();
  });
}

/**
 * Records of two: a scope, and a name with its value behind a line's end. Null where a filter has a name that `-c`
 * cannot give: one with `=`, before which `-c` ends the name, or one that is not UTF-8, which no argument of ours is.
 */
function parseAnswer(text: string, known: readonly string[]): RepositoryNames | null {
  const filters = new Set(known);
  const named = new Map<string, string>();
  const fields = text.split('\0');
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [scope, record] = [fields[i]!, fields[i + 1]!];
    const name = record.split('\n', 1)[0]!;
    // The empty name is one, too: `* filter=` calls it.
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
 * Of the user's own configuration, as far as the file itself names them: these are the user's programs, not the
 * repository's.
 */
function userFilters(): string[] {
  const text = userGitFiles()
    .configs.map((file) => textOfRegularFile(file, MAX_BYTES) ?? '')
    .join('\n');
  return [...text.matchAll(USER_FILTER)].map((match) => match[1]!);
}
