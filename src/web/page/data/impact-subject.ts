/** Parses what the user types to ask about a change: a range of commits, or a symbol, a file, lines of it. */
export interface ImpactSubject {
  readonly diff?: string;
  readonly target?: string;
}

const REVISION = /\.\.|\^!$|^(?:HEAD|@)(?:[~^]\d*)*$/;

export function impactSubject(typed: string): ImpactSubject {
  const text = typed.trim();
  if (text === '') return {};
  return REVISION.test(text) ? { diff: text } : { target: text };
}
