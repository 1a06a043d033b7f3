export interface Place {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
}

/** Parses FILE, FILE:10 or FILE:10-20. A colon without a number after it belongs to the name. */
export function readPlace(text: string): Place {
  const match = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(text);
  if (!match) return { path: text };
  const startLine = Number(match[2]);
  return { path: match[1]!, startLine, endLine: match[3] === undefined ? startLine : Number(match[3]) };
}
