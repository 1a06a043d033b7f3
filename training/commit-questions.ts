/**
 * Questions made of a repository's history: a commit's subject is asked of the tree before it, and the functions that
 * it changes answer.
 */
import { execFileSync } from 'node:child_process';

export interface CommitQuestion {
  readonly parent: string;
  readonly query: string;
  /** Lines of the parent's files that the commit changes. */
  readonly changes: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
}

const SOURCE =
  /\.(?:go|rs|py|tsx?|mts|jsx?|mjs|java|c|h|cc|cpp|hpp|cs|kts?|scala|php|rb|exs?|lua|hs|zig|sh|dart|swift)$/;
const ASIDE =
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|examples?|benchmarks?|docs?|vendor|third_party)\/|[._-](?:test|spec)s?\.|_test\.|Tests?\.\w+$/i;
/** Subjects that do not describe the changed code. */
const EMPTY =
  /^(?:merge|revert|bump|release|prepare|version|update (?:changelog|dependenc|authors|copyright|readme)|changelog|fix(?:ed|es)? (?:typo|lint|test|build|ci|whitespace|warning|style)|typo|lint|format|cleanup|clean up|refactor(?:ing)?$|chore|ci\b|docs?\b|build\b|style\b|tests?\b|wip|rubocop|clippy|gofmt|v?\d+\.\d+)/i;
const MOST_FILES = 3;

/** Latest commits first. */
export function commitQuestions(clone: string, revision: string, count: number): CommitQuestion[] {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', clone, ...words], { encoding: 'utf8', maxBuffer: 1 << 29 });
  const log = git(
    'log',
    revision,
    '--no-merges',
    '-n',
    String(12 * count),
    '--name-only',
    '--format=%x01%H %P%x02%s%x02',
  );
  const found: CommitQuestion[] = [];
  for (const entry of log.split('\x01').slice(1)) {
    if (found.length >= count) break;
    const [ids = '', subject = '', names = ''] = entry.split('\x02');
    const [commit, parent] = ids.trim().split(' ');
    const files = names.split('\n').filter((path) => SOURCE.test(path) && !ASIDE.test(path));
    const query = subject.replace(/\s*\(?#\d+\)?|\s*\[[^\]]*\]$/g, '').trim();
    if (!commit || !parent || files.length === 0 || files.length > MOST_FILES) continue;
    if (EMPTY.test(query) || query.split(/\s+/).length < 4) continue;
    const changes = changedLines(git('diff', '-U0', '--no-color', '--no-ext-diff', parent, commit, '--', ...files));
    if (changes.length > 0 && changes.length <= 20) found.push({ parent, query, changes });
  }
  return found;
}

/** Changed lines of the old side; a pure addition counts for the lines around it. */
function changedLines(diff: string): CommitQuestion['changes'] {
  const changes: { path: string; startLine: number; endLine: number }[] = [];
  let path = '';
  for (const line of diff.split('\n')) {
    if (line.startsWith('--- ')) path = line.startsWith('--- a/') ? line.slice(6) : '';
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (!hunk || !path) continue;
    const [start, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    changes.push({ path, startLine: start, endLine: count === 0 ? start + 1 : start + count - 1 });
  }
  return changes;
}
