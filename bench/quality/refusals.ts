/**
 * How often "nothing matches" is the answer: to commit subjects, of the tree that the commit made, where it never
 * should be; and to questions about another repository.
 */
import { spawnSync } from 'node:child_process';
import type { Engine } from '../../src/engine/index.ts';

const SOURCE =
  /\.(?:go|rs|py|tsx?|mts|jsx?|mjs|java|c|h|cc|cpp|hpp|cs|kts?|scala|php|rb|exs?|lua|hs|zig|sh|dart|swift)$/;

/** Subjects of the latest commits that change source files which the revision still has, the newest first. */
export function codeSubjects(clone: string, revision: string, count: number): string[] {
  // A snapshot may lack old objects: what git wrote before it came upon one is enough.
  const git = (...words: string[]) =>
    spawnSync('git', ['-C', clone, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
  const present = new Set(git('ls-tree', '-r', '--name-only', '-z', revision).split('\0'));
  const log = git('log', revision, '--no-merges', '-n', String(6 * count), '--name-only', '-z', '--format=%x01%s%x02');
  return log
    .split('\x01')
    .slice(1)
    .flatMap((entry) => {
      const [subject = '', files = ''] = entry.split('\x02');
      const isCode = files.split(/[\0\n]/).some((path) => SOURCE.test(path) && present.has(path));
      return isCode && subject.trim() ? [subject.trim()] : [];
    })
    .slice(0, count);
}

/** A first result with less is shown as a guess. */
const LOW_SCORE = 0.3;

/** Share of the questions that get no answer, and of those whose first result says of itself that it is a guess. */
export async function refusedShare(
  questions: readonly { readonly query: string; readonly folder: string; readonly ref?: string }[],
  engine: Pick<Engine, 'search'>,
): Promise<{ share: number; low: number; refused: string[] }> {
  const refused: string[] = [];
  let low = 0;
  for (const { query, folder, ref } of questions) {
    const { hits } = await engine.search(folder, { query, limit: 10, ...(ref ? { ref } : {}) });
    if (hits.length === 0) refused.push(query);
    else if (hits[0]!.score < LOW_SCORE) low++;
  }
  const count = Math.max(1, questions.length);
  return { share: refused.length / count, low: low / count, refused };
}
