/** The history of a repository as data: newest first, bounded in number and time. */
import { runGit } from './git-process.ts';

export interface Commit {
  readonly id: string;
  readonly dateMs: number;
  readonly subject: string;
  readonly body: string;
  readonly isMerge: boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_BODY = 2_000;

/** Empty where there is no git, no history or no time. */
export async function readHistory(folder: string, limit: number, signal?: AbortSignal): Promise<Commit[]> {
  const bounded = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]);
  try {
    const format = '--format=%H%x00%ct%x00%P%x00%s%x00%b%x01';
    const { code, stdout } = await runGit(folder, ['log', `--max-count=${limit}`, format, '--', '.'], {
      signal: bounded,
    });
    if (code !== 0) return [];
    return stdout
      .toString('utf8')
      .split('\u0001')
      .flatMap((record) => {
        const [id, seconds, parents, subject, body] = record.replace(/^\n/, '').split('\0');
        if (!id || subject === undefined) return [];
        return [
          {
            id,
            dateMs: Number(seconds) * 1000,
            subject,
            body: (body ?? '').slice(0, MAX_BODY),
            isMerge: (parents ?? '').includes(' '),
          },
        ];
      });
  } catch {
    return [];
  }
}
