/** Partial clones: contents that nobody has needed yet are with the remote, and git fetches each when it is read, over a connection of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from './git-process.ts';

/** First the folders, where these are missing, too, then what is in them. */
const ROUNDS = 3;
/** What git itself says to the remote when it needs a single one. */
const FETCH = ['--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--filter=blob:none', '--stdin'];

/** Brings what the commit's files need, all at once. Where that fails, whoever reads them is told by git. Throws only `cancelled`. */
export async function fetchMissing(
  folder: string,
  git: { readonly commonDir: string },
  commit: string,
  signal?: AbortSignal,
): Promise<void> {
  const remote = promisorOf(git.commonDir);
  const options = signal ? { signal } : {};
  for (let round = 0; remote !== null && round < ROUNDS; round++) {
    const { stdout } = await runGit(folder, ['rev-list', '--objects', '--no-walk', '--missing=print', commit], options);
    const missing = stdout.toString('latin1').match(/^\?[0-9a-f]+$/gm);
    if (missing === null) return;
    const input = `${missing.map((line) => line.slice(1)).join('\n')}\n`;
    const { code } = await runGit(
      folder,
      ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--quiet', remote, ...FETCH],
      { ...options, input },
    );
    if (code !== 0) return;
  }
}

/** The remote that has what is missing, by git's own file; null in a whole repository. */
function promisorOf(commonDir: string): string | null {
  try {
    const config = readFileSync(join(commonDir, 'config'), 'utf8');
    return /^\[remote "([^"\\\n-][^"\\\n]*)"\](?:\n(?!\[).*)*?\n\s*promisor\s*=\s*true\s*$/im.exec(config)?.[1] ?? null;
  } catch {
    return null;
  }
}
