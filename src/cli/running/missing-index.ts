/** The next step for a user at a shell where there is no index. */
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';

/** The command that makes the index that is missing, as one types it. */
export function indexCommand(ref: string | undefined): string {
  return ref !== undefined && ref !== 'live' && ref !== 'HEAD' ? `sextant index --ref ${ref}` : 'sextant index';
}

/** The error as a shell's user can act on it; others as they are. */
export function explainMissing({ ref }: Readonly<Record<string, unknown>>, thrown: unknown): unknown {
  if (!(thrown instanceof EngineError) || thrown.code !== 'not_indexed' || thrown instanceof ErrorWithFix)
    return thrown;
  const line = indexCommand(typeof ref === 'string' ? ref : undefined);
  return new ErrorWithFix('not_indexed', thrown.data, `Run \`${line}\` there.`, thrown);
}
