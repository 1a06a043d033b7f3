/**
 * The arguments and the environment of every git process, so that git executes no program that a repository names and
 * reads nothing outside of it. docs/reliability.md lists every setting of git that can execute a program and how it is
 * defused; those that can be overridden by name are overridden here.
 */
import { devNull, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomId } from '../../../model/runtime/random-id.ts';
import type { GitPlace } from '../git-place.ts';
import type { ConfiguredNames } from './git-config-names.ts';

/** Passed as `-c NAME=VALUE` before the command, which overrides every configuration file. */
const SETTINGS: Readonly<Record<string, string>> = {
  // Older versions of git take any value, "false" included, for a program.
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
  // Files that the repository may name: reading a device or a pipe would never end.
  'mailmap.file': '',
  'mailmap.blob': '',
  'diff.orderFile': devNull,
  // Would make git read every ref or look into submodules, or change the format of its output.
  'log.decorate': 'false',
  'diff.submodule': 'short',
  'diff.ignoreSubmodules': 'all',
  'i18n.logOutputEncoding': 'UTF-8',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // Microsoft's git: programs that list files and fetch objects.
  'core.virtualFilesystem': '',
  'core.virtualizeObjects': 'false',
  'core.useGvfsHelper': 'false',
  'core.gvfs': 'false',
};

/**
 * The GIT_… variables of the caller that are passed on. Others could point git to another repository, or make it
 * execute or write something.
 */
const PASSED_VARIABLES: ReadonlySet<string> = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  // Makes git refuse more; used by tests.
  'GIT_TEST_ASSUME_DIFFERENT_OWNER',
]);

const VARIABLES: Readonly<Record<string, string>> = {
  // Allows no protocol that exists: no transport, no remote helper, no ssh. Older versions of git know only this
  // variable, not `protocol.allow`. The name is random, because a repository could define a helper for a known one,
  // even for the empty name.
  GIT_ALLOW_PROTOCOL: `none-${randomId(8)}`,
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // A blob id has to be that of the blob's own bytes, not of a replacement (`git replace`).
  GIT_NO_REPLACE_OBJECTS: '1',
  // By default, git flushes a log into a pipe after each commit: for 10,000 commits that took 0.2 s of CPU in git and
  // 0.2 s here.
  GIT_FLUSH: '0',
};

/** The arguments before git's command. `names` are those that only the configuration knows. */
export function safeArguments(place: GitPlace | null, names: ConfiguredNames): string[] {
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

/** An environment in which git uses the repository of `place` and searches for no other; none, if `place` is null. */
export function safeEnvironment(folder: string, place: GitPlace | null): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name) || PASSED_VARIABLES.has(name));
  return { ...Object.fromEntries(passed), ...VARIABLES, ...placeVariables(folder, place) };
}

function placeVariables(folder: string, place: GitPlace | null): Record<string, string> {
  if (place === null) return { GIT_DIR: devNull };
  const { gitDir, workTree, hasEmbedded } = place;
  // A bare repository is used if it is the folder itself, not if it lies above the folder.
  if (workTree === null) return gitDir === folder ? { GIT_CEILING_DIRECTORIES: dirname(gitDir) } : { GIT_DIR: devNull };
  const variables = { GIT_WORK_TREE: workTree, GIT_CEILING_DIRECTORIES: dirname(workTree) };
  // Without GIT_DIR git finds the repository by itself, and then checks who owns it.
  return hasEmbedded ? { ...variables, GIT_DIR: gitDir } : variables;
}

/** The PATH on which git is looked for. */
export function searchPath(): string | undefined {
  return process.env.PATH;
}

interface UserGitFiles {
  readonly configs: readonly string[];
  readonly attributes: string;
  readonly excludes: string;
}

/** The paths of the user's git files. The configuration is one file or two. */
export function userGitFiles(): UserGitFiles {
  const { GIT_CONFIG_GLOBAL: globalConfig, XDG_CONFIG_HOME: xdg } = process.env;
  const folder = join(xdg || join(homedir(), '.config'), 'git');
  const configs = globalConfig ? [globalConfig] : [join(homedir(), '.gitconfig'), join(folder, 'config')];
  return { configs, attributes: join(folder, 'attributes'), excludes: join(folder, 'ignore') };
}
