/**
 * Finds real commits that changed source and tests together, and writes for each a commit with its source alone, which
 * is what a developer has before running tests. It is written into a clone that belongs to the measurement.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { detectLanguage } from '../../src/languages/registry.ts';
import { FileFlag } from '../../src/model/records/source-file.ts';
import { pathFlags } from '../../src/walk/index.ts';

const MAX_FILES = 20;
const MAX_SOURCES = 10;

export interface JudgedCommit {
  readonly id: string;
  /** A commit with the same parent and the changes of the source, without those of the tests. */
  readonly sourceOnly: string;
  /** Test files that the commit changed and that existed before. */
  readonly tests: readonly string[];
}

interface Entry {
  readonly path: string;
  readonly status: string;
  readonly mode: string;
  readonly blob: string;
}

/**
 * Build scripts are written in the program's language and are no part of it: a newer linter there changes tests for its
 * own reasons.
 */
const BUILD_SCRIPT =
  /^buildSrc\/|\.gradle(?:\.kts)?$|(?:^|\/)(?:build\.rs|setup\.py|noxfile\.py|Rakefile|(?:gulpfile|Gruntfile|[\w.-]+\.config)\.[cm]?[jt]s)$/;

const isCode = (path: string) => detectLanguage(path)?.family === 'code';
const isTest = (path: string) => (pathFlags(path) & FileFlag.Test) !== 0;
const isTestFile = (path: string) =>
  isTest(path) && isCode(path) && (detectLanguage(path)?.tests?.isTestFile(path) ?? true);

/** The newest such commits, at most `count`, among the newest `look`. */
export function judgedCommits(clone: string, count: number, look: number): JudgedCommit[] {
  const git = gitIn(clone);
  const found: JudgedCommit[] = [];
  for (const id of git(['rev-list', '--no-merges', `--max-count=${look}`, 'HEAD'])
    .split('\n')
    .filter(Boolean)) {
    if (found.length >= count) break;
    const entries = entriesOf(git, id);
    if (entries === null || entries.length > MAX_FILES) continue;
    const sources = entries.filter(({ path }) => isCode(path) && !isTest(path) && !BUILD_SCRIPT.test(path));
    const tests = entries.filter(({ path, status }) => status === 'M' && isTestFile(path)).map(({ path }) => path);
    if (sources.length === 0 || sources.length > MAX_SOURCES || tests.length === 0) continue;
    const rest = entries.filter(({ path }) => !isTest(path));
    found.push({ id, sourceOnly: writeCommit(clone, git, id, rest), tests });
  }
  return found;
}

type Git = (args: readonly string[], options?: { input?: string; env?: NodeJS.ProcessEnv }) => string;

function gitIn(clone: string): Git {
  return (args, { input, env } = {}) =>
    execFileSync('git', ['-C', clone, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['pipe', 'pipe', 'ignore'],
      ...(input !== undefined && { input }),
      env: { ...process.env, ...env },
    });
}

function entriesOf(git: Git, id: string): Entry[] | null {
  const fields = git(['diff-tree', '-r', '-z', '--no-renames', '--root', '--no-commit-id', id]).split('\0');
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode, , blob, status] = fields[i]!.split(' ');
    entries.push({ path: fields[i + 1]!, status: status!, mode: mode!, blob: blob! });
    if (entries.length > MAX_FILES) return null;
  }
  return entries;
}

function writeCommit(clone: string, git: Git, id: string, entries: readonly Entry[]): string {
  const env = {
    GIT_INDEX_FILE: join(clone, '.git', 'impact-index'),
    GIT_AUTHOR_NAME: 'bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
    GIT_COMMITTER_NAME: 'bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
    GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
  };
  git(['read-tree', `${id}^`], { env });
  const input = entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`).join('');
  git(['update-index', '-z', '--index-info'], { env, input });
  const tree = git(['write-tree'], { env }).trim();
  return git(['commit-tree', tree, '-p', `${id}^`, '-m', 'source alone'], { env }).trim();
}
