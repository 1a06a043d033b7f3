/** Prints answers in the three formats. JSON and TOON carry the same data; a command renders human text itself. */
import { revealHidden, visibleJson } from '../../model/untrusted/visible-text.ts';
import type { Format } from '../parsing/choices.ts';
import { FORMATS } from '../parsing/choices.ts';
import type { StringFlag } from '../parsing/command.ts';
import type { Screen, Session } from '../running/command-session.ts';

export const FORMAT_FLAG = {
  kind: 'string',
  value: 'FORMAT',
  choices: FORMATS,
  help: 'Form of the answer',
} as const satisfies StringFlag;

/** JSON text with unchanged values for programs; hidden characters are written as JSON escapes. */
export function jsonText(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2));
}

/** Reports what a command did. With `--quiet` it prints nothing for people; `--format json` and `toon` still print. */
export function printReport(
  session: Session,
  format: Format | undefined,
  data: unknown,
  human: (screen: Screen) => readonly string[],
): Promise<void> {
  return printAnswer(session, format, data, session.quiet ? () => [] : human);
}

export async function printAnswer(
  session: Session,
  format: Format | undefined,
  /** A function if building the data is expensive and not always needed. */
  data: unknown,
  human: (screen: Screen) => readonly string[],
): Promise<void> {
  const { out } = session.terminal;
  const made = () => (typeof data === 'function' ? (data() as unknown) : data);
  if (format === 'json') out.write(`${jsonText(made())}\n`);
  else if (format === 'toon') {
    const { encode } = await import('@toon-format/toon');
    out.write(`${revealHidden(encode(made()))}\n`);
  } else {
    const lines = human(out);
    if (lines.length > 0) out.write(`${lines.join('\n')}\n`);
  }
}
