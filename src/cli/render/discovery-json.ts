/** Renders discoveries as JSON and as text. */
import { DISCOVERY_TYPES, type Discovery, type DiscoveryType, type Evidence } from '../../model/records/discovery.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Screen } from '../running/command-session.ts';
import { printableLine, wrap } from './terminal-text.ts';

export function discoveryJson(discovery: Discovery) {
  return {
    id: discovery.id,
    type: discovery.type,
    content: discovery.content,
    module: discovery.module,
    session: discovery.session,
    date_ms: discovery.dateMs,
    origin: discovery.origin,
    confidence: discovery.confidence,
    evidence: discovery.evidence.map(evidenceJson),
    contradicts: discovery.contradicts,
    superseded_by: discovery.supersededBy,
    status: discovery.status ?? null,
    formerly: discovery.formerly ?? null,
  };
}

export function evidenceJson(evidence: Evidence) {
  return {
    path: evidence.path ?? null,
    start_line: evidence.startLine ?? null,
    end_line: evidence.endLine ?? null,
    commit: evidence.commit ?? null,
  };
}

export const EVIDENCE_FIELDS = [
  { field: 'evidence[].path', meaning: 'file that shows it, or null' },
  { field: 'evidence[].start_line', meaning: 'first line, or null' },
  { field: 'evidence[].end_line', meaning: 'last line, or null' },
  { field: 'evidence[].commit', meaning: 'commit that shows it, or null' },
];

export const DISCOVERY_FIELDS = [
  { field: 'id', meaning: 'its id' },
  {
    field: 'type',
    meaning:
      '`pattern`, `rule`, `decision` or `issue`; `untrusted_instruction` for text of the repository that gives ' +
      'orders to AI agents',
  },
  { field: 'content', meaning: 'the text' },
  { field: 'module', meaning: 'module that it is about, or empty' },
  { field: 'session', meaning: 'session in which it was recorded, or empty' },
  { field: 'date_ms', meaning: 'milliseconds since 1970' },
  { field: 'origin', meaning: '`person`, `agent`, or where it was mined' },
  { field: 'confidence', meaning: '1 when recorded, lower when mined' },
  ...EVIDENCE_FIELDS,
  { field: 'contradicts[]', meaning: 'ids of discoveries that it contradicts or replaces' },
  { field: 'superseded_by', meaning: 'id of the one that replaced it, or null' },
  { field: 'status', meaning: 'status of a decision record (`Accepted`, `Superseded by …`), or null' },
  { field: 'formerly', meaning: 'its earlier wording, or null' },
];

/** Parses the output of `memory export`. An invalid entry is reported; the others are read. */
export function parseDiscoveries(text: string): {
  readonly discoveries: readonly Discovery[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
} {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new EngineError('invalid_input', { reason: `The file is no JSON: ${(error as Error).message}` }, error);
  }
  const { discoveries: listed, sextant_memory: version } = (content ?? {}) as Record<string, unknown>;
  if (version !== 1 || !Array.isArray(listed))
    throw new EngineError('invalid_input', { reason: 'The file is no export of `sextant memory export`.' });
  const discoveries: Discovery[] = [];
  const refused: { id: string; reason: string }[] = [];
  listed.forEach((entry: unknown, i) => {
    const discovery = fromJson(entry);
    if (discovery) discoveries.push(discovery);
    else
      refused.push({
        id: idOf(entry) || `entry ${i + 1}`,
        reason: 'Not a discovery: id, type, content or date is missing.',
      });
  });
  return { discoveries, refused };
}

function idOf(entry: unknown): string {
  const id = (entry as Record<string, unknown> | null)?.id;
  return typeof id === 'string' ? id.slice(0, 80) : '';
}

function fromJson(entry: unknown): Discovery | null {
  const given = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  const type = given.type as DiscoveryType;
  const dateMs = given.date_ms;
  const isSound =
    /^[\w-][\w.-]{0,79}$/.test(text('id')) &&
    DISCOVERY_TYPES.includes(type) &&
    text('content').trim() !== '' &&
    typeof dateMs === 'number' &&
    Number.isFinite(dateMs) &&
    Math.abs(dateMs) < 8.64e15;
  if (!isSound) return null;
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
  const evidence = Array.isArray(given.evidence) ? given.evidence.map(evidenceFromJson) : [];
  return {
    id: text('id'),
    type,
    content: text('content'),
    module: text('module'),
    session: text('session'),
    dateMs,
    origin: text('origin') || 'person',
    confidence: typeof given.confidence === 'number' ? Math.min(1, Math.max(0, given.confidence)) : 1,
    evidence: evidence.filter(({ path, commit }) => path !== undefined || commit !== undefined),
    contradicts: texts(given.contradicts),
    supersededBy: text('superseded_by') || null,
    ...(text('status') ? { status: text('status') } : {}),
    ...(text('formerly') ? { formerly: text('formerly') } : {}),
  };
}

function evidenceFromJson(value: unknown): Evidence {
  const { path, start_line, end_line, commit } = (value ?? {}) as Record<string, unknown>;
  return {
    ...(typeof path === 'string' && path !== '' ? { path } : {}),
    ...(Number.isInteger(start_line) ? { startLine: start_line as number } : {}),
    ...(Number.isInteger(end_line) ? { endLine: end_line as number } : {}),
    ...(typeof commit === 'string' && /^\w+$/.test(commit) ? { commit } : {}),
  };
}

export function evidenceText(evidence: Evidence): string {
  if (!evidence.path) return evidence.commit ? `commit ${evidence.commit.slice(0, 12)}` : '';
  const range = evidence.startLine
    ? `:${evidence.startLine}${evidence.endLine && evidence.endLine > evidence.startLine ? `-${evidence.endLine}` : ''}`
    : '';
  return printableLine(`${evidence.path}${range}`);
}

export function renderDiscovery(discovery: Discovery, { style, columns, isTerminal }: Screen): string[] {
  const date = new Date(discovery.dateMs).toISOString().slice(0, 10);
  const about = [discovery.type, discovery.module, discovery.origin, date].filter((part) => part !== '').join(' · ');
  const status = discovery.status ? ` ${style.grey(printableLine(discovery.status))}` : '';
  const gone = discovery.supersededBy ? ` ${style.yellow(`superseded by ${discovery.supersededBy}`)}` : '';
  const lines = [`${style.cyan(discovery.id)} ${style.grey(printableLine(about))}${status}${gone}`];
  for (const line of wrap(discovery.content, (isTerminal ? columns : 100) - 2)) lines.push(`  ${printableLine(line)}`);
  if (discovery.formerly) lines.push(`  ${style.grey(`formerly: ${printableLine(discovery.formerly)}`)}`);
  const places = discovery.evidence.map(evidenceText).filter((text) => text !== '');
  if (places.length > 0) lines.push(`  ${style.grey(places.join(', '))}`);
  if (discovery.contradicts.length > 0)
    lines.push(`  ${style.yellow(`contradicts ${discovery.contradicts.join(', ')}`)}`);
  return lines;
}
