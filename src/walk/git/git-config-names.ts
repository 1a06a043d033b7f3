/**
 * What git's configuration calls by names of its own choice, and so can be switched off only by that name: filters,
 * which `git ls-files -m` would run, and a file of attributes. A repository that sets up neither is told by a look at
 * its configuration file, without a process.
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
}

/**
 * Installed in the configuration of the system or the user by most who have it, so it is switched off without asking
 * for its name.
 */
export const USUAL_NAMES: RepositoryNames = { filters: ['lfs'], attributesFile: null };

const ASKS_FOR_MORE = /\[\s*(?:filter|include)|attributesfile/i;
const INCLUDES = /\[\s*include/i;
const USER_FILTER = /^[ \t]*\[[ \t]*filter[ \t]+"([^"\\=\n]+)"[ \t]*\]/gim;
const MAX_BYTES = 1 << 20;
const QUESTION = ['config', '-z', '--show-scope', '--get-regexp', '^(filter\\..*|core\\.attributesfile)$'];
const KEPT_ANSWERS = 20;

/** By the text of the configuration: an answer holds for that text and no other. */
const answers = new Map<string, RepositoryNames>();

/** What git opens when it starts: a pipe among them would keep it waiting. */
const OPENED = 'commondir index packed-refs shallow info/exclude info/attributes info/sparse-checkout'.split(' ');

/**
 * Null where git must not be started: its configuration or another file of its own is no ordinary file, git does not
 * tell what it says, or a name cannot be given to it.
 */
export async function readNames(
  place: GitPlace,
  ask: (args: readonly string[]) => Promise<{ readonly code: number; readonly stdout: Buffer }>,
): Promise<RepositoryNames | null> {
  const files = [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree')];
  const texts = files.map((file) => (exists(file) ? textOfRegularFile(file, MAX_BYTES) : ''));
  if (texts.includes(null) || OPENED.some((name) => isOdd(place, name))) return null;
  const own = texts.join('\n');
  const filters = [...USUAL_NAMES.filters, ...userFilters()];
  if (!ASKS_FOR_MORE.test(own)) return { filters, attributesFile: null };
  // What is included may change while the configuration stays as it is.
  const key = INCLUDES.test(own) ? null : `${place.gitDir}\n${own}`;
  const known = key === null ? undefined : answers.get(key);
  if (known) return known;
  const { code, stdout } = await ask(QUESTION);
  // 1: nothing of it is set, as far as git reads the file.
  if (code !== 0 && code !== 1) return null;
  const names = parseAnswer(stdout.toString('utf8'), filters);
  // `-c` takes what stands before the first one for the whole name.
  if (names.filters.some((name) => name.includes('='))) return null;
  if (key !== null) {
    if (answers.size >= KEPT_ANSWERS) answers.clear();
    answers.set(key, names);
  }
  return names;
}

function isOdd({ gitDir, commonDir }: GitPlace, name: string): boolean {
  return [...new Set([gitDir, commonDir])].some((folder) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile();
  });
}

/** Records of two: a scope, and a name with its value behind a line's end. */
function parseAnswer(text: string, known: readonly string[]): RepositoryNames {
  const filters = new Set(known);
  let attributesFile: string | null = null;
  const fields = text.split('\0');
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [scope, record] = [fields[i]!, fields[i + 1]!];
    const name = record.split('\n', 1)[0]!;
    const filter = /^filter\.(.+)\.[^.]*$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    else if (name === 'core.attributesfile' && scope !== 'local' && scope !== 'worktree')
      attributesFile = record.slice(name.length + 1);
  }
  return { filters: [...filters], attributesFile: attributesFile ?? userGitFiles().attributes };
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
