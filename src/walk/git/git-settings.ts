/**
 * What git is started with, so that it executes nothing that a repository names and reads nothing outside of it.
 * docs/reliability.md lists every setting of git that can execute, with its answer; a setting that can be switched off
 * by its own name is switched off here.
 */
import { devNull, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomId } from '../../model/runtime/random-id.ts';
import type { RepositoryNames } from './git-config-names.ts';
import type { GitPlace } from './git-place.ts';

/** Options of git itself, before the command. Settings given so win over those of every file. */
const SETTINGS: Readonly<Record<string, string>> = {
  // Older gits take any word for a program.
  'core.fsmonitor': '',
  'core.hooksPath': devNull,
  'core.askPass': '',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'credential.helper': '',
  'protocol.allow': 'never',
  'fetch.bundleURI': '',
  'log.showSignature': 'false',
  'log.follow': 'false',
  // Files that the repository may name: a device or a pipe would keep git busy for ever.
  'mailmap.file': '',
  'mailmap.blob': '',
  'diff.orderFile': devNull,
  // Would read every ref, look into submodules, or write records that ours are not separated from.
  'log.decorate': 'false',
  'diff.submodule': 'short',
  'diff.ignoreSubmodules': 'all',
  'i18n.logOutputEncoding': 'UTF-8',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // Of Microsoft's git: programs that list files and bring objects.
  'core.virtualFilesystem': '',
  'core.virtualizeObjects': 'false',
  'core.useGvfsHelper': 'false',
  'core.gvfs': 'false',
};

/**
 * Variables of the caller that git still sees. All others named GIT_… would point it elsewhere, make it execute or
 * write something.
 */
const KEPT_VARIABLES: ReadonlySet<string> = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  // Makes git refuse more: for tests.
  'GIT_TEST_ASSUME_DIFFERENT_OWNER',
]);

const VARIABLES: Readonly<Record<string, string>> = {
  // No protocol, so no transport, no remote helper, no ssh; older gits know only this one. A name that no repository
  // can guess: the empty one, and any other, could be that of a helper, and an alias can stand for a helper.
  GIT_ALLOW_PROTOCOL: `none-${randomId(8)}`,
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // A content goes by the id of its own bytes, not by that of one it stands in for.
  GIT_NO_REPLACE_OBJECTS: '1',
  // git would write a log into a pipe commit by commit: a history of ten thousand cost us and git a fifth of a second
  // each for that alone.
  GIT_FLUSH: '0',
};

/** Arguments before git's command. `names`: what only the configuration can tell. */
export function safeArguments(place: GitPlace | null, names: RepositoryNames): string[] {
  const settings: [string, string][] = [
    ...Object.entries(SETTINGS),
    ['safe.bareRepository', place?.workTree === null ? 'all' : 'explicit'],
  ];
  for (const name of names.filters)
    settings.push(
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    );
  if (names.attributesFile !== null) settings.push(['core.attributesFile', names.attributesFile]);
  if (names.excludesFile !== null) settings.push(['core.excludesFile', names.excludesFile]);
  return ['--no-pager', ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * The environment of a git for the place that was found, so that it looks for no other; without one it has no
 * repository at all.
 */
export function safeEnvironment(folder: string, place: GitPlace | null): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name) || KEPT_VARIABLES.has(name));
  return { ...Object.fromEntries(kept), ...VARIABLES, ...placeVariables(folder, place) };
}

function placeVariables(folder: string, place: GitPlace | null): Record<string, string> {
  if (place === null) return { GIT_DIR: devNull };
  const { gitDir, workTree, hasEmbedded } = place;
  // Only a bare repository that was named by itself, not one that happens to lie above.
  if (workTree === null) return gitDir === folder ? { GIT_CEILING_DIRECTORIES: dirname(gitDir) } : { GIT_DIR: devNull };
  const named = { GIT_WORK_TREE: workTree, GIT_CEILING_DIRECTORIES: dirname(workTree) };
  // Otherwise git finds it by itself, and checks who owns it.
  return hasEmbedded ? { ...named, GIT_DIR: gitDir } : named;
}

/** Folders that the user's programs are in. */
export function searchPath(): string | undefined {
  return process.env.PATH;
}

interface UserGitFiles {
  readonly configs: readonly string[];
  readonly attributes: string;
  readonly excludes: string;
}

/** The user's own files of git, by the names that git gives them; the configuration may be one file or two. */
export function userGitFiles(): UserGitFiles {
  const { GIT_CONFIG_GLOBAL: named, XDG_CONFIG_HOME: xdg } = process.env;
  const folder = join(xdg || join(homedir(), '.config'), 'git');
  const configs = named ? [named] : [join(homedir(), '.gitconfig'), join(folder, 'config')];
  return { configs, attributes: join(folder, 'attributes'), excludes: join(folder, 'ignore') };
}
