/** Parses the JSON lines that ripgrep writes. */
interface RgText {
  readonly text?: string;
  readonly bytes?: string;
}

interface RgMessage {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  readonly data: {
    readonly path?: RgText;
    readonly lines?: RgText;
    readonly line_number?: number;
    readonly submatches?: readonly { readonly start: number }[];
    readonly stats?: { readonly searches: number };
  };
}

export interface FoundLine {
  readonly isMatch: boolean;
  readonly line: number;
  /** The line with its end. */
  readonly bytes: Buffer;
  /** The line without its end. */
  readonly text: string;
  /** Byte offset of the match. */
  readonly startByte: number;
}

export type GrepMessage =
  | { readonly type: 'begin'; readonly path: string }
  | { readonly type: 'line'; readonly found: FoundLine }
  | { readonly type: 'summary'; readonly searches: number };

/** Null for messages of other types, and for a line cut off because ripgrep was stopped. */
export function readMessage(json: string): GrepMessage | null {
  let message: RgMessage;
  try {
    message = JSON.parse(json) as RgMessage;
  } catch {
    return null;
  }
  const { type, data } = message;
  if (type === 'begin') return { type, path: textOf(data.path).replace(/^\.\//, '').replaceAll('\\', '/') };
  if (type === 'summary') return { type, searches: data.stats?.searches ?? 0 };
  if (type === 'end') return null;
  const found = {
    isMatch: type === 'match',
    line: data.line_number ?? 0,
    bytes: bytesOf(data.lines),
    text: textOf(data.lines).replace(/\r?\n$/, ''),
    startByte: data.submatches?.[0]?.start ?? 0,
  };
  return { type: 'line', found };
}

function bytesOf(value: RgText | undefined): Buffer {
  return value?.bytes ? Buffer.from(value.bytes, 'base64') : Buffer.from(value?.text ?? '');
}

function textOf(value: RgText | undefined): string {
  return value?.text ?? bytesOf(value).toString('utf8');
}
