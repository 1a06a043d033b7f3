/** The fix for a missing index at a shell. */
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';

/** The command that creates the missing index. */
export function indexCommand(ref: string | undefined): string {
  return ref !== undefined && ref !== 'live' && ref !== 'HEAD' ? `sextant index --ref ${ref}` : 'sextant index';
}

/** Replaces the fix of a not_indexed error by the shell command; other errors stay unchanged. */
export function explainMissing({ ref }: Readonly<Record<string, unknown>>, thrown: unknown): unknown {
  if (!(thrown instanceof EngineError) || thrown.code !== 'not_indexed' || thrown instanceof ErrorWithFix)
    return thrown;
  const line = indexCommand(typeof ref === 'string' ? ref : undefined);
  return new ErrorWithFix('not_indexed', thrown.data, `Run \`${line}\` there.`, thrown);
}
