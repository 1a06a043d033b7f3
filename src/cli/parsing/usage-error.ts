import { ErrorWithFix } from '../../model/records/engine-errors.ts';

/** An invalid command line. */
export class UsageError extends ErrorWithFix {
  constructor(reason: string, fix: string) {
    super('invalid_input', { reason }, fix);
  }
}

/** Shortens the user's input for a message and removes control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
  return `"${clean.length > 60 ? `${clean.slice(0, 57)}…` : clean}"`;
}
