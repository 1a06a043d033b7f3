/** Wrong use of the command line: an `invalid_input` that names the command's own help as the fix. */
import { EngineError } from '../model/errors.ts';

export class UsageError extends EngineError {
  override readonly fix: string;

  constructor(reason: string, fix: string) {
    super('invalid_input', { reason });
    this.fix = fix;
  }
}

/** What the user typed, short enough to repeat in a sentence and free of control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
  return `"${clean.length > 60 ? `${clean.slice(0, 57)}…` : clean}"`;
}
