/** What to do at a shell where there is no index to answer from. */
import { EngineError } from '../model/errors.ts';
import type { Session } from './session.ts';
import { ErrorWithFix } from './usage-error.ts';

export interface IndexCommand {
  /** As one types it; of a bare repository one has to say which of its branches. */
  readonly line: string;
  readonly isBare: boolean;
}

/** The command that makes the index that is missing. */
export async function indexCommand(session: Session, path: string, ref: string | undefined): Promise<IndexCommand> {
  if (ref !== undefined && ref !== 'live' && ref !== 'HEAD')
    return { line: `sextant index --ref ${ref}`, isBare: false };
  const { isBare } = await (await session.engine(path)).project(path);
  return { line: isBare ? 'sextant index --ref BRANCH' : 'sextant index', isBare };
}

/** The error as a shell's user can act on it; others as they are. */
export async function explainMissing(
  session: Session,
  flags: Readonly<Record<string, unknown>>,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof EngineError) || thrown.code !== 'not_indexed' || thrown instanceof ErrorWithFix)
    return thrown;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  try {
    const { line } = await indexCommand(session, text(flags.path) ?? '.', text(flags.ref));
    return new ErrorWithFix('not_indexed', thrown.data, `Run \`${line}\` there.`, thrown);
  } catch (error) {
    return error;
  }
}
