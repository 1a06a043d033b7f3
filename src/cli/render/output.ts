/** Answers in the three formats. JSON and TOON carry the same data; human text is made by the command's own renderer. */
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

export async function printAnswer(
  session: Session,
  format: Format | undefined,
  /** A function where putting it together takes its time: not everybody asks for it. */
  data: unknown,
  human: (screen: Screen) => readonly string[],
): Promise<void> {
  const { out } = session.terminal;
  const made = () => (typeof data === 'function' ? (data() as unknown) : data);
  if (format === 'json') out.write(`${JSON.stringify(made(), null, 2)}\n`);
  else if (format === 'toon') {
    const { encode } = await import('@toon-format/toon');
    out.write(`${encode(made())}\n`);
  } else {
    const lines = human(out);
    if (lines.length > 0) out.write(`${lines.join('\n')}\n`);
  }
}
