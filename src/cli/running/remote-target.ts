/** Resolves a repository that a command names by URL: clones and indexes it, then treats it as any folder. */
import { isRepositoryUrl, withoutCredentials } from '../../model/records/repository-name.ts';
import { quoted, UsageError } from '../parsing/usage-error.ts';
import { printableLine } from '../render/terminal-text.ts';
import { duration } from '../render/units.ts';
import type { Session } from './command-session.ts';
import { type TargetFlags, targetOf } from './command-target.ts';
import { indexWithProgress, summaryLine } from './index-first.ts';

export interface RemoteFlags extends TargetFlags {
  readonly repo?: string | undefined;
}

/** As targetOf(), with `--repo`. */
export async function targetOrClone(session: Session, flags: RemoteFlags): Promise<string> {
  const { repo, path, workspace, repos = [] } = flags;
  if (repo === undefined) return targetOf(session, flags);
  if (path !== undefined || workspace !== undefined || repos.length > 0)
    throw new UsageError('--repo names a repository by its address; other flags name another.', 'Pass one of them.');
  if (!isRepositoryUrl(repo))
    throw new UsageError(
      `${quoted(withoutCredentials(repo))} is no address of a git repository.`,
      'Pass one such as https://github.com/OWNER/NAME; --path takes a folder.',
    );
  return remoteRoot(session, repo);
}

/** Clones and indexes the repository; returns the clone's folder. */
export async function remoteRoot(session: Session, url: string): Promise<string> {
  const { openRemoteClone } = await import('../../engine/projects/remote-clone.ts');
  const { root, isFetched, fetchedAt, failure } = await openRemoteClone(session.dataFolder, url, session.signal);
  if (failure)
    session.say(
      `Answered from a clone that is ${duration(Date.now() - fetchedAt)} old: ${printableLine(failure.message)}`,
    );
  const engine = await session.engine(root);
  if (isFetched || (await engine.status(root)).indexing === 'not_indexed') {
    const report = await indexWithProgress(session, root, {});
    session.say(`${printableLine(withoutCredentials(url))}: ${summaryLine(report)}`);
  }
  return root;
}
