import { join } from 'node:path';
import { safeJoin } from '../rules/safe-join.ts';
import { runGit } from './git-process.ts';

/**
 * Files that git keeps although its ignore rules name them: they belong to the project, and whoever goes by the rules alone does not see them.
 * Without links and what lies behind them. None where git has no answer.
 */
export async function trackedThoughIgnored(root: string, signal?: AbortSignal): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const { code, stdout } = await runGit(root, args, signal ? { signal } : {});
  if (code !== 0) return [];
  // Once for each side of a conflict.
  return [...new Set(stdout.toString('utf8').split('\0'))].filter((path) => {
    try {
      return path !== '' && safeJoin(root, path) === join(root, path);
    } catch {
      return false;
    }
  });
}
