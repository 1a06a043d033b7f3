/** The colours of one screen. Without colour, every function returns its text unchanged, so renderers need no check. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  grey: [90, 39],
} as const;

export type Paint = keyof typeof CODES;
export type Style = { readonly enabled: boolean } & Readonly<Record<Paint, (text: string) => string>>;

export function makeStyle(enabled: boolean): Style {
  const paints = Object.fromEntries(
    Object.entries(CODES).map(([name, [on, off]]) => [
      name,
      enabled ? (text: string) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`) : (text: string) => text,
    ]),
  ) as Record<Paint, (text: string) => string>;
  return { enabled, ...paints };
}

/**
 * Whether a stream gets colour. Decided by, in order: the flag, FORCE_COLOR, NO_COLOR, and whether it is a terminal
 * with colours.
 */
export function wantsColor(
  flag: boolean | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (flag !== undefined) return flag;
  const force = environment.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (environment.NO_COLOR !== undefined && environment.NO_COLOR !== '') return false;
  return isTerminal && environment.TERM !== 'dumb';
}
