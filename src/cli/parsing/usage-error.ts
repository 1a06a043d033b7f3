import { ErrorWithFix } from '../../model/records/engine-errors.ts';

/** Wrong use of the command line. */
export class UsageError extends ErrorWithFix {
  constructor(reason: string, fix: string) {
    super('invalid_input', { reason }, fix);
  }
}

/** The user's input, short enough to repeat in a sentence and free of control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
  return `"${clean.length > 60 ? `${clean.slice(0, 57)}…` : clean}"`;
}
