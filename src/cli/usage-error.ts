/** Errors whose fix is known better here than in the table: it names the very flag or help page. */
import { EngineError, type ErrorCode, type ErrorData } from '../model/errors.ts';

export class ErrorWithFix extends EngineError {
  override readonly fix: string;

  constructor(code: ErrorCode, data: ErrorData, fix: string, cause?: unknown) {
    super(code, data, cause);
    this.fix = fix;
  }
}

/** Wrong use of the command line. */
export class UsageError extends ErrorWithFix {
  constructor(reason: string, fix: string) {
    super('invalid_input', { reason }, fix);
  }
}

/** What the user typed, short enough to repeat in a sentence and free of control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
  return `"${clean.length > 60 ? `${clean.slice(0, 57)}…` : clean}"`;
}
