/** Discoveries as the command line prints them. */
import type { Discovery, Evidence } from '../model/discovery.ts';
import { printableLine, wrap } from './render/text.ts';
import type { Screen } from './session.ts';

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
  { field: 'type', meaning: '`pattern`, `rule`, `decision` or `issue`' },
  { field: 'content', meaning: 'the thought itself' },
  { field: 'module', meaning: 'module that it is about, or empty' },
  { field: 'session', meaning: 'session in which it was recorded, or empty' },
  { field: 'date_ms', meaning: 'milliseconds since 1970' },
  { field: 'origin', meaning: '`person`, `agent`, or where it was mined' },
  { field: 'confidence', meaning: '1 when recorded, lower when mined' },
  ...EVIDENCE_FIELDS,
  { field: 'contradicts[]', meaning: 'ids of discoveries that it contradicts or replaces' },
  { field: 'superseded_by', meaning: 'id of the one that replaced it, or null' },
];

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
  const gone = discovery.supersededBy ? ` ${style.yellow(`superseded by ${discovery.supersededBy}`)}` : '';
  const lines = [`${style.cyan(discovery.id)} ${style.grey(printableLine(about))}${gone}`];
  for (const line of wrap(discovery.content, (isTerminal ? columns : 100) - 2)) lines.push(`  ${printableLine(line)}`);
  const places = discovery.evidence.map(evidenceText).filter((text) => text !== '');
  if (places.length > 0) lines.push(`  ${style.grey(places.join(', '))}`);
  return lines;
}
