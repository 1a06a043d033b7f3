/** The text form of a discovery, which people read and git merges: `key: value` lines, a blank line, the statement. */
import { createHash } from 'node:crypto';
import { DISCOVERY_TYPES, type Discovery, type DiscoveryType, type Evidence } from '../../model/records/discovery.ts';

const KEYS = [
  'id',
  'type',
  'module',
  'session',
  'date',
  'origin',
  'author',
  'confidence',
  'evidence',
  'contradicts',
  'superseded-by',
  'status',
  'formerly',
] as const;

export function newDiscoveryId(type: DiscoveryType, content: string): string {
  return `${type}-${createHash('sha256')
    .update(`${type}\n${normalise(content)}`)
    .digest('hex')
    .slice(0, 16)}`;
}

/** Normalises a statement: two that differ only in case, white space or punctuation get the same id. */
export function normalise(content: string): string {
  return content
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function formatDiscovery(discovery: Discovery): string {
  const values: Record<(typeof KEYS)[number], string> = {
    id: discovery.id,
    type: discovery.type,
    module: discovery.module,
    session: discovery.session,
    date: new Date(discovery.dateMs).toISOString(),
    origin: discovery.origin,
    author: discovery.author ?? '',
    confidence: String(discovery.confidence),
    evidence: discovery.evidence.map(formatEvidence).join(', '),
    contradicts: discovery.contradicts.join(', '),
    'superseded-by': discovery.supersededBy ?? '',
    status: discovery.status ?? '',
    formerly: discovery.formerly ?? '',
  };
  // White space is folded, so that a line break in a value cannot start another key.
  const head = KEYS.map((key) => [key, values[key].replace(/\s+/g, ' ').trim()] as const)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}: ${value}`);
  return `${head.join('\n')}\n\n${discovery.content.trim()}\n`;
}

/** Null if the text is not a valid discovery. */
export function parseDiscovery(text: string): Discovery | null {
  const end = text.search(/\r?\n\r?\n/);
  if (end < 0 || hasConflict(text)) return null;
  const head = new Map<string, string>();
  for (const line of text.slice(0, end).split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 0) return null;
    head.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  const content = text.slice(end).trim();
  const type = head.get('type') as DiscoveryType | undefined;
  const id = head.get('id') ?? '';
  const dateMs = Date.parse(head.get('date') ?? '');
  if (!/^[\w.-]{1,80}$/.test(id) || !type || !DISCOVERY_TYPES.includes(type) || content === '' || Number.isNaN(dateMs))
    return null;
  const list = (key: string) =>
    (head.get(key) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  return {
    id,
    type,
    content,
    module: head.get('module') ?? '',
    session: head.get('session') ?? '',
    dateMs,
    origin: head.get('origin') ?? 'person',
    confidence: Math.min(1, Math.max(0, Number(head.get('confidence') ?? 1) || 0)),
    evidence: list('evidence').map(parseEvidence),
    contradicts: list('contradicts'),
    supersededBy: head.get('superseded-by') || null,
    ...(head.get('author') ? { author: head.get('author')! } : {}),
    ...(head.get('status') ? { status: head.get('status')! } : {}),
    ...(head.get('formerly') ? { formerly: head.get('formerly')! } : {}),
  };
}

/** Whether the text contains an unresolved merge conflict. */
export function hasConflict(text: string): boolean {
  return /^<{7}(?: |\r?$)/m.test(text) && /^>{7}(?: |\r?$)/m.test(text);
}

function formatEvidence({ path, startLine, endLine, commit }: Evidence): string {
  if (!path) return `commit ${commit ?? ''}`.trim();
  const lines = startLine ? `:${startLine}${endLine && endLine !== startLine ? `-${endLine}` : ''}` : '';
  return `${escapePath(path)}${lines}${commit ? ` @${commit}` : ''}`;
}

/** Escapes characters that separate parts of the line as %XX. */
function escapePath(path: string): string {
  return path.replace(
    /[%,:\n\r\t]|^ | $| (?=[ @])|(?<=^commit) /g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function parseEvidence(text: string): Evidence {
  const commit = /^commit (\w+)$/.exec(text);
  if (commit) return { commit: commit[1]! };
  const match = /^(.*?)(?::(\d+)(?:-(\d+))?)?(?: @(\w+))?$/.exec(text)!;
  return {
    path: match[1]!.replace(/%([0-9A-F]{2})/g, (_whole, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
    ...(match[2] ? { startLine: Number(match[2]) } : {}),
    ...(match[3] ? { endLine: Number(match[3]) } : {}),
    ...(match[4] ? { commit: match[4] } : {}),
  };
}
